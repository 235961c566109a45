import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Delivery, PanewardError } from "@paneward/sdk";
import type { Random } from "../../../../tmux/test/support/random.ts";
import { agentNamed } from "../../../src/agents/registry.ts";
import { planDelivery, withPlainLineEnds } from "../../../src/model/courier/delivery-plan.ts";
import { until } from "../../support/until.ts";
import type { LabAgent } from "../agents/lab-agent.ts";
import type { Bench } from "../bench.ts";
import { percentiles } from "../percentiles.ts";
import { randomText } from "./random-texts.ts";

/** How an agent is found: at rest, at work, with a draft of a person, with that draft deleted, or right after another text. */
const conditions = ["idle", "idle", "idle", "busy", "draft", "right behind"] as const;
type Condition = (typeof conditions)[number];

interface Sent {
  readonly text: string;
  readonly condition: Condition;
  readonly outcome: Delivery | PanewardError;
}

/** What went wrong, by kind: all must stay empty. */
interface Faults {
  readonly lost: string[];
  readonly doubled: string[];
  readonly altered: string[];
  readonly falseReceipts: string[];
}

/**
 * So many random texts in random conditions. Each arrives once and byte for byte (LF at line ends), arrives as its receipt says, or
 * is refused before anything is typed; no receipt says otherwise.
 */
export async function anyTextArrives(
  bench: Bench,
  lab: LabAgent,
  { chance, count, clear, say }: { chance: Random; count: number; clear: readonly string[]; say(line: string): void },
): Promise<void> {
  const agent = agentNamed(lab.name, {});
  assert.ok(agent);
  for (const name of ["notes.txt", "READ.md"]) writeFileSync(join(bench.project, name), "a note\n");
  const faults: Faults = { lost: [], doubled: [], altered: [], falseReceipts: [] };
  const states: Record<string, number> = {};
  const took: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const condition = chance.pick(conditions);
    // A number makes each text another one, so that one is never taken for another.
    const texts = Array.from({ length: condition === "right behind" ? 2 : 1 }, (_, at) => {
      return unlike(randomText(chance), `${number}${at === 0 ? "" : "b"}`);
    });
    await bench.becomes("Idle");
    const before = bench.model.prompts.length;
    const { sent, extra } = await deliver(bench, condition, texts, { clear, number, took });
    const wanted = sent.filter(({ outcome }) => !(outcome instanceof PanewardError)).length + extra.length;
    await until("all has reached the model", () => bench.model.prompts.length >= before + wanted, 60_000).catch(
      () => {},
    );
    await bench.becomes("Idle");
    const got = bench.model.prompts.slice(before).filter((prompt) => !extra.includes(prompt));
    for (const one of sent) judge(agent, one, got, faults, states);
    const own = (prompt: string) => sent.some((one) => arrived(agent, one).includes(prompt));
    for (const prompt of got) if (!own(prompt)) faults.altered.push(`unasked: ${JSON.stringify(prompt.slice(0, 200))}`);
    assert.ok(!existsSync(join(bench.project, "ran")), "a shell ran something");
  }
  say(
    `${count} texts: ${Object.entries(states)
      .map(([state, n]) => `${n} ${state}`)
      .join(", ")}`,
  );
  say(`acknowledged after ${percentiles(took)}`);
  const figures = Object.entries(faults).map(([kind, list]) => `${(list as string[]).length} ${kind}`);
  say(figures.join(", "));
  assert.deepEqual(faults, { lost: [], doubled: [], altered: [], falseReceipts: [] });
}

async function deliver(
  { daemon: { client }, id, model, screen }: Bench,
  condition: Condition,
  texts: readonly string[],
  { clear, number, took }: { readonly clear: readonly string[]; readonly number: number; readonly took: number[] },
): Promise<{ readonly sent: readonly Sent[]; readonly extra: readonly string[] }> {
  const send = async (text: string): Promise<Sent> => {
    const began = performance.now();
    const outcome = await client
      .send({ id, text, ack: 60 })
      .catch((error: unknown) => (error instanceof PanewardError ? error : Promise.reject(error)));
    if (!(outcome instanceof PanewardError) && condition === "idle") took.push(performance.now() - began);
    return { text, condition, outcome };
  };
  if (condition === "busy") {
    const extra = `SLOW 2 work ${number}`;
    await client.send({ id, text: extra, ack: 60 });
    return { sent: [await send(texts[0] ?? "")], extra: model.prompts.includes(extra) ? [extra] : [extra] };
  }
  if (condition === "draft") {
    const draft = `half a thought ${number}`;
    await client.send({ id, text: draft, enter: false });
    await until("the draft is drawn", async () => (await screen()).includes(draft), 60_000);
    const sending = send(texts[0] ?? "");
    await client.send({ id, keys: [...clear] });
    return { sent: [await sending], extra: [] };
  }
  return { sent: await Promise.all(texts.map(send)), extra: [] };
}

type Agent = Parameters<typeof planDelivery>[0];

/** What the model may get of it. */
function arrived(agent: Agent, { text, outcome }: Sent): readonly string[] {
  const plain = withPlainLineEnds(text);
  const plan = planDelivery(agent, { text: plain, enter: true });
  if (outcome instanceof PanewardError || plan.kind === "refused") return [];
  return outcome.changed === undefined ? [plain] : [plan.arrives];
}

function judge(agent: Agent, one: Sent, got: readonly string[], faults: Faults, states: Record<string, number>): void {
  const { outcome, condition, text } = one;
  const name = `${condition}: ${JSON.stringify(text.length > 300 ? `${text.slice(0, 150)}…${text.slice(-150)}` : text)}`;
  const state = outcome instanceof PanewardError ? `refused` : outcome.state;
  states[state] = (states[state] ?? 0) + 1;
  const [wanted = ""] = arrived(agent, one);
  const times = got.filter((prompt) => prompt === wanted && wanted !== "").length;
  if (outcome instanceof PanewardError) {
    if (outcome.code !== "bad_input") faults.falseReceipts.push(`${name} failed: ${outcome.message}`);
    return;
  }
  if (times > 1) faults.doubled.push(name);
  if (times === 1) {
    if (outcome.state !== "acknowledged" && outcome.state !== "unknown")
      faults.falseReceipts.push(`${name} is ${outcome.state}`);
    return;
  }
  // What is not there byte for byte is lost, or it is there otherwise.
  faults.lost.push(
    `${name} is ${outcome.state}: ${outcome.reason}; the model got ${JSON.stringify(got.map((p) => p.slice(0, 200)))}`,
  );
  if (outcome.state === "acknowledged") faults.falseReceipts.push(name);
}

// In front of the last word, where no mark at either end is hidden by it.
function unlike(text: string, number: string): string {
  const middle = text.indexOf(" ", Math.floor(text.length / 2));
  return middle < 0 ? `${text} n${number} ${text}` : `${text.slice(0, middle)} n${number}${text.slice(middle)}`;
}
