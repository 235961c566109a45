import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import type { LabAgent } from "../agents/lab-agent.ts";
import type { Bench } from "../bench.ts";
import { percentiles } from "../percentiles.ts";

export async function arrives({ daemon, model, id, becomes }: Bench, lines: number): Promise<void> {
  const text = Array.from({ length: lines }, (_, n) => `${n + 1}. "quotes" $HOME \`x\` äöü → 日本, what? [y/N] !`).join(
    "\n",
  );
  await becomes("Idle");
  await daemon.client.send({ id, text, ack: 60 });
  await until(`${lines} lines reach the model`, () => model.prompts.includes(text), 60_000).catch((error: unknown) => {
    assert.equal(model.prompts.at(-1), text, String(error));
  });
  assert.equal(model.prompts.filter((prompt) => prompt === text).length, 1);
  await becomes("Idle");
}

export async function draft(bench: Bench, { clear }: LabAgent): Promise<void> {
  const { daemon, model, id, screen, becomes } = bench;
  const { client } = daemon;
  await becomes("Idle");
  await client.send({ id, text: "half a thought", enter: false });
  await until("the draft is drawn", async () => (await screen()).includes("half a thought"), 60_000);
  const { way } = await client.send({ id, text: "after the draft" });
  if (way === "http")
    await until("it arrives beside the draft", () => model.prompts.includes("after the draft"), 60_000);
  else await held(bench, "after the draft");
  await becomes("Idle");
  assert.ok((await screen()).includes("half a thought"));
  await client.send({ id, keys: [...clear] });
  await until("what was held arrives", () => model.prompts.includes("after the draft"), 60_000);
  await becomes("Idle");
  assert.deepEqual(
    model.prompts.filter((prompt) => /half a thought|after the draft/.test(prompt)),
    ["after the draft"],
  );
}

export async function inARow(bench: Bench, count: number, say: (line: string) => void): Promise<void> {
  const { daemon, model, id, becomes } = bench;
  const took: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    await becomes("Idle");
    const began = performance.now();
    const { state, reason } = await daemon.client.send({ id, text: `message ${number}`, ack: 60 });
    took.push(performance.now() - began);
    assert.equal(state, "acknowledged", `message ${number}: ${reason ?? ""}`);
    // It is idle until it begins; opencode asks its model once for two prompts that came before that.
    await until(`message ${number} has arrived`, () => model.prompts.includes(`message ${number}`), 60_000);
  }
  await becomes("Idle");
  const wanted = Array.from({ length: count }, (_, index) => `message ${index + 1}`);
  assert.deepEqual(
    model.prompts.filter((prompt) => /message \d+/.test(prompt)),
    wanted,
  );
  const { deliveries } = await daemon.client.deliveries({ id, limit: 1_000 });
  const receipts = deliveries.filter(({ text }) => wanted.includes(text ?? ""));
  assert.deepEqual(receipts.map(({ text }) => text).toSorted(), wanted.toSorted());
  assert.deepEqual([...new Set(receipts.map(({ state }) => state))], ["acknowledged"]);
  const byHook = receipts.filter(({ reason }) => /hook/.test(reason ?? "")).length;
  const byHttp = receipts.filter(({ way }) => way === "http").length;
  say(
    `acknowledged after ${percentiles(took)}, ${byHook} by a hook, ${byHttp} sent over HTTP; 0 of ${count} lost, 0 doubled`,
  );
}

const stages = ["queued", "held", "typed", "submitted", "acknowledged"];

/** The daemon is killed as soon as a delivery came so far, and the next one goes on with it. */
export async function ofKilledDaemon(bench: Bench, stage: string, say: (line: string) => void): Promise<void> {
  const { daemon, model, id, becomes } = bench;
  const text = `told to a daemon that dies, ${stage}`;
  await becomes("Idle");
  const sending = daemon.client.send({ id, text, ack: 60 }).catch(() => undefined);
  const came = await until(`it is ${stage}`, async () => {
    const state = await stateOf(bench, text);
    return stages.indexOf(state ?? "") >= stages.indexOf(stage) && state;
  });
  await daemon.kill("SIGKILL");
  await sending;
  say(`killed when it was ${came}`);
  await daemon.start();
  await daemon.client.send({ id, text: `told to the next one, ${stage}`, ack: 60 });
  await until("the next one arrives", () => model.prompts.includes(`told to the next one, ${stage}`), 60_000);
  await becomes("Idle");
  assert.deepEqual(
    model.prompts.filter((prompt) => prompt.includes(stage)),
    [text, `told to the next one, ${stage}`],
  );
}

/** Waits until the receipt of these words says that they are held. */
export async function held(bench: Bench, words: string): Promise<void> {
  await until(`"${words}" is held`, async () => (await stateOf(bench, words)) === "held");
}

async function stateOf({ daemon, id }: Bench, words: string): Promise<string | undefined> {
  const { deliveries } = await daemon.client.deliveries({ id, limit: 5 });
  return deliveries.find(({ text }) => text === words)?.state;
}
