import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EventData, PanewardError } from "@paneward/sdk";
import type { Random } from "../../../../tmux/test/support/random.ts";
import type { Agent } from "../../../src/agents/agent.ts";
import { trimmedEnds } from "../../../src/agents/delivery.ts";
import { agentNamed } from "../../../src/agents/registry.ts";
import { withPlainLineEnds } from "../../../src/model/courier/delivery-plan.ts";
import { until } from "../../support/until.ts";
import type { LabAgent } from "../agents/lab-agent.ts";
import type { Bench } from "../bench.ts";
import type { Words } from "../words.ts";
import { randomCondition, type Sent, sendIn } from "./conditions.ts";
import { type Fault, judged, Tally } from "./judged.ts";
import { randomText } from "./random-texts.ts";

export interface AnyText {
  readonly words: Words;
  readonly chance: Random;
  readonly count: number;
  say(line: string): void;
  /** At once, also in a run that does not come to its end. */
  log(line: string): void;
}

/**
 * So many random texts in random conditions. Each arrives once and byte for byte (LF at line ends), arrives as its receipt says, or
 * is refused before anything is typed; no receipt says otherwise.
 */
export async function anyTextArrives(bench: Bench, lab: LabAgent, run: AnyText): Promise<void> {
  const { words, chance, count, say, log } = run;
  const agent = agentNamed(lab.name, {});
  assert.ok(agent);
  for (const name of ["notes.txt", "READ.md"]) writeFileSync(join(bench.project, name), "a note\n");
  const tally = new Tally();
  while (tally.texts < count) {
    const number = tally.texts + 1;
    const condition = randomCondition(chance);
    const length = condition === "right behind" ? 2 : 1;
    const texts = Array.from({ length }, (_, at) => randomText(chance, `${number + at}`));
    await bench.becomes("Idle");
    const before = bench.model.prompts.length;
    const scenario = { bench, lab, words, chance, number };
    const unready: Fault[] = [];
    const { sent, extra } = await sendIn(condition, texts, scenario).catch((error: unknown) => {
      unready.push({ kind: "lost", what: `what brings it into the condition: ${error}` });
      return { sent: [], extra: [] };
    });
    if (unready.length === 0) await allArrived(bench, before + extra.length + sent.filter(isTaken).length);
    const got = bench.model.prompts.slice(before);
    const hasRun = existsSync(join(bench.project, "ran"));
    const faults = unready.length > 0 ? unready : judged(sent.map(claimOf(agent)), { got, extra, hasRun });
    tally.add(sent, faults);
    const lines = [
      ...sent.map((one) => lineOf(number, one)),
      ...faults.map(({ kind, what }) => `FAULT ${kind} ${condition} text ${number}: ${what}`),
      ...(number % 50 < length || tally.texts >= count ? tally.lines() : []),
    ];
    for (const line of lines) log(line);
    for (const line of await stepsOf(bench, sent)) log(line);
    if (faults.length > 0) await startAgain(bench, log);
    assert.ok(tally.faults.length < maxFaults, "too much goes wrong");
  }
  for (const line of tally.lines()) say(line);
  assert.deepEqual(tally.faults, []);
}

const maxFaults = 40;

// Of these the log also has what held them.
const slowMs = 4_000;

async function stepsOf({ daemon }: Bench, sent: readonly Sent[]): Promise<readonly string[]> {
  const slow = sent.flatMap(({ ms, outcome }) => (ms > slowMs && !(outcome instanceof PanewardError) ? [outcome] : []));
  if (slow.length === 0) return [];
  const { events } = await daemon.client.events({ types: "delivery_updated", limit: 10_000 });
  return slow.flatMap(({ id, createdAt, text }) => [
    `  it began with ${JSON.stringify(text?.slice(0, 60))}`,
    ...events.flatMap(({ at, data }) => {
      const { delivery, state, reason = "" } = data as EventData["delivery_updated"];
      return delivery === id ? [`  after ${at - createdAt} ms ${state} ${reason}`] : [];
    }),
  ]);
}

/** What is left of a lost text must not hold the texts behind it. */
async function startAgain({ daemon, id, screen }: Bench, log: AnyText["log"]): Promise<void> {
  log(await screen());
  await daemon.client.restart({ id });
}

// opencode asks its model up to a minute after it took the first prompt of a start, on a busy machine.
const arrivalMs = 75_000;

const isTaken = ({ outcome }: Sent) => !(outcome instanceof PanewardError);

/** Waits until so many prompts have reached the model and it rests. After that the prompts say what is missing. */
async function allArrived({ model, status }: Bench, count: number): Promise<void> {
  const rests = async () => model.prompts.length >= count && (await status()) === "Idle";
  await until("all has reached the model", rests, arrivalMs).catch(() => {});
}

function lineOf(number: number, { condition, text, outcome, ms }: Sent): string {
  const state = outcome instanceof PanewardError ? outcome.code : [outcome.state, outcome.way].join(" ").trim();
  return `text ${number}, ${condition}, ${text.length} characters: ${state} after ${Math.round(ms)} ms`;
}

/** What the receipt of a text claims of what the model gets. */
function claimOf({ deliver }: Agent) {
  return (one: Sent) => {
    if (one.outcome instanceof PanewardError) return { ...one, claims: undefined };
    const { changed = "" } = one.outcome;
    const own = deliver?.changes ?? [];
    const usual = own.some(({ what }) => what === trimmedEnds.what) ? [] : [trimmedEnds];
    const named = [...own, ...usual].filter(({ what }) => changed.includes(what));
    return { ...one, claims: named.reduce((text, { of }) => of(text), withPlainLineEnds(one.text)) };
  };
}
