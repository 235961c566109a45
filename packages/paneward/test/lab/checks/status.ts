import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import type { Bench } from "../bench.ts";
import type { Words } from "../words.ts";
import { leaveDialog } from "./answers.ts";

const maxMs = 1_000;

/** Brings the agent from state to state. The model and the screen know the truth; the daemon may be a second behind. */
export async function statusTrace(bench: Bench, words: Words, say: (line: string) => void): Promise<void> {
  const { daemon, model, id, screen } = bench;
  const { client } = daemon;
  const { run, dialog } = words;
  const trace: { readonly what: string; readonly ms: number }[] = [];
  const follows = async (what: string, truth: () => unknown, status: "Idle" | "Running" | "Waiting") => {
    await until(what, truth, 60_000);
    const at = performance.now();
    await bench.becomes(status);
    trace.push({ what, ms: Math.round(performance.now() - at) });
  };
  const isAsked = async (text: string) => {
    const before = model.prompts.length;
    await client.send({ id, text });
    return () => model.prompts.length > before;
  };
  const hasAnswered = () => model.answered >= model.prompts.length;

  await bench.becomes("Idle");
  await follows("the model was asked", await isAsked("SLOW 6"), "Running");
  await follows("the model had answered", hasAnswered, "Idle");

  await follows("the model was asked again", await isAsked("SLOW 60"), "Running");
  const before = model.hungUp;
  const interrupting = client.interrupt({ id });
  await follows("it was interrupted", () => model.hungUp > before, "Idle");
  const { interrupted, by } = await interrupting;
  assert.deepEqual([interrupted, by], [true, words.overHttp ? "http" : "keys"]);

  if (dialog) {
    await client.send({ id, text: run("touch traced") });
    await follows("its dialog was drawn", async () => dialog.test(await screen()), "Waiting");
    await leaveDialog(bench, dialog);
    await follows("its dialog was gone", async () => !dialog.test(await screen()), "Idle");
  }
  say(`told ${trace.map(({ what, ms }) => `${ms} ms after ${what}`).join(", ")}`);
  for (const { what, ms } of trace) assert.ok(ms <= maxMs, `shown ${ms} ms after ${what}`);
}

/** It tells by itself that it works and that it has done so, with no file of its user's touched. */
export async function toldByHooks({ daemon, id, becomes }: Bench, say: (line: string) => void): Promise<void> {
  const hook = async (says: RegExp) =>
    until(`a hook says ${says}`, async () => {
      const { witnesses } = await daemon.client.explain({ id });
      const told = witnesses.find(({ witness }) => witness === "hook");
      return told && says.test(told.says) && told;
    });
  await becomes("Idle");
  await daemon.client.send({ id, text: "SLOW 3", ack: 60 });
  const works = await hook(/^working/);
  const rests = await hook(/^idle|about to end/);
  await becomes("Idle");
  const { session_id: session } = await daemon.client.agent({ id });
  assert.ok(session, "its conversation can be gone on with");
  say(`${works.says}; ${rests.says}; believed: ${works.used} and ${rests.used}`);
}
