import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../support/until.ts";
import type { LabAgent } from "./agents/lab-agent.ts";
import { type Bench, startBench } from "./bench.ts";
import { percentiles } from "./percentiles.ts";

/** What a real agent needs to be asked for, in its own tools' words. */
export interface Words {
  /** A prompt that makes it ask for leave to run this. */
  readonly run: (command: string) => string;
  /** A prompt that makes it ask which color, where it can. */
  readonly ask?: string;
  /** Keys that empty its input line. */
  readonly clear: readonly string[];
}

const deliveries = Number(process.env.PANEWARD_LAB_DELIVERIES ?? 100);

/** The promises of the agents' issue, kept on the real program. */
export function provedOn(lab: LabAgent, words: Words): void {
  test(`${lab.name}, the real program`, { timeout: 1_800_000 }, async (t) => {
    const bench = await startBench(t, lab);
    for (const lines of [1, 40, 400]) {
      await t.test(`a prompt of ${lines} lines arrives byte for byte`, () => arrives(bench, lines));
    }
    await t.test("its status is told at most a second late", (tt) => statusTrace(bench, (line) => tt.diagnostic(line)));
    await t.test("a half-typed draft survives, and what waits for it arrives once it is gone", () =>
      draft(bench, words),
    );
    await t.test(`${deliveries} deliveries in a row, each acknowledged and arriving once`, (tt) =>
      inARow(lab.name, bench, (line) => tt.diagnostic(line)),
    );
    await t.test("the daemon killed before a receipt: nothing is typed twice", () => killed(bench));
    if (words.run("") !== "") await t.test("permissions", () => permissions(bench, words));
    if (words.ask !== undefined) await t.test("questions", () => questions(bench, words.ask ?? ""));
  });
}

async function arrives({ daemon, model, id, becomes }: Bench, lines: number): Promise<void> {
  const text = Array.from({ length: lines }, (_, n) => `${n + 1}. "quotes" $HOME \`x\` äöü → 日本, what? [y/N] !`).join(
    "\n",
  );
  await becomes("Idle");
  await daemon.client.send({ id, text, ack: 60 });
  await until(`${lines} lines reach the model`, () => model.prompts.includes(text), 60_000).catch((error: unknown) => {
    assert.equal(model.prompts.at(-1), text, String(error));
  });
  await becomes("Idle");
}

async function permissions(bench: Bench, { run }: Words): Promise<void> {
  const { daemon, id, project, becomes, asked, screen } = bench;
  const { client } = daemon;
  const made = (name: string) => existsSync(join(project, name));
  const respond = async (option: number) => client.respond({ id: await agentOf(bench), option });

  await client.send({ id, text: run("touch approved") });
  const first = await asked();
  assert.match(first.proposal?.command ?? "", /touch approved/);
  await respond(1);
  await until("the command ran", () => made("approved"), 60_000);
  await becomes("Idle");

  await client.send({ id, text: run("touch denied") });
  const second = await asked();
  const no = second.options.findLast(({ label }) => /^(No|Reject|Cancel)/.test(label));
  assert.ok(no, `an option that refuses: ${JSON.stringify(second.options)}`);
  await respond(no.number);
  await becomes("Idle");
  assert.equal(made("denied"), false);

  await client.send({ id, text: run("touch escaped") });
  await asked();
  const sending = client.send({ id, text: "this must not approve it" });
  await heldIn(daemon, id, "this must not approve it");
  assert.ok((await client.questions({})).questions.length === 1, await screen());
  assert.equal(made("escaped"), false);
  await client.send({ id, keys: ["Escape"] });
  await until("what was held arrives", () => bench.model.prompts.at(-1)?.includes("this must not approve it"), 60_000);
  await sending;
  await becomes("Idle");
  assert.equal(made("escaped"), false);
}

async function questions(bench: Bench, ask: string): Promise<void> {
  const { daemon, id, becomes, asked, screen } = bench;
  for (const [answer, word] of [
    [{ option: 2 }, "Blue"],
    [{ mode: "other" as const, text: "Green" }, "Green"],
  ] as const) {
    await daemon.client.send({ id, text: ask });
    const question = await asked();
    assert.equal(question.text, "Which color do you like best?");
    await daemon.client.respond({ id: await agentOf(bench), ...answer });
    await until(`${word} is the answer`, async () => new RegExp(`It gave.*${word}`, "s").test(await screen()), 60_000);
    await becomes("Idle");
  }
}

async function statusTrace({ daemon, model, id, status, becomes }: Bench, say: (line: string) => void): Promise<void> {
  const before = model.prompts.length;
  await daemon.client.send({ id, text: "SLOW 6" });
  await until("the model was asked", () => model.prompts.length > before, 60_000);
  const asked = performance.now();
  await until("it is said to work", async () => (await status()) === "Running", 60_000);
  const working = performance.now() - asked;
  await until("the model has answered", () => model.answered >= model.prompts.length, 60_000);
  const answered = performance.now();
  await becomes("Idle");
  const idle = performance.now() - answered;
  say(`working ${Math.round(working)} ms after the model was asked, idle ${Math.round(idle)} ms after it had answered`);
  assert.ok(working < 1_000 && idle < 1_000, `${working} ms, ${idle} ms`);
}

async function draft({ daemon, model, id, screen, becomes }: Bench, { clear }: Words): Promise<void> {
  const { client } = daemon;
  await becomes("Idle");
  await client.send({ id, text: "half a thought", enter: false });
  await until("the draft is drawn", async () => (await screen()).includes("half a thought"), 60_000);
  const sending = client.send({ id, text: "after the draft" });
  await heldIn(daemon, id, "after the draft");
  assert.ok((await screen()).includes("half a thought"));
  await client.send({ id, keys: [...clear] });
  await until("what was held arrives", () => model.prompts.at(-1) === "after the draft", 60_000);
  await sending;
  await becomes("Idle");
}

async function inARow(name: string, { daemon, model, id, becomes }: Bench, say: (line: string) => void): Promise<void> {
  const took: number[] = [];
  for (let number = 1; number <= deliveries; number += 1) {
    await becomes("Idle");
    const began = performance.now();
    const { state, reason } = await daemon.client.send({ id, text: `message ${number}`, ack: 60 });
    took.push(performance.now() - began);
    assert.equal(state, "acknowledged", `message ${number}: ${reason ?? ""}`);
  }
  await until("all have arrived", () => model.prompts.includes(`message ${deliveries}`), 60_000);
  const arrived = model.prompts.filter((prompt) => /^message \d+$/.test(prompt));
  assert.deepEqual(
    arrived,
    Array.from({ length: deliveries }, (_, index) => `message ${index + 1}`),
  );
  say(`${name}: acknowledged after ${percentiles(took)}`);
}

async function killed({ daemon, model, id, becomes }: Bench): Promise<void> {
  await becomes("Idle");
  const sending = daemon.client.send({ id, text: "told to a daemon that dies", ack: 60 }).catch(() => undefined);
  await until("it is on its way", async () => {
    const { deliveries: known } = await daemon.client.deliveries({ id, limit: 1 });
    return known.some(({ text, state }) => text === "told to a daemon that dies" && state !== "queued");
  });
  await daemon.kill("SIGKILL");
  await sending;
  await daemon.start();
  await becomes("Idle");
  await daemon.client.send({ id, text: "told to the next one", ack: 60 });
  await until("the next one arrives", () => model.prompts.includes("told to the next one"), 60_000);
  const times = model.prompts.filter((prompt) => prompt.includes("told to a daemon that dies")).length;
  assert.ok(times <= 1, `${times} times`);
}

/** A call waits with its delivery; the receipt says meanwhile that it is held. */
async function heldIn({ client }: Bench["daemon"], id: string, words: string): Promise<void> {
  await until(`"${words}" is held`, async () => {
    const { deliveries: known } = await client.deliveries({ id, limit: 5 });
    return known.some(({ text, state }) => text === words && state === "held");
  });
}

async function agentOf({ daemon, id }: Bench): Promise<string> {
  const { agents } = await daemon.client.agents({});
  const agent = agents.find(({ terminal }) => terminal === id);
  assert.ok(agent, "the daemon knows the agent in this terminal");
  return agent.id;
}
