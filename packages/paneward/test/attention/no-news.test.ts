import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PanewardEvent } from "@paneward/sdk";
import { recordedOf } from "../screens/recorded.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

test("a restarted daemon reports nothing that did not change, and a status never contradicts its question", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const becomes = (id: string, status: string, source: string) =>
    until(`${id} is ${status} by ${source}`, async () => {
      const now = await client.explain({ id });
      return now.status === status && now.why.source === source;
    });
  const asks = 'printf "Overwrite the file? [y/N] "; read answer; echo "got $answer"; exec cat';

  await t.test("silent programs, questions, and agents that rest, work, ask and start", async () => {
    const silent = await client.run({ argv: ["sh", "-c", "echo here; exec cat"] });
    const shell = await client.run({ argv: ["sh"] });
    const asking = await client.run({ argv: ["sh", "-c", asks] });
    const idle = await shown(daemon, "idle-fresh");
    const busy = await shown(daemon, "busy");
    const permission = await shown(daemon, "permission-command");
    const choice = await shown(daemon, "choice");
    const late = await program(daemon, "late", "exec sleep 1000");
    const hooked = scriptedAgent(folder, "claude", { hooks: daemon.env.PANEWARD_SOCKET_PATH ?? "", name: "hooked" });
    const asked = await client.run({ argv: [...hooked.argv], cwd: folder });
    await hooked.noted("ready");
    await client.send({ id: asked.id, text: "RUN: touch made" });
    await hooked.noted("asked");
    await becomes(silent.id, "Idle", "silence");
    await becomes(idle.id, "Idle", "screen");
    await becomes(busy.id, "Running", "screen");
    for (const { id } of [asking, permission, choice]) await becomes(id, "Waiting", "screen");
    await until("the permission is drawn", async () =>
      (await client.questions({})).questions.some((one) => one.terminal === asked.id && one.drawnAt !== undefined),
    );
    await until("the shell rests", async () => (await client.explain({ id: shell.id })).status === "Idle");
    const ids = [silent, shell, asking, idle, busy, permission, choice, late, asked].map(({ id }) => id);
    const statuses = async () => Promise.all(ids.map(async (id) => (await client.explain({ id })).status));
    const before = await statuses();
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      const { events: earlier } = await client.events({ limit: 10_000 });
      await daemon.kill(signal);
      await daemon.start();
      assert.deepEqual(await statuses(), before);
      // By then every screen was looked at: what is started now is looked at after them, and rests a second later.
      const last = await client.run({ argv: ["sh", "-c", "exec cat"] });
      await client.wait({ ids: [last.id], for: [{ kind: "idle" }], timeout: 60 });
      const { events } = await client.events({ limit: 10_000 });
      const reported = (events as PanewardEvent[]).slice(earlier.length).filter(({ type }) => news.has(type));
      assert.deepEqual(
        reported
          .filter(({ data }) => !("terminal" in data && data.terminal === last.id))
          .map(({ type, data }) => [type, data]),
        [],
      );
      assert.deepEqual(await statuses(), before);
    }
  });

  await t.test("after an answer there is no Waiting without a question", async () => {
    const plain = await client.run({ argv: ["sh", "-c", asks] });
    await client.wait({ ids: [plain.id], for: [{ kind: "needs_input" }], timeout: 60 });
    const agent = scriptedAgent(folder, "claude", { name: "answered" });
    const talks = await client.run({ argv: [...agent.argv], cwd: folder });
    await agent.noted("ready");
    await client.send({ id: talks.id, text: "RUN: sleep 1" });
    await client.wait({ ids: [talks.id], for: [{ kind: "needs_input" }], timeout: 60 });
    for (const { id } of [plain, talks]) {
      await client.respond({ id, option: 1 });
      const { terminals } = await client.ps({});
      const now = terminals.find((one) => one.id === id);
      assert.equal(now?.question, undefined);
      assert.notEqual(now?.status, "Waiting");
      await client.wait({ ids: [id], for: [{ kind: "idle" }], timeout: 60 });
    }
    const { events } = await client.events({ limit: 10_000, types: "question_opened,question_closed" });
    const types = (events as PanewardEvent[]).flatMap(({ type, data }) =>
      "question" in data && typeof data.question === "object" && data.question.terminal === talks.id ? [type] : [],
    );
    assert.deepEqual(types, ["question_opened", "question_closed"]);
  });
});

const news = new Set<string>([
  ...["terminal_status_changed", "task_status_changed", "question_opened", "question_changed", "question_closed"],
  ...["state_changed", "turn_created", "session_created", "session_ended"],
]);

/** A recorded screen of Claude Code, drawn once. */
async function shown(daemon: TestDaemon, name: string) {
  const recorded = recordedOf("claude").find((one) => one.name === name);
  assert.ok(recorded);
  const file = join(daemon.folder, `${name}.txt`);
  writeFileSync(file, recorded.view.lines.join("\r\n"));
  const { columns, lines } = recorded.view;
  return program(daemon, name, `cat ${file}; exec sleep 1000`, { columns, rows: lines.length });
}

async function program(daemon: TestDaemon, name: string, script: string, size = {}) {
  const own = join(daemon.folder, `shown-${name}`);
  mkdirSync(own);
  writeFileSync(join(own, "claude"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(own, "claude"), 0o755);
  return daemon.client.run({ argv: [join(own, "claude")], ...size });
}
