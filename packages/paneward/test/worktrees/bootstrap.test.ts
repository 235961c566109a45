import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { TaskRecord } from "../../src/model/records.ts";
import type { BootstrapOptions } from "../../src/runtime/ports.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { type Files, type TestRepository, testRepository } from "./support/repository.ts";
import { filesOf } from "./support/snapshot.ts";

const guards = testGuards();
const worktrees = createWorktrees(guards);
const scratch = join(guards.folder, "setup", "1");
const nothing: BootstrapOptions = { include: [], exclude: [], env: {}, allow: async () => {}, scratch };

interface Started extends TestRepository {
  readonly started: TaskRecord;
  readonly run: (options?: Partial<BootstrapOptions>) => ReturnType<typeof worktrees.bootstrap>;
  readonly progress: string[];
}

async function withTask(t: TestContext, committed: Files = {}): Promise<Started> {
  const repository = testRepository(t);
  repository.commit({ ".gitignore": "*.secret\n.env*\nnode_modules/\n/build/\n", ...committed });
  const started = repository.task();
  await worktrees.create(started);
  const progress: string[] = [];
  const run = (options = {}) =>
    worktrees.bootstrap(started, { ...nothing, ...options }, (stage, text) => progress.push(`${stage}: ${text}`));
  return { ...repository, started, run, progress };
}

test("ignored files in the root itself are copied, with their mode; subfolders are not", async (t) => {
  const { root, write, started, run, progress } = await withTask(t);
  write({ ".env": "KEY=1\n", "run.secret": "#!/bin/sh\n", "sub/.env": "no\n", "node_modules/x/y.js": "no\n" });
  write({ "untracked.txt": "not ignored, not copied\n" });
  chmodSync(join(root, "run.secret"), 0o750);
  assert.deepEqual(await run(), { copied: [".env", "run.secret"], output: "", emptySubmodules: [] });
  assert.deepEqual(Object.keys(filesOf(started.worktree)), [".env", ".gitignore", "a.txt", "run.secret"]);
  assert.equal(statSync(join(started.worktree, "run.secret")).mode & 0o777, 0o750);
  assert.deepEqual(progress, ["copy: .env", "copy: run.secret"]);
});

test("an ignored file is copied up to 10 MB and not beyond", async (t) => {
  const { write, run } = await withTask(t);
  const limit = 10 * 1024 * 1024;
  write({ "just.secret": Buffer.alloc(limit), "over.secret": Buffer.alloc(limit + 1) });
  assert.deepEqual((await run()).copied, ["just.secret"]);
});

test("include copies files with their folders, except what exclude matches", async (t) => {
  const { root, write, started, run } = await withTask(t);
  write({
    "node_modules/a/index.js": "a\n",
    "node_modules/a/.hidden": "h\n",
    "node_modules/b/index.js": "b\n",
    "build/keep.o": "o\n",
    "build/skip.log": "l\n",
    "sub/.env": "KEY=2\n",
    ".env": "KEY=1\n",
  });
  mkdirSync(join(root, "node_modules", ".bin"));
  symlinkSync("../a/index.js", join(root, "node_modules", ".bin", "a"));
  const include = ["node_modules/", "build/*", "**/.env", "nothing/matches/*"];
  const { copied } = await run({ include, exclude: ["node_modules/b/", "**/*.log", ".env"] });
  assert.deepEqual(copied.toSorted(), ["build/keep.o", "node_modules", "sub/.env"]);
  assert.deepEqual(Object.keys(filesOf(started.worktree)), [
    ".gitignore",
    "a.txt",
    "build/keep.o",
    "node_modules/.bin/a",
    "node_modules/a/.hidden",
    "node_modules/a/index.js",
    "sub/.env",
  ]);
  assert.equal(readlinkSync(join(started.worktree, "node_modules/.bin/a")), "../a/index.js");
});

test("a pattern that leaves the repository is refused before anything is copied", async (t) => {
  const { folder, write, started, run } = await withTask(t);
  writeFileSync(join(folder, "outside.txt"), "outside\n");
  write({ "sub/x": "x\n" });
  for (const pattern of ["../outside.txt", join(folder, "outside.txt"), "sub/../../outside.txt", "{..,sub}/*"]) {
    await fails(run({ include: [pattern] }), "bad_input", /may not leave the repository/, /without `\.\.`/);
  }
  assert.deepEqual(Object.keys(filesOf(started.worktree)), [".gitignore", "a.txt"]);
});

test("links never make a copy leave the root or the worktree", async (t) => {
  const { folder, root, write, started, run } = await withTask(t);
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside", "key"), "secret\n");
  mkdirSync(join(root, "build"));
  symlinkSync(join(folder, "outside"), join(root, "build", "absolute"));
  symlinkSync("../../outside/key", join(root, "build", "relative"));
  symlinkSync(join(folder, "outside", "key"), join(root, "link.secret"));
  write({ "node_modules/x": "x\n" });
  symlinkSync(join(folder, "outside"), join(started.worktree, "node_modules"));
  const { copied } = await run({
    include: ["build", "build/absolute/key", "build/absolute/*", "node_modules", "*.secret"],
  });
  assert.deepEqual(copied, []);
  assert.equal(existsSync(join(started.worktree, "build", "absolute")), false);
  assert.equal(existsSync(join(folder, "outside", "x")), false);
});

test(".git, other worktrees and tracked files are never copied, whatever include says", async (t) => {
  const { root, write, task, run, started } = await withTask(t);
  const inside = task({ id: 2, worktree: join(root, "elsewhere", "2-fix") });
  await worktrees.create(inside);
  write({
    "a.txt": "changed in the root\n",
    ".paneward/worktrees/9-x/f": "x\n",
    "build/o": "o\n",
    "build/.git": "x\n",
  });
  const include = ["**", ".git/**", ".git", ".paneward/**", ".paneward", "elsewhere/**"];
  unlinkSync(join(started.worktree, ".gitignore"));
  await run({ include });
  assert.equal(existsSync(join(started.worktree, ".gitignore")), false);
  assert.equal(readFileSync(join(started.worktree, "a.txt"), "utf8"), "one\ntwo\nthree\n");
  assert.deepEqual(
    Object.keys(filesOf(started.worktree)).filter((path) => /worktrees|\.git\//.test(path) || path === "build/.git"),
    [],
  );
  assert.equal(existsSync(join(started.worktree, "build", "o")), true);
  await worktrees.bootstrap(inside, { ...nothing, include }, () => {});
  assert.equal(existsSync(join(inside.worktree, "elsewhere")), false);
});

test("a copy changed by an agent is kept when bootstrap runs again", async (t) => {
  const { write, started, run } = await withTask(t);
  write({ ".env": "KEY=1\n" });
  await run();
  writeFileSync(join(started.worktree, ".env"), "KEY=mine\n");
  assert.deepEqual((await run()).copied, []);
  assert.equal(readFileSync(join(started.worktree, ".env"), "utf8"), "KEY=mine\n");
});

test("the worktree's setup script runs there, with the task's environment and after the copies", async (t) => {
  const script =
    'echo "in $(pwd) for $TASK, $(cat .env)"\necho bad >&2\necho "home $HOME, leak $LEAK."\nprintf unfinished\n';
  const { write, started, run, progress } = await withTask(t, { ".paneward/setup.sh": script });
  write({ ".env": "KEY=1\n", ".paneward/setup.sh": "echo the wrong one\n" });
  process.env.LEAK = "leaked";
  t.after(() => {
    delete process.env.LEAK;
  });
  const { ran, output } = await run({ env: { TASK: "7" } });
  assert.equal(ran, join(started.worktree, ".paneward/setup.sh"));
  const lines = [`in ${started.worktree} for 7, KEY=1`, "bad", `home ${process.env.HOME}, leak .`, "unfinished"];
  assert.deepEqual(output.split("\n"), lines);
  assert.deepEqual(progress, ["copy: .env", ...lines.map((line) => `setup: ${line}`)]);
});

test("the root's setup script is used when the worktree has none, by its own interpreter if executable", async (t) => {
  const { root, write, run } = await withTask(t);
  write({ ".paneward/setup.sh": "#!/usr/bin/env node\nconsole.log([1, 2].map((n) => n * 2).join());\n" });
  chmodSync(join(root, ".paneward/setup.sh"), 0o755);
  const ran = join(root, ".paneward/setup.sh");
  assert.deepEqual(await run(), { copied: [], ran, output: "2,4\n", emptySubmodules: [] });
});

for (const [what, mode] of [
  ["by a shell", 0o644],
  ["by its own interpreter", 0o755],
] as const) {
  test(`what runs ${what} is what was allowed, also if the script changes at that moment`, async (t) => {
    const { started, run } = await withTask(t, { ".paneward/setup.sh": "#!/bin/sh\necho good\n" });
    const script = join(started.worktree, ".paneward/setup.sh");
    chmodSync(script, mode);
    const allow = async () => writeFileSync(script, "#!/bin/sh\necho evil\n");
    assert.deepEqual(await run({ allow }), { copied: [], emptySubmodules: [], ran: script, output: "good\n" });
  });
}

test("the script is asked about last: after the copies, which may be files that the command names", async (t) => {
  const { write, run, progress } = await withTask(t);
  write({ ".env": "KEY=1\n", ".paneward/setup.sh": "echo good\n" });
  const allow = async () => void progress.push("asked");
  await run({ allow });
  await run({ allow, cmd: "echo cmd" });
  assert.deepEqual(progress, ["copy: .env", "asked", "setup: good", "asked", "setup: cmd"]);
});

test("the script runs from a copy that only the user can reach, and that is gone afterwards", async (t) => {
  const { started, run } = await withTask(t, {
    ".paneward/setup.sh": 'echo "$0"; pwd; ls -ld "$(dirname "$0")" "$0" | cut -c 1-10\nexit 3\n',
  });
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, "setup.sh"), "echo left behind by a daemon that was killed\n");
  const seen = [join(scratch, "setup.sh"), started.worktree, "drwx------", "-rwx------"].join("\n");
  await fails(run(), "wrong_state", /failed \(3\)/, new RegExp(seen));
  assert.equal(existsSync(scratch), false);
});

test("a configured command replaces the script", async (t) => {
  const { run } = await withTask(t, { ".paneward/setup.sh": "exit 1\n" });
  const cmd = "echo a | tr a b";
  assert.deepEqual(await run({ cmd }), { copied: [], ran: cmd, output: "b\n", emptySubmodules: [] });
});

test("a failing script is reported with its last lines and a hint", async (t) => {
  const { run } = await withTask(t);
  const cmd = "for n in $(seq 30); do echo line $n; done; exit 3";
  await fails(run({ cmd }), "wrong_state", /failed \(3\)/, /line 30$/m, /paneward bootstrap 1/);
  await fails(run({ cmd: "kill -9 $$" }), "wrong_state", /failed \(SIGKILL\)/);
});

test("a script that reads input fails instead of waiting", async (t) => {
  const { run } = await withTask(t);
  const { output } = await run({ cmd: "read x || echo no input; (read y </dev/tty) 2>/dev/null || echo no terminal" });
  assert.equal(output, "no input\nno terminal\n");
  const leader = await run({ cmd: 'test "$(ps -o sid= -p $$)" -eq $$ && echo leads its own session' });
  assert.equal(leader.output, "leads its own session\n");
});

test("a server left in the background does not block the setup", { timeout: 60_000 }, async (t) => {
  const { started, run } = await withTask(t);
  const { output } = await run({ cmd: "sleep 120 & echo $! > pid; echo ready" });
  process.kill(Number(readFileSync(join(started.worktree, "pid"), "utf8")));
  assert.equal(output, "ready\n");
});

test("endless output without line breaks is limited", async (t) => {
  const { run, progress } = await withTask(t);
  const { output } = await run({ cmd: "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last" });
  assert.ok(output.length <= 256 * 1024, `${output.length}`);
  assert.match(output, /\nlast\n$/);
  assert.equal(progress.at(-1), "setup: last");
});

test("bootstrap without a worktree is refused", async (t) => {
  const { task } = testRepository(t);
  await fails(
    worktrees.bootstrap(task(), nothing, () => {}),
    "wrong_state",
    /no worktree/,
  );
});

test("the setup script's path may contain spaces", async (t) => {
  const repository = testRepository(t, { name: "my project ☂" });
  repository.commit({ ".paneward/setup.sh": "echo done > made.txt\n" });
  const task = repository.task({ worktree: join(repository.folder, "work trees", "1 fix") });
  await worktrees.create(task);
  await worktrees.bootstrap(task, nothing, () => {});
  assert.equal(readFileSync(join(task.worktree, "made.txt"), "utf8"), "done\n");
});
