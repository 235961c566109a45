import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { type AgentKind, scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

test("a question is answered once, by the first answer, and only while it is the same", async (t) => {
  const { client, folder } = await startDaemon(t);
  const asking = async (kind: AgentKind, name: string, prompt: string) => {
    const agent = scriptedAgent(folder, kind, { name });
    const { id } = await client.run({ argv: [...agent.argv], cwd: folder, columns: 100, rows: 30 });
    await agent.noted("ready");
    await client.send({ id, text: prompt });
    const question = () =>
      until(`${name} asks`, async () => (await client.questions({})).questions.find(({ terminal }) => terminal === id));
    return { ...agent, id, question };
  };

  for (const kind of ["claude", "codex", "gemini"] as const) {
    await t.test(`${kind}: the first option lets the command run, and a turn says who answered`, async () => {
      const agent = await asking(kind, `yes-${kind}`, `RUN: touch yes-${kind}`);
      const question = await agent.question();
      assert.equal(existsSync(join(folder, `yes-${kind}`)), false);
      const isProved = kind !== "gemini";
      assert.equal(question.whole, isProved, question.doubt ?? "");
      const given = { id: agent.id, option: 1, question: question.id };
      if (!isProved) {
        await assert.rejects(client.respond(given), { code: "wrong_state", errorType: "not_whole" });
        await assert.rejects(client.respond({ ...given, seen_screen: "0" }), { errorType: "screen_changed" });
        await assert.rejects(client.send({ id: agent.id, keys: ["1"] }), { errorType: "not_whole" });
        assert.equal((await agent.question()).state, "open");
      }
      const answer = await client.respond({ ...given, ...(!isProved && { seen_screen: question.screenHash }) });
      assert.deepEqual([answer.status, answer.mode, answer.new_state], ["ok", "select", "processing"]);
      await agent.noted("ran");
      const { turns } = await client.turns({ id: agent.id });
      const mine = turns.find(({ actor, intent }) => actor === "user" && intent === "answer");
      assert.deepEqual([mine?.question, mine?.delivery], [question.id, answer.delivery_id]);
      await assert.rejects(client.respond({ id: agent.id, option: 1, question: question.id }), {
        code: /conflict|wrong_state/,
      });
      assert.equal(agent.notes().filter(({ kind: noted }) => noted === "ran").length, 1);
    });
  }

  await t.test("two answers at once: one wins, the other is refused, and the command runs once", async () => {
    const agent = await asking("claude", "race", "RUN: echo once >> raced");
    const question = await agent.question();
    const both = await Promise.allSettled(
      [1, 1].map((option) => client.respond({ id: agent.id, option, question: question.id })),
    );
    const lost = both.filter((one) => one.status === "rejected");
    assert.equal(lost.length, 1);
    assert.match(String(lost[0]?.reason), /answer|closed/);
    await agent.noted("stopped");
    assert.equal(agent.notes().filter(({ kind }) => kind === "ran").length, 1);
  });

  await t.test("words of one's own answer a choice", async () => {
    const agent = await asking("claude", "own", "ASK");
    const question = await agent.question();
    assert.equal(question.freeText, true);
    await client.respond({ id: agent.id, text: "Green, please" });
    const { answer } = await agent.noted("answered");
    assert.deepEqual([answer?.kind, answer?.text], ["text", "Green, please"]);
  });

  await t.test("a plain program's question is answered too", async () => {
    const script = `printf 'Delete everything? [y/N] '; read x; printf '%s' "$x" > plain; sleep 1000`;
    const { id } = await client.run({ argv: ["sh", "-c", script], cwd: folder });
    await until("it asks", async () => (await client.questions({})).questions.find(({ terminal }) => terminal === id));
    await client.respond({ id, text: "n" });
    await until("it read the answer", () => existsSync(join(folder, "plain")));
  });
});
