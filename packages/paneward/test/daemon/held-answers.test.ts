import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

test("an answer that is held when the daemon is killed is given afterwards, or its receipt says why not", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-S", daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "", ...args]);
  const asked = (id: string) =>
    until(`${id} asks`, async () => (await client.questions({})).questions.find(({ terminal }) => terminal === id));
  const held = async (id: string, pane: string, answer: { readonly option?: number; readonly text?: string }) => {
    const question = await asked(id);
    tmux("copy-mode", "-t", pane);
    const { status, delivery_id = "" } = await client.respond({ id, question: question.id, ...answer });
    assert.equal(status, "queued");
    return { id, pane, question, delivery: delivery_id };
  };
  const agent = async (name: string, prompt: string) => {
    const scripted = scriptedAgent(folder, "claude", { name });
    const { id, pane = "" } = await client.run({ argv: [...scripted.argv], cwd: folder, columns: 100, rows: 30 });
    await scripted.noted("ready");
    await client.send({ id, text: prompt });
    return { ...scripted, ...(await held(id, pane, { option: 1 })) };
  };
  const receipt = async ({ id, delivery }: { readonly id: string; readonly delivery: string }) =>
    (await client.deliveries({ id })).deliveries.find((one) => one.id === delivery);

  const stays = await agent("stays", "RUN: echo once >> stays");
  const changes = await agent("changes", "RUN: touch change-one\nRUN: touch change-two");
  const ask = `stty -echo; printf 'Password: '; read x; printf "%s" "$x" > secret; echo; sleep 1000`;
  const terminal = await client.run({ argv: ["sh", "-c", ask], cwd: folder });
  const secret = await held(terminal.id, terminal.pane ?? "", { text: "hunter2" });

  await daemon.kill("SIGKILL");
  // Somebody answers the first question at the terminal, and another one follows in the same words.
  tmux("copy-mode", "-q", "-t", changes.pane);
  const { at } = await changes.noted("asked");
  await until("its dialog takes keys", () => Date.now() - at > 700);
  tmux("send-keys", "-t", changes.pane, "1");
  await changes.noted("asked", 2);
  tmux("copy-mode", "-q", "-t", secret.pane);
  await daemon.start();

  await t.test("the question that is still open is answered, once", async () => {
    assert.equal((await receipt(stays))?.state, "held");
    assert.equal(existsSync(join(folder, "stays")), false);
    tmux("copy-mode", "-q", "-t", stays.pane);
    await until("it is answered", async () => (await receipt(stays))?.state === "acknowledged");
    await stays.noted("stopped");
    assert.equal(readFileSync(join(folder, "stays"), "utf8"), "once\n");
    const { turns } = await client.turns({ id: stays.id });
    assert.deepEqual(
      turns.filter(({ intent }) => intent === "answer").map(({ delivery, text }) => [delivery, text]),
      [[stays.delivery, "Yes"]],
    );
  });

  await t.test("another question in its place gets nothing, and the receipt says so", async () => {
    const failed = await until("it failed", async () => {
      const one = await receipt(changes);
      return one?.state === "failed" ? one : undefined;
    });
    assert.match(failed.reason ?? "", /changed|gone/);
    const now = await until("the other question is open", async () => {
      const one = await asked(changes.id);
      return one.state === "open" && one.id !== changes.question.id ? one : undefined;
    });
    assert.equal(existsSync(join(folder, "change-two")), false);
    assert.equal((await client.respond({ id: changes.id, option: 1, question: now.id })).status, "ok");
  });

  await t.test("a secret was written down nowhere: it is asked for again", async () => {
    const failed = await until("it failed", async () => {
      const one = await receipt(secret);
      return one?.state === "failed" ? one : undefined;
    });
    assert.match(failed.reason ?? "", /secret/);
    await until("it can be answered", async () => (await asked(secret.id)).state === "open");
    assert.equal((await client.respond({ id: secret.id, text: "hunter3" })).status, "ok");
    assert.equal(readFileSync(join(folder, "secret"), "utf8"), "hunter3");
  });
});
