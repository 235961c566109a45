import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { random } from "../../../tmux/test/support/random.ts";
import { createAgentHttp } from "../../src/system/agent-http.ts";
import { paneward } from "../cli/support/cli.ts";
import { startDaemon } from "../support/daemon.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

const kills = process.env.PANEWARD_SOAK ? 100 : 5;

test("an agent that takes prompts over HTTP gets them there", { timeout: 1_800_000 }, async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const agent = scriptedAgent(folder, "opencode", { name: "told" });
  const port = await createAgentHttp().freePort([]);
  const argv = [...agent.argv, "--port", String(port), "--hostname", "127.0.0.1"];
  const env = { OPENCODE_SERVER_PASSWORD: "secret" };
  const { id } = await client.run({ argv, env, cwd: folder, columns: 100, rows: 30 });
  await agent.noted("ready");
  const file = (what: "late" | "hold") => join(folder, "scripted-told", `notes.jsonl.${what}`);
  const posted = () => agent.notes().filter(({ kind }) => kind === "posted").length;
  const receiptOf = async (text: string) =>
    (await client.deliveries({ id, limit: 50 })).deliveries.find((one) => one.text === text);
  const rests = () =>
    until("it rests", async () =>
      (await client.ps({})).terminals.some((one) => one.id === id && one.status === "Idle"),
    );

  await t.test("the first one is typed: no conversation is known; the next ones are not", async () => {
    const first = await client.send({ id, text: "the first", ack: 30 });
    assert.deepEqual([first.state, first.way], ["acknowledged", undefined]);
    await rests();
    for (const text of ["what is @", "/help me", "!touch ran"]) {
      const { state, way, reason, changed } = await client.send({ id, text, ack: 30 });
      assert.deepEqual(
        [state, way, reason, changed],
        ["acknowledged", "http", "its event stream reported it", undefined],
      );
    }
    assert.deepEqual(agent.prompts(), ["the first", "what is @", "/help me", "!touch ran"]);
    await rests();
  });

  await t.test("a draft stays; receipt and explain say the way", async () => {
    await client.send({ id, text: "half a thought", enter: false, ack: 30 });
    const sent = await paneward(["send", id, "beside it"], { env: daemon.env });
    assert.match(sent.stdout, /: acknowledged over HTTP \(its event stream reported it\)/);
    assert.match((await client.screen({ id })).lines.join("\n"), /half a thought/);
    assert.equal((await client.explain({ id })).delivery?.way, "http");
    const explained = await paneward(["explain", id], { env: daemon.env });
    assert.match(explained.stdout, /last text: acknowledged over HTTP/);
    await client.send({ id, keys: ["C-u"] });
    await rests();
  });

  await t.test("an open question holds it, and it approves nothing", async () => {
    await client.send({ id, text: "RUN: touch held", ack: 30 });
    const question = await until("it asks", async () =>
      (await client.questions({})).questions.find((one) => one.request !== undefined && one.screenHash !== ""),
    );
    assert.equal((await client.send({ id, text: "this approves nothing" })).state, "held");
    const before = posted();
    assert.equal((await client.questions({})).questions[0]?.id, question.id);
    await client.respond({ id, option: 3, question: question.id });
    await until("it arrives", () => agent.prompts().includes("this approves nothing"));
    assert.equal(posted(), before + 1);
    assert.deepEqual(
      agent.notes().filter(({ kind }) => kind === "approved"),
      [],
    );
    await rests();
  });

  await t.test(
    "the daemon is killed before the request is answered: the prompt is found, and not sent again",
    async () => {
      writeFileSync(file("hold"), "");
      const before = posted();
      const sending = client.send({ id, text: "taken", ack: 30 }).catch(() => undefined);
      await until("it is taken", () => agent.prompts().includes("taken"));
      await daemon.kill("SIGKILL");
      await sending;
      rmSync(file("hold"));
      await daemon.start();
      await until("its receipt says so", async () => (await receiptOf("taken"))?.state === "acknowledged");
      await client.send({ id, text: "the next", ack: 30 });
      assert.deepEqual([posted(), agent.prompts().slice(-2)], [before + 2, ["taken", "the next"]]);
      await rests();
    },
  );

  await t.test("or before it was taken: nobody knows, until it is; it is not sent again", async () => {
    writeFileSync(file("late"), "");
    const before = posted();
    const sending = client.send({ id, text: "read", ack: 30 }).catch(() => undefined);
    await until("it is read", () => posted() > before);
    assert.deepEqual([(await receiptOf("read"))?.state, (await receiptOf("read"))?.way], ["submitted", "http"]);
    await daemon.kill("SIGKILL");
    await sending;
    await daemon.start();
    await until("nobody knows", async () => (await receiptOf("read"))?.state === "unknown");
    rmSync(file("late"));
    await until("it is told", async () => (await receiptOf("read"))?.state === "acknowledged");
    assert.equal(agent.prompts().filter((text) => text === "read").length, 1);
    assert.equal(posted(), before + 1);
  });

  await t.test(`killed ${kills} times at random: no prompt comes twice, and no receipt claims too much`, async (tt) => {
    const chance = random(tt);
    const told: string[] = [];
    for (let at = 0; at < kills; at++) {
      const text = `prompt ${at} of many`;
      const sending = client.send({ id, text, idempotency_key: text }).catch(() => undefined);
      await delay(chance.below(120));
      await daemon.kill("SIGKILL");
      await sending;
      await daemon.start();
      await client.send({ id, text, idempotency_key: text });
      const state = await until("its receipt is final", async () => {
        const now = (await receiptOf(text))?.state;
        return now === "acknowledged" || now === "unknown" ? now : undefined;
      });
      const came = agent.prompts().filter((one) => one === text).length;
      assert.ok(came === 1 || (came === 0 && state === "unknown"), `${text} is ${state} and came ${came} times`);
      told.push(`${(await receiptOf(text))?.way} ${state}, came ${came} times`);
    }
    const ways = [...new Set(told)].map((one) => `${told.filter((other) => other === one).length} ${one}`);
    tt.diagnostic(ways.join(", "));
  });
});
