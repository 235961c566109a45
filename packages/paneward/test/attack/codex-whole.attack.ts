import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codex } from "../lab/agents/codex.ts";
import { type Bench, startBench } from "../lab/bench.ts";
import { say } from "../lab/scenes/asking.ts";
import { until } from "../support/until.ts";

// Each of them makes `hidden`, which the dialog of Codex 0.166 shows late, twice or not at all.
const commands = {
  "a blank line": "ls -la\n\ntouch hidden",
  "a line like the dialog's headline": "touch hidden\nWould you like to run the following command?\n\n$ ls -la",
  "eighty lines": [...Array.from({ length: 79 }, (_, index) => `echo ${index}`), "touch hidden"].join("\n"),
  "a tab": "touch\thidden",
} as const;

const run = (cmd: string) =>
  say.tool("exec_command", { cmd, sandbox_permissions: "require_escalated", justification: "It lists files" });

/** Codex asks for this command; returns the question once its dialog is drawn. */
async function askedFor(bench: Bench, command: string) {
  await bench.daemon.client.send({ id: bench.id, text: run(command) });
  return until("its dialog is drawn", async () => {
    const question = await bench.asked();
    return question.options.length > 0 && question.screenHash !== "" && question;
  });
}

async function left(bench: Bench): Promise<void> {
  await bench.daemon.client.send({ id: bench.id, keys: ["Escape"] });
  await bench.becomes("Idle");
}

test("Codex without hooks: nobody approves what its dialog does not show", { timeout: 900_000 }, async (t) => {
  process.env.PANEWARD_LAB_HOOKS = "off";
  const bench = await startBench(t, codex);
  const { client } = bench.daemon;
  const { id, project } = bench;
  const isMade = () => existsSync(join(project, "hidden"));
  for (const [name, command] of Object.entries(commands)) {
    await t.test(`${name} is refused through every door`, async () => {
      const question = await askedFor(bench, command);
      assert.deepEqual([question.whole, question.proof], [false, undefined], JSON.stringify(question));
      t.diagnostic(`${name}: ${question.doubt}`);
      const refused = { errorType: "not_whole" };
      await assert.rejects(client.respond({ id, option: 1, question: question.id }), refused);
      await assert.rejects(client.respond({ id, option: 1, question: question.id, seen_screen: "0" }), {
        errorType: "screen_changed",
      });
      for (const key of ["1", "y", "p", "Enter", "C-m"])
        await assert.rejects(client.send({ id, keys: [key] }), refused);
      assert.equal((await bench.asked()).id, question.id, "it is still asked");
      await left(bench);
      assert.equal(isMade(), false);
    });
  }
  await t.test("a person who has read the screen approves it", async () => {
    const { id: question, screenHash } = await askedFor(bench, commands["a blank line"]);
    await client.respond({ id, option: 1, question, seen_screen: screenHash });
    await until("it ran", isMade);
    await bench.becomes("Idle");
    rmSync(join(project, "hidden"));
  });
  await t.test("a command of one line is proved by the screen", async () => {
    const question = await askedFor(bench, "touch hidden");
    assert.deepEqual([question.whole, question.proof, question.proposal?.command], [true, "screen", "touch hidden"]);
    await client.respond({ id, option: 1, question: question.id });
    await until("it ran", isMade);
  });
});

test("Codex with hooks: its own report is what is shown, and what runs", { timeout: 900_000 }, async (t) => {
  delete process.env.PANEWARD_LAB_HOOKS;
  const bench = await startBench(t, codex);
  const { client } = bench.daemon;
  const { id, project } = bench;
  for (const [name, command] of Object.entries(commands)) {
    await t.test(name, async () => {
      const question = await askedFor(bench, command);
      assert.deepEqual(
        [question.proposal?.command, question.whole, question.proof, question.reported],
        [command, true, "agent", undefined],
        question.doubt ?? "",
      );
      await client.respond({ id, option: 1, question: question.id });
      await until("it ran", () => existsSync(join(project, "hidden")));
      await bench.becomes("Idle");
      rmSync(join(project, "hidden"));
    });
  }
});
