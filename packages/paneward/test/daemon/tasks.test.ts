import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { makeRepository, scriptedAgent } from "../support/repository.ts";
import { until } from "../support/until.ts";

const ended = [{ kind: "exited" as const }];

test("a task runs its agent in a branch and a worktree of its own, with the prompt as argument", async (t) => {
  const daemon = await startDaemon(
    t,
    scriptedAgent('printf "%s|%s|%s|%s" "$1" "$PANEWARD_TASK" "$PANEWARD_TASK_ID" "$PWD" > out; exit 5'),
  );
  const { root, git } = makeRepository(daemon, "a repo ü");
  const task = await daemon.client.new({ root, text: "Fix the login; now" });
  assert.deepEqual(
    [task.id, task.slug, task.branch, task.session],
    [1, "fix-the-login-now", "paneward/1-fix-the-login-now", "paneward-1-fix-the-login-now"],
  );
  const { results } = await daemon.client.wait({ ids: ["1"], for: ended, timeout: 30 });
  assert.deepEqual(results, [{ kind: "exited", id: "1", code: 5 }]);
  const out = readFileSync(join(task.worktree, "out"), "utf8");
  assert.equal(out, `Fix the login; now|Fix the login; now|1|${task.worktree}`);
  assert.match(git("branch", "--list", "paneward/*"), /paneward\/1-fix-the-login-now/);
  assert.equal(git("status", "--porcelain"), "");
  assert.equal((await daemon.client.ps({})).tasks[0]?.status, "Exited");
});

for (const [size, bytes] of [
  ["1 KB", 1_000],
  ["32 KB", 32_000],
  ["1 MB", 1_000_000],
] as const) {
  test(`a prompt of ${size} arrives whole`, async (t) => {
    const daemon = await startDaemon(
      t,
      scriptedAgent('case "$1" in Your\\ task*) cat "$PANEWARD_TASK_FILE" ;; *) printf %s "$1" ;; esac > out'),
    );
    const { root } = makeRepository(daemon);
    const text = `é"$(x)'\n`.repeat(bytes / 10);
    const task = await daemon.client.new({ root, text });
    await daemon.client.wait({ ids: ["1"], for: ended, timeout: 30 });
    assert.ok(readFileSync(join(task.worktree, "out"), "utf8") === text);
  });
}

test("the setup script and the copies are done before the agent starts", async (t) => {
  const daemon = await startDaemon(t, scriptedAgent("cat .env made > out"));
  const repository = makeRepository(daemon);
  repository.write(".gitignore", ".env\n");
  repository.write(".paneward/setup.sh", "echo setting up\nsleep 0.2\necho from setup > made\n");
  repository.commit("setup");
  repository.write(".env", "KEY=1\n");
  await repository.trust();
  const task = await daemon.client.new({ root: repository.root, text: "go" });
  await daemon.client.wait({ ids: ["1"], for: ended, timeout: 30 });
  assert.equal(readFileSync(join(task.worktree, "out"), "utf8"), "KEY=1\nfrom setup\n");
  const { events } = await daemon.client.events({ types: "task_progress" });
  assert.ok(events.some(({ data }) => (data as { text: string }).text === "setting up"));
});

test("a setup script that fails stops the start with its last words, and the next start tries it again", async (t) => {
  const daemon = await startDaemon(t, scriptedAgent("cat made > out"));
  const repository = makeRepository(daemon);
  const database = join(daemon.folder, "database");
  repository.write(".paneward/setup.sh", `cp ${database} made || { echo no database >&2; exit 2; }\n`);
  repository.commit("setup");
  await repository.trust();
  const root = repository.root;
  await assert.rejects(daemon.client.new({ root, text: "go" }), { code: "wrong_state", message: /no database/ });
  assert.equal((await daemon.client.ps({})).tasks[0]?.status, "Stopped");
  writeFileSync(database, "rows\n");
  const { worktree } = await daemon.client.start({ id: "1" });
  await daemon.client.wait({ ids: ["1"], for: ended, timeout: 30 });
  assert.equal(readFileSync(join(worktree, "out"), "utf8"), "rows\n");
});

test("a draft waits; start runs it; starting twice is refused with the way to attach", async (t) => {
  const daemon = await startDaemon(t, scriptedAgent("sleep 100"));
  const { root } = makeRepository(daemon);
  const draft = await daemon.client.new({ root, text: "later", draft: true });
  assert.equal(draft.status, "Draft");
  assert.equal((await daemon.client.start({ id: "later" })).status, "Running");
  await assert.rejects(daemon.client.start({ id: "1" }), { code: "wrong_state", hint: /paneward attach 1/ });
  assert.deepEqual(await daemon.client.stop({ id: "1" }), { id: "t1", stopped: true });
  assert.equal((await daemon.client.ps({})).tasks[0]?.status, "Stopped");
  const { argv, started } = await daemon.client.attach({ id: "1" });
  assert.deepEqual([argv.at(-1), started], ["=paneward-1-later", true]);
  assert.equal((await daemon.client.ps({})).tasks[0]?.terminal, "t1");
});

test("a task whose session is closed in tmux disappeared, one that Paneward stops did not", async (t) => {
  const daemon = await startDaemon(t, scriptedAgent("sleep 100"));
  const { client } = daemon;
  const { root } = makeRepository(daemon);
  const gone = await client.new({ root, text: "gone" });
  await client.new({ root, text: "stopped" });
  await client.stop({ id: "2" });
  execFileSync("tmux", ["-S", daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "", "kill-session", "-t", `=${gone.session}`]);
  const { results } = await client.wait({ ids: ["1"], for: ended, timeout: 30 });
  assert.deepEqual(results, [{ kind: "stopped", id: "1", by: "tmux" }]);
  const { events } = await client.events({ types: "task_disappeared,task_stopped" });
  assert.deepEqual(
    events.map(({ type, data }) => [type, (data as { readonly task: number }).task]),
    [
      ["task_stopped", 2],
      ["task_disappeared", 1],
      ["task_stopped", 1],
    ],
  );
});

test("start of an exited task runs its agent again in the same place", async (t) => {
  const daemon = await startDaemon(t, scriptedAgent("echo again; exit 1"));
  const { root } = makeRepository(daemon);
  await daemon.client.new({ root, text: "go" });
  await daemon.client.wait({ ids: ["1"], for: ended, timeout: 30 });
  await daemon.client.start({ id: "1" });
  await daemon.client.wait({ ids: ["1"], for: ended, timeout: 30 });
  assert.equal((await daemon.client.read({ id: "1" })).output, "again\nagain\n");
});

test("merge brings the task's commits into its base", async (t) => {
  const daemon = await startDaemon(t, scriptedAgent("echo new > new.txt; git add new.txt; git commit -q -m work"));
  const { root, git } = makeRepository(daemon);
  await daemon.client.new({ root, text: "go" });
  await daemon.client.wait({ ids: ["1"], for: ended, timeout: 30 });
  assert.match((await daemon.client.diff({ id: "1" })).diff, /\+new/);
  const merged = await daemon.client.merge({ id: "1" });
  assert.deepEqual([merged.base, merged.commits], ["main", 1]);
  assert.equal(readFileSync(join(root, "new.txt"), "utf8"), "new\n");
  assert.match(git("log", "--oneline", "-1"), /work/);
});

test("rm keeps unmerged work, and undo brings back branch, worktree and files", async (t) => {
  const daemon = await startDaemon(
    t,
    scriptedAgent(
      "echo c > committed; git add committed; git commit -q -m work; echo d > dirty; rm readme.md; sleep 100",
    ),
  );
  const { root, git } = makeRepository(daemon);
  const task = await daemon.client.new({ root, text: "go" });
  await daemon.client.wait({ ids: ["1"], for: [{ kind: "idle" }], timeout: 30 });
  const { removed, rescue } = await daemon.client.rm({ id: "1" });
  assert.equal(removed, "task 1");
  assert.match(rescue ?? "", /^refs\/paneward\/rescue\//);
  assert.equal(existsSync(task.worktree), false);
  assert.equal(git("branch", "--list", "paneward/*"), "");
  assert.deepEqual((await daemon.client.sessions({})).sessions, []);
  const { undone, task: back } = await daemon.client.undo({});
  assert.deepEqual([undone, back.id, back.status], ["rm", 1, "Stopped"]);
  assert.equal(readFileSync(join(task.worktree, "committed"), "utf8"), "c\n");
  assert.equal(readFileSync(join(task.worktree, "dirty"), "utf8"), "d\n");
  assert.equal(existsSync(join(task.worktree, "readme.md")), false);

  rmSync(task.worktree, { recursive: true });
  const [without] = (await daemon.client.ps({})).tasks;
  assert.deepEqual([without?.status, without?.why.source], ["Draft", "git"], "nobody said that it was removed by hand");
  assert.match(without?.why.rule ?? "", /its worktree is gone/);
  assert.equal((await daemon.client.start({ id: "1" })).status, "Running");
  assert.equal(readFileSync(join(task.worktree, "committed"), "utf8"), "c\n");
  await assert.rejects(daemon.client.undo({}), { code: "wrong_state" });
});

test("reset begins again from the base, and undo brings the old state back", async (t) => {
  const daemon = await startDaemon(t, scriptedAgent("echo d > dirty; sleep 100"));
  const { root } = makeRepository(daemon);
  const task = await daemon.client.new({ root, text: "go" });
  await daemon.client.wait({ ids: ["1"], for: [{ kind: "idle" }], timeout: 30 });
  await until("its work is known", async () => (await daemon.client.ps({})).tasks[0]?.work?.added === 1);
  const reset = await daemon.client.reset({ id: "1" });
  assert.equal(reset.task.status, "Stopped");
  assert.ok(reset.task.why.since > task.createdAt, "it is stopped since the reset");
  assert.equal(reset.task.work, undefined, "nobody has counted the fresh worktree yet");
  assert.equal(existsSync(join(task.worktree, "dirty")), false);
  writeFileSync(join(task.worktree, "later"), "l\n");
  await daemon.client.undo({ id: 1 });
  assert.equal(readFileSync(join(task.worktree, "dirty"), "utf8"), "d\n");
  assert.equal(existsSync(join(task.worktree, "later")), false);
});

test("a task whose agent is not installed is kept, says what to do, and starts once it is on the caller's PATH", async (t) => {
  const daemon = await startDaemon(t, `agent = "ghost"\n[agents.ghost]\ncmd = ["ghost-that-nobody-has"]\n`);
  const { root } = makeRepository(daemon);
  await assert.rejects(daemon.client.new({ root, text: "go" }), {
    code: "unavailable",
    message: /^task 1 was created, but its agent ghost cannot start: .*ghost-that-nobody-has/,
    hint: /`paneward start 1`.*`paneward rm 1`/,
  });
  assert.equal((await daemon.client.ps({})).tasks[0]?.status, "Stopped");
  const { checks } = await daemon.client.doctor({});
  const ghost = checks.find(({ name }) => name === "agent ghost");
  assert.deepEqual([ghost?.ok, ghost?.detail], [true, "not installed"]);
  assert.match(ghost?.hint ?? "", /`paneward new` starts this one/);

  // It is installed now, where only the shell that asks looks, and not the one from which tmux was started.
  const bin = join(daemon.folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "ghost-that-nobody-has"), '#!/bin/sh\necho "$PATH" "$EDITOR"\n', { mode: 0o755 });
  const variables = { PATH: `${bin}:/usr/bin:/bin`, EDITOR: "ed" };
  await daemon.client.start({ id: "1", variables });
  await daemon.client.wait({ ids: ["1"], for: ended, timeout: 30 });
  assert.equal((await daemon.client.read({ id: "1" })).output, `${variables.PATH} ed\n`);
  const ghosts = { argv: ["ghost-that-nobody-has"], variables, env: { EDITOR: "vi" } };
  const { id } = await daemon.client.run(ghosts);
  await daemon.client.wait({ ids: [id], for: ended, timeout: 30 });
  assert.equal(
    (await daemon.client.read({ id })).output,
    `${variables.PATH} vi\n`,
    "what is asked for by name comes first",
  );
  await assert.rejects(daemon.client.run({ argv: ["true"], variables: { LD_PRELOAD: "x" } }), { code: "bad_input" });
});

test("a task works without commits and with a detached HEAD, and outside git there is a clear error", async (t) => {
  const daemon = await startDaemon(t, scriptedAgent("exit 0"));
  const empty = makeRepository(daemon, "empty", { commits: false });
  const task = await daemon.client.new({ root: empty.root, text: "first" });
  assert.ok(existsSync(task.worktree));
  const detached = makeRepository(daemon, "detached");
  detached.git("checkout", "-q", "--detach");
  const second = await daemon.client.new({ root: detached.root, text: "second" });
  assert.equal(second.base, undefined);
  await assert.rejects(daemon.client.merge({ id: "2" }), { code: "wrong_state", hint: /--base/ });
  await assert.rejects(daemon.client.new({ root: daemon.folder, text: "third" }), { code: "not_found" });
  await assert.rejects(daemon.client.new({ root: detached.root, text: "x", agent: "nobody" }), {
    code: "bad_input",
    message: /claude, codex/,
  });
});
