import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Question } from "@paneward/sdk";
import { until } from "../../support/until.ts";
import type { Bench } from "../bench.ts";
import type { AskingCommand, Words } from "../words.ts";
import { held } from "./deliveries.ts";

export async function permissions(bench: Bench, { run, dialog = /./, overHttp }: Words): Promise<void> {
  const { daemon, model, id, project, becomes, asked, screen } = bench;
  const { client } = daemon;
  const made = (name: string) => existsSync(join(project, name));

  const opened = async () => (await client.events({ limit: 10_000, types: "question_opened" })).events.length;
  const before = await opened();
  await client.send({ id, text: run("touch approved") });
  const first = await asked();
  assert.match(first.proposal?.command ?? "", /touch approved/);
  await client.respond({ id: await agentOf(bench), option: 1, ...asRead(first) });
  if (overHttp) await cameOverHttp(bench, first.id);
  await until("the command ran", () => made("approved"), 60_000);
  await becomes("Idle");

  await client.send({ id, text: run("touch denied") });
  const refusing = /^(No|Reject|Cancel)/;
  const no = await until("an option refuses", async () =>
    (await asked()).options.findLast(({ label }) => refusing.test(label)),
  );
  const second = await asked();
  await client.respond({ id: await agentOf(bench), option: no.number, question: second.id });
  if (overHttp) await cameOverHttp(bench, second.id);
  await becomes("Idle");
  assert.equal(made("denied"), false);

  const meanwhile = "this must not approve it";
  await client.send({ id, text: run("touch escaped") });
  const third = await asked();
  await client.send({ id, text: meanwhile });
  await held(bench, meanwhile);
  const { questions: open } = await client.questions({});
  assert.deepEqual(
    open.map((question) => question.id),
    [third.id],
    await screen(),
  );
  assert.equal(made("escaped"), false);
  await leaveDialog(bench, dialog);
  await until("what was held arrives", () => model.prompts.at(-1)?.includes(meanwhile), 60_000);
  await becomes("Idle");
  assert.equal(made("escaped"), false);
  assert.equal(model.prompts.filter((prompt) => prompt.includes(meanwhile)).length, 1);
  // Its stream and its screen tell of the same three dialogs.
  if (overHttp) assert.equal((await opened()) - before, 3);
}

/** As a person who answers this question, and has read the screen of one that is not proved whole. */
function asRead({ id, whole, screenHash }: Question) {
  return { question: id, ...(whole === false && { seen_screen: screenHash }) };
}

/** The receipt says that the agent took it, and no key was pressed. */
async function cameOverHttp({ daemon, id }: Bench, question: string): Promise<void> {
  const { deliveries } = await daemon.client.deliveries({ id, limit: 10 });
  const { state, reason } = deliveries.find((one) => one.question === question) ?? {};
  assert.deepEqual([state, reason], ["acknowledged", "the agent took it"]);
}

export async function questions(bench: Bench, ask: string, { askingMode: mode, overHttp }: Words): Promise<void> {
  const { daemon, id, becomes, asked, screen } = bench;
  if (mode !== undefined) await daemon.client.send({ id, text: mode, command: true, ack: 60 });
  for (const [answer, word] of [
    [{ option: 2 }, "Blue"],
    [{ mode: "other" as const, text: "Green" }, "Green"],
  ] as const) {
    await daemon.client.send({ id, text: ask });
    const question = await asked();
    assert.equal(question.text, "Which color do you like best?");
    await daemon.client.respond({ id: await agentOf(bench), question: question.id, ...answer });
    if (overHttp) await cameOverHttp(bench, question.id);
    await until(`${word} is the answer`, async () => new RegExp(`It gave.*${word}`, "s").test(await screen()), 60_000);
    await becomes("Idle");
  }
}

export async function extensionQuestions(bench: Bench, commands: readonly AskingCommand[]): Promise<void> {
  const { daemon, id, project, becomes, asked } = bench;
  const { client } = daemon;
  const notes = join(project, "given");
  const given = () => (existsSync(notes) ? readFileSync(notes, "utf8").split("\n").slice(0, -1) : []);
  for (const [at, one] of commands.entries()) {
    await client.send({ id, text: one.command, command: true });
    const question = await asked();
    assert.equal(question.text, one.asks);
    const { status } = await client.respond({ id: await agentOf(bench), question: question.id, ...one.answer });
    assert.equal(status, "ok");
    await until(`${one.command} was given its answer`, () => given().length > at, 60_000);
    assert.deepEqual(JSON.parse(given()[at] ?? ""), one.given);
    await becomes("Idle");
  }
  await client.send({ id, text: commands[0]?.command ?? "", command: true });
  await asked();
  await client.send({ id, keys: ["Escape"] });
  await until("it was left", () => given().length > commands.length, 60_000);
  assert.equal(given().at(-1), "null");
  await becomes("Idle");
  assert.deepEqual((await client.questions({})).questions, []);
}

export async function approvedPlan(bench: Bench, { prompt, asks, told }: NonNullable<Words["plan"]>): Promise<void> {
  const { daemon, model, id, becomes, asked } = bench;
  await daemon.client.send({ id, text: prompt });
  const question = await asked();
  assert.deepEqual([question.kind, question.text], ["plan", asks]);
  await daemon.client.respond({ id: await agentOf(bench), option: 1, ...asRead(question) });
  await until("it goes to work", () => model.prompts.at(-1) === told, 60_000);
  await becomes("Idle");
  assert.deepEqual((await daemon.client.questions({})).questions, []);
}

/** The daemon is killed while an answer is on its way; whoever finds the question open afterwards answers it again. */
export async function answerOfKilledDaemon(bench: Bench, { run }: Words, say: (line: string) => void): Promise<void> {
  const { daemon, model, id, project, becomes, asked } = bench;
  const ledger = join(project, "ledger");
  const yes = async () => {
    const [open] = (await daemon.client.questions({})).questions;
    const read = open ? asRead(open) : {};
    return daemon.client.respond({ id: await agentOf(bench), option: 1, ...read }).catch(() => undefined);
  };
  await daemon.client.send({ id, text: run("echo once >> ledger") });
  const question = await asked();
  const answering = yes();
  const receipt = await until("the answer is on its way", async () => {
    const { deliveries } = await daemon.client.deliveries({ id, limit: 5 });
    return deliveries.find((one) => one.question === question.id && one.state !== "queued");
  });
  await daemon.kill("SIGKILL");
  await answering;
  await daemon.start();
  let again = 0;
  await until(
    "the command ran",
    async () => {
      if (existsSync(ledger)) return true;
      const { questions: open } = await daemon.client.questions({});
      if (open.length > 0 && (await yes())) again += 1;
      return false;
    },
    60_000,
  );
  say(`killed when the answer was ${receipt.state}; answered again ${again} times`);
  await becomes("Idle");
  await daemon.client.send({ id, text: "after the answer", ack: 60 });
  // A key that was pressed once more would stand in front of it.
  await until("the next prompt arrives", () => model.prompts.at(-1) === "after the answer", 60_000);
  await becomes("Idle");
  assert.equal(readFileSync(ledger, "utf8"), "once\n");
}

/** Leaves a dialog as soon as it is drawn. Claude Code's are deaf then; the courier waits until they take keys. */
export async function leaveDialog({ daemon, id, screen }: Bench, dialog: RegExp): Promise<void> {
  await until("the dialog is drawn", async () => dialog.test(await screen()), 60_000);
  await daemon.client.send({ id, keys: ["Escape"] });
}

async function agentOf({ daemon, id }: Bench): Promise<string> {
  const { agents } = await daemon.client.agents({});
  const agent = agents.find(({ terminal }) => terminal === id);
  assert.ok(agent, "the daemon knows the agent in this terminal");
  return agent.id;
}
