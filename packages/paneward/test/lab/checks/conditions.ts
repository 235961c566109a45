import { type Client, type Delivery, PanewardError } from "@paneward/sdk";
import type { Random } from "../../../../tmux/test/support/random.ts";
import { until } from "../../support/until.ts";
import type { LabAgent } from "../agents/lab-agent.ts";
import type { Bench } from "../bench.ts";
import type { Words } from "../words.ts";

/** How an agent is found by a text. */
export const conditions = ["idle", "busy", "draft", "dialog", "right behind", "fresh"] as const;
export type Condition = (typeof conditions)[number];

/** A restart takes as long as ten texts. */
const weights: Readonly<Record<Condition, number>> = {
  idle: 20,
  busy: 6,
  draft: 4,
  dialog: 4,
  "right behind": 4,
  fresh: 1,
};

export function randomCondition(chance: Random): Condition {
  return chance.pick(conditions.flatMap((one) => Array<Condition>(weights[one]).fill(one)));
}

export interface Sent {
  readonly text: string;
  readonly condition: Condition;
  readonly outcome: Delivery | PanewardError;
  readonly ms: number;
}

export interface Scenario {
  readonly bench: Bench;
  readonly lab: LabAgent;
  readonly words: Words;
  readonly chance: Random;
  readonly number: number;
}

/** Brings the agent into the condition, sends the texts, and ends the condition. `extra` are the prompts that this took. */
export async function sendIn(
  condition: Condition,
  texts: readonly string[],
  scenario: Scenario,
): Promise<{ readonly sent: readonly Sent[]; readonly extra: readonly string[] }> {
  const { bench, number } = scenario;
  const { client } = bench.daemon;
  const { id } = bench;
  const sendAll = () => Promise.all(texts.map((text) => send(bench, condition, text)));
  if (condition === "busy") {
    const extra = `SLOW 1 work ${number}`;
    await client.send({ id, text: extra, ack: 60 });
    return { sent: await sendAll(), extra: [extra] };
  }
  if (condition === "draft") return { sent: await behindDraft(scenario, sendAll), extra: [] };
  if (condition === "dialog") return behindDialog(scenario, sendAll);
  if (condition === "fresh") await client.restart({ id });
  return { sent: await sendAll(), extra: [] };
}

async function send({ daemon: { client }, id }: Bench, condition: Condition, text: string): Promise<Sent> {
  const began = performance.now();
  const outcome = await client
    .send({ id, text, ack: 60 })
    .then((receipt) => lastOf(client, receipt))
    .catch((error: unknown) => (error instanceof PanewardError ? error : Promise.reject(error)));
  return { text, condition, outcome, ms: performance.now() - began };
}

/** The receipt once it is final: opencode may start for a minute. */
async function lastOf(client: Client, receipt: Delivery): Promise<Delivery> {
  const { id, terminal } = receipt;
  const now = async () => {
    const { deliveries } = await client.deliveries({ id: terminal, limit: 10 });
    return deliveries.find((one) => one.id === id) ?? receipt;
  };
  return until(
    "the receipt is final",
    async () => {
      const one = await now();
      return ["acknowledged", "unknown", "failed"].includes(one.state) && one;
    },
    60_000,
  ).catch(now);
}

async function behindDraft(
  { bench, lab, chance, number }: Scenario,
  sendAll: () => Promise<readonly Sent[]>,
): Promise<readonly Sent[]> {
  const { daemon, id, screen } = bench;
  const draft = `half a thought ${number}`;
  await daemon.client.send({ id, text: draft, enter: false });
  await until("the draft is drawn", async () => (await screen()).includes(draft), 60_000);
  const sending = sendAll();
  if (chance.below(2) === 0) await heldOrOver(bench, sending);
  await daemon.client.send({ id, keys: [...lab.clear] });
  return sending;
}

async function behindDialog(
  { bench, words, number }: Scenario,
  sendAll: () => Promise<readonly Sent[]>,
): Promise<{ readonly sent: readonly Sent[]; readonly extra: readonly string[] }> {
  const { daemon, id, asked } = bench;
  const prompt = words.run(`touch denied${number}`);
  const command = words.commands?.[0]?.command;
  const text = prompt === "" ? command : prompt;
  if (text === undefined) throw new Error("nothing makes this agent ask");
  await daemon.client.send({ id, text, command: prompt === "" });
  const refusing = /^(No|Reject|Cancel)/;
  const question = await until("it can be refused", async () => {
    const one = await asked();
    return (prompt === "" || one.options.some(({ label }) => refusing.test(label))) && one;
  });
  const sending = sendAll();
  await heldOrOver(bench, sending);
  const option = question.options.findLast(({ label }) => refusing.test(label))?.number ?? 1;
  await daemon.client.respond({ id, option, question: question.id });
  return { sent: await sending, extra: prompt === "" ? [] : [prompt] };
}

/** Waits until a text is held, unless all were refused. */
async function heldOrOver({ daemon, id }: Bench, sending: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  sending.then(over, over);
  const isHeld = async () => {
    const { deliveries } = await daemon.client.deliveries({ id, limit: 5 });
    return deliveries.some(({ state }) => state === "held");
  };
  await until("a text is held", async () => isOver || (await isHeld()), 60_000);
}
