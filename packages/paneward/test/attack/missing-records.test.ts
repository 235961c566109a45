import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

test("programs outlive the loss of their records", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const state = join(folder, "state");
  const root = join(folder, "repository");
  mkdirSync(root);
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", root, ...args], { env: daemon.env });
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "-m", "Begin");
  const talk = 'echo "I am $0"; while read line; do echo "$0 got $line"; done';
  const { id: first } = await client.run({ argv: ["sh", "-c", talk, "first"], name: "first" });
  const { id: task } = await client.new({ root, text: "A task", agent: "shell" });
  await until("it has printed", async () => (await client.read({ id: first })).output.includes("I am first"));
  const pidOf = async (id: string) => (await client.ps({ all: "true" })).terminals.find((one) => one.id === id)?.pid;
  const pid = await pidOf(first);
  const loseDatabase = () => {
    for (const side of ["", "-wal", "-shm"]) rmSync(join(state, `paneward.db${side}`), { force: true });
  };

  await t.test("with the database gone, they are terminals again: listed, readable, answerable", async () => {
    await daemon.kill("SIGKILL");
    loseDatabase();
    await daemon.start();
    assert.equal(await pidOf(first), pid, "the same process under the same id");
    const { terminals } = await client.ps({ all: "true" });
    assert.deepEqual(terminals.map(({ name, status }) => `${name} ${status}`).length, 2);
    assert.ok(terminals.some(({ name }) => name === "a-task"));
    assert.ok((await client.read({ id: first })).output.includes("I am first"), "its journal is linked");
    await client.send({ id: first, text: "hello" });
    await until("it answers", async () => (await client.read({ id: first })).output.includes("first got hello"));
  });

  await t.test("the loss is reported", async () => {
    const { events } = await client.events({ after: 0 });
    const lost = events.find(({ type }) => type === "storage_changed");
    assert.equal(Reflect.get(lost?.data as object, "state"), "lost");
  });

  await t.test("no id is used twice", async () => {
    const { id } = await client.run({ argv: ["true"], name: "next" });
    assert.ok(Number(id.slice(1)) > 2, id);
    const { id: next } = await client.new({ root, text: "A task", agent: "shell" });
    assert.ok(next > task);
  });

  await t.test("an empty database file ends none either", async () => {
    await daemon.kill("SIGTERM");
    loseDatabase();
    writeFileSync(join(state, "paneward.db"), "");
    await daemon.start();
    assert.equal(await pidOf(first), pid);
  });

  await t.test("with the whole state folder gone, new output is read, and the program can be stopped", async () => {
    await daemon.kill("SIGTERM");
    rmSync(state, { recursive: true });
    await daemon.start();
    assert.equal(await pidOf(first), pid);
    await client.send({ id: first, text: "again" });
    await until("its output is read", async () =>
      (await client.read({ id: first })).output.includes("first got again"),
    );
    await assert.rejects(client.restart({ id: first }), { code: "wrong_state", message: /arguments/ });
    await client.stop({ id: first });
    const { terminals } = await client.ps({ all: "true" });
    assert.equal(terminals.find(({ id }) => id === first)?.end?.kind, "stopped");
  });
});
