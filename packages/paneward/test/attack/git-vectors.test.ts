import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { GitDirsRecord, TaskRecord } from "../../src/model/records.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { testGuards } from "../worktrees/support/guards.ts";
import { commitIn, gitIn, type TestRepository, testRepository, writeFiles } from "../worktrees/support/repository.ts";
import { type Arsenal, arsenal, attributes, evilConfig } from "./support/arsenal.ts";

const worktrees = createWorktrees(testGuards());

interface Stage extends TestRepository {
  readonly arsenal: Arsenal;
  readonly started: TaskRecord & { readonly gitDirs: GitDirsRecord };
}

/** A task with a commit of its own and a base that has moved, so that a merge has to rebase the same files. */
async function stage(t: TestContext): Promise<Stage> {
  const repository = testRepository(t);
  const before = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  const lines = (change: Readonly<Record<number, string>>) =>
    `${before.map((line, at) => change[at] ?? line).join("\n")}\n`;
  repository.commit({ "a.txt": lines({}), "b.md": lines({}), ".gitattributes": attributes }, "files");
  const task = repository.task();
  const started = { ...task, ...(await worktrees.create(task)), hasWorktree: true };
  commitIn(started.worktree, { "a.txt": lines({ 0: "task" }), "b.md": lines({ 0: "task" }) }, "of the task");
  repository.commit({ "a.txt": lines({ 8: "base" }), "b.md": lines({ 8: "base" }) }, "of the base");
  return { ...repository, started, arsenal: arsenal(repository.folder) };
}

/** Everything that Paneward does with git, on a worktree that an agent has prepared. */
async function useEverything({ task, started, root }: Stage): Promise<void> {
  writeFiles(started.worktree, { "a.txt": "changed\n", "b.md": "changed\n", "new.txt": "new\n" });
  await worktrees.work(started);
  for (const stat of [false, true]) assert.match(await worktrees.diff(started, stat, 1_000_000), /a\.txt/);
  const kept = await worktrees.rescue(started, 1);
  await worktrees.remove(started);
  const again = { ...started, gitDirs: await worktrees.restore(started, kept) };
  assert.equal(readFileSync(join(again.worktree, "a.txt"), "utf8"), "changed\n");
  const scratch = join(root, "..", "setup");
  const options = { include: ["*.txt"], exclude: [], env: {}, allow: async () => {}, scratch };
  await worktrees.bootstrap(again, options, () => {});
  const other = task({ id: 2, slug: "other" });
  const second = { ...other, ...(await worktrees.create(other)), hasWorktree: true };
  await worktrees.work(second);
  await worktrees.remove(second);
  await worktrees.repository(root);
}

/** Commits, as the agent, what `useEverything` left, and merges it with a rebase. */
async function mergeToo({ started }: Stage, commit: () => void): Promise<void> {
  rmSync(join(started.worktree, "new.txt"));
  commit();
  assert.ok((await worktrees.merge(started, "main")).commits > 0);
}

test("nothing runs that the repository's configuration, attributes and hooks name", async (t) => {
  const at = await stage(t);
  const { root, arsenal: weapons, started } = at;
  // Committed before the weapons are there, and again by the agent's git without them.
  const config = join(root, ".git", "config");
  const innocent = readFileSync(config, "utf8");
  const arm = () => {
    writeFileSync(config, innocent + evilConfig(weapons, "local"));
    mkdirSync(join(root, ".git", "info"), { recursive: true });
    writeFileSync(join(root, ".git", "info", "attributes"), attributes);
    weapons.hooksIn(join(root, ".git", "hooks"), "hook");
  };
  const disarmed = (work: () => void) => {
    writeFileSync(config, innocent);
    renameSync(join(root, ".git", "hooks"), join(root, ".git", "hooks-off"));
    work();
    renameSync(join(root, ".git", "hooks-off"), join(root, ".git", "hooks"));
    arm();
  };
  arm();
  await useEverything(at);
  const merging = mergeToo(at, () => disarmed(() => gitIn(started.worktree, "checkout", "--quiet", "--", ".")));
  await assert.rejects(merging, /would be written without the filter evil/);
  writeFileSync(config, innocent + evilConfig(weapons, "local").replaceAll(/\[filter "[^[]*/g, ""));
  assert.equal((await worktrees.merge(started, "main")).commits, 1);
  assert.deepEqual(weapons.fired(), []);
});

test("nothing runs that hooksPath, an include or a worktree's own configuration names", async (t) => {
  const at = await stage(t);
  const { root, folder, arsenal: weapons, started } = at;
  weapons.hooksIn(join(folder, "hooks-path"), "path");
  writeFileSync(join(folder, "included"), evilConfig(weapons, "included"));
  writeFileSync(join(folder, "included-if"), evilConfig(weapons, "included-if"));
  const innocent = readFileSync(join(root, ".git", "config"), "utf8");
  const gitDir = started.gitDirs?.worktree ?? "";
  const arm = () => {
    writeFileSync(
      join(root, ".git", "config"),
      `${innocent}[core]\n\thooksPath = ${folder}/hooks-path\n[include]\n\tpath = ${folder}/included\n` +
        `[includeIf "gitdir:**"]\n\tpath = ${folder}/included-if\n[extensions]\n\tworktreeConfig = true\n`,
    );
    if (existsSync(gitDir)) writeFileSync(join(gitDir, "config.worktree"), evilConfig(weapons, "of-worktree"));
    writeFileSync(join(root, ".git", "config.worktree"), evilConfig(weapons, "of-main"));
  };
  arm();
  await useEverything(at);
  writeFileSync(join(root, ".git", "config"), innocent);
  await mergeToo(at, () => gitIn(started.worktree, "checkout", "--quiet", "--", "."));
  assert.deepEqual(weapons.fired(), []);
});

/** A git directory that an agent made, with everything in it that it wishes. */
function evilGitDir({ root, folder, arsenal: weapons }: Stage, prefix: string): string {
  const evil = join(folder, `evil-${prefix}`);
  cpSync(join(root, ".git"), evil, { recursive: true });
  writeFileSync(join(evil, "config"), readFileSync(join(evil, "config"), "utf8") + evilConfig(weapons, prefix));
  mkdirSync(join(evil, "info"), { recursive: true });
  writeFileSync(join(evil, "info", "attributes"), attributes);
  weapons.hooksIn(join(evil, "hooks"), `${prefix}-hook`);
  return evil;
}

const disguises: Readonly<Record<string, (dotGit: string, evil: string) => void>> = {
  file: (dotGit, evil) => writeFileSync(dotGit, `gitdir: ${evil}\n`),
  link: (dotGit, evil) => symlinkSync(evil, dotGit),
  "link-to-file": (dotGit, evil) => {
    writeFileSync(`${evil}-file`, `gitdir: ${evil}\n`);
    symlinkSync(`${evil}-file`, dotGit);
  },
};

for (const [name, disguise] of Object.entries(disguises)) {
  test(`a worktree whose .git is a ${name} to another git directory is worked on with its own`, async (t) => {
    const at = await stage(t);
    const dotGit = join(at.started.worktree, ".git");
    rmSync(dotGit);
    disguise(dotGit, evilGitDir(at, name));
    assert.equal(await worktrees.exists(at.started), false);
    await useEverything(at);
    await mergeToo(at, () => gitIn(at.started.worktree, "checkout", "--quiet", "--", "."));
    assert.deepEqual(at.arsenal.fired(), []);
  });
}

test("a worktree with a repository of the agent's own is read with the task's, and not removed", async (t) => {
  const at = await stage(t);
  const { started } = at;
  const dotGit = join(started.worktree, ".git");
  rmSync(dotGit);
  renameSync(evilGitDir(at, "own"), dotGit);
  writeFiles(started.worktree, { "a.txt": "changed\n", "b.md": "changed\n" });
  assert.deepEqual((await worktrees.work(started))?.added, 2);
  assert.match(await worktrees.diff(started, false, 1_000_000), /\+changed/);
  await assert.rejects(worktrees.rescue(started, 1), /repository of its own/);
  assert.deepEqual(at.arsenal.fired(), []);
  assert.ok(existsSync(join(dotGit, "HEAD")));
});

test("a commondir file that names another repository changes no configuration", async (t) => {
  const at = await stage(t);
  const { started } = at;
  writeFileSync(join(started.gitDirs?.worktree ?? "", "commondir"), `${evilGitDir(at, "common")}\n`);
  writeFiles(started.worktree, { "a.txt": "changed\n", "b.md": "changed\n", "new.txt": "new\n" });
  await worktrees.work(started);
  await worktrees.diff(started, false, 1_000_000);
  await worktrees.merge(started, "main").catch(() => {});
  await worktrees.rescue(started, 1).catch(() => {});
  await worktrees.remove(started).catch(() => {});
  assert.deepEqual(at.arsenal.fired(), []);
});

test("a submodule whose .git names another git directory is not entered", async (t) => {
  const at = await stage(t);
  const { folder, git, task } = at;
  const lib = join(folder, "lib-source");
  mkdirSync(lib);
  gitIn(lib, "init", "--quiet");
  commitIn(lib, { "lib.txt": "lib\n", ".gitattributes": attributes });
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "lib");
  at.commit({}, "with a submodule");
  const other = task({ id: 3, slug: "sub" });
  const started = { ...other, ...(await worktrees.create(other)), hasWorktree: true };
  gitIn(started.worktree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init");
  rmSync(join(started.worktree, "lib", ".git"));
  writeFileSync(join(started.worktree, "lib", ".git"), `gitdir: ${evilGitDir(at, "submodule")}\n`);
  // The module's real git directory is the agent's to write, too.
  const module = join(started.gitDirs?.worktree ?? "", "modules", "lib");
  writeFileSync(
    join(module, "config"),
    readFileSync(join(module, "config"), "utf8") + evilConfig(at.arsenal, "module"),
  );
  at.arsenal.hooksIn(join(module, "hooks"), "module-hook");
  writeFiles(started.worktree, { "lib/lib.txt": "changed\n", "a.txt": "changed\n" });
  await worktrees.work(started);
  await worktrees.diff(started, false, 1_000_000);
  await assert.rejects(worktrees.merge(started, "main"), /uncommitted changes/);
  await assert.rejects(worktrees.rescue(started, 1), /their own work: lib/);
  await worktrees.remove(started);
  assert.deepEqual(at.arsenal.fired(), []);
});

test("a configuration that an agent changes all the time is not read between a look and a call", async (t) => {
  const at = await stage(t);
  const { root, started, arsenal: weapons } = at;
  const config = join(root, ".git", "config");
  const innocent = readFileSync(config, "utf8");
  const armed = innocent + evilConfig(weapons, "flip");
  let flips = 0;
  const timer = setInterval(() => {
    writeFileSync(`${config}.next`, flips++ % 2 === 0 ? armed : innocent);
    renameSync(`${config}.next`, config);
  }, 1);
  t.after(() => clearInterval(timer));
  writeFiles(started.worktree, { "a.txt": "changed\n", "b.md": "changed\n" });
  for (let round = 0; round < 5; round++) {
    await worktrees.work(started);
    await worktrees.diff(started, false, 1_000_000);
  }
  clearInterval(timer);
  assert.ok(flips > 1);
  assert.deepEqual(weapons.fired(), []);
});

test("files that git opens and would wait for are refused at once", { timeout: 60_000 }, async (t) => {
  const at = await stage(t);
  const { started, root } = at;
  const gitDir = started.gitDirs.worktree ?? "";
  const places = [
    ...[".gitignore", ".gitattributes"].map((name) => join(started.worktree, name)),
    ...["HEAD", "index", "commondir", "info/sparse-checkout"].map((name) => join(gitDir, name)),
    ...["shallow", "refs/heads/main", `refs/heads/${started.branch}`].map((name) => join(root, ".git", name)),
    ...["alternates", "commit-graph"].map((name) => join(root, ".git", "objects", "info", name)),
    ...[".git/config", ".git/info/exclude", ".git/info/attributes", ".gitignore"].map((name) => join(root, name)),
  ];
  for (const path of places) {
    if (existsSync(path)) renameSync(path, `${path}.real`);
    mkdirSync(join(path, ".."), { recursive: true });
    execFileSync("mkfifo", [path]);
    const about = { code: "wrong_state", message: /plain file/ };
    await assert.rejects(worktrees.diff(started, false, 1_000_000), about, path);
    await assert.rejects(worktrees.work(started), about, path);
    await assert.rejects(worktrees.merge(started, "main"), about, path);
    await assert.rejects(worktrees.rescue(started, 1), about, path);
    await assert.rejects(worktrees.remove(started), about, path);
    rmSync(path);
    if (existsSync(`${path}.real`)) renameSync(`${path}.real`, path);
  }
  assert.match(await worktrees.diff(started, false, 1_000_000), /task/);
});

test("a filter runs only if it is the user's own and allowed; a repository cannot take its name", async (t) => {
  const { root, folder, git, commit, task: taskOf } = testRepository(t);
  const { program, fired } = arsenal(folder);
  const config = join(folder, "gitconfig");
  const upper = program("user-smudge", "tr a-z A-Z");
  writeFileSync(
    config,
    `${readFileSync(config, "utf8")}[filter "upper"]\n\tsmudge = ${upper}\n\tclean = ${program("user-clean", "tr A-Z a-z")}\n`,
  );
  commit({ ".gitattributes": "*.up filter=upper\n", "a.up": "text\n" });
  git("config", "filter.upper.smudge", program("repository-smudge"));
  rmSync(join(folder, "canaries"), { recursive: true });
  mkdirSync(join(folder, "canaries"));
  const start = async (id: number, by: typeof worktrees) => {
    const task = taskOf({ id, slug: `f${id}` });
    return { ...task, ...(await by.create(task)), hasWorktree: true };
  };
  const plain = await start(1, worktrees);
  assert.equal(readFileSync(join(plain.worktree, "a.up"), "utf8"), "text\n");
  assert.deepEqual(fired(), []);
  commitIn(plain.worktree, { "b.txt": "no filter\n" });
  await worktrees.merge(plain, "main");
  rmSync(join(folder, "canaries"), { recursive: true });
  mkdirSync(join(folder, "canaries"));
  writeFileSync(join(plain.worktree, "a.up"), "other\n");
  gitIn(plain.worktree, "-c", "filter.upper.clean=", "commit", "--quiet", "-am", "filtered");
  await assert.rejects(worktrees.merge(plain, "main"), {
    code: "wrong_state",
    message: /a\.up would be written without the filter upper/,
    hint: /`\[git\] filters`/,
  });
  assert.deepEqual(fired(), []);

  // Allowed, and defined by the repository alone: the hint does not say to allow it.
  const without = readFileSync(config, "utf8").replace(/\[filter[^[]*/, "");
  const withUser = readFileSync(config, "utf8");
  writeFileSync(config, without);
  const allowing = createWorktrees(testGuards(["upper"]));
  const undefinedFilter =
    "`upper` is allowed, but your own git configuration does not define it: `git config --global filter.upper.smudge …`";
  const noted = taskOf({ id: 3, slug: "f3" });
  assert.equal((await allowing.create(noted)).note, undefinedFilter);
  await assert.rejects(allowing.merge(plain, "main"), {
    code: "wrong_state",
    hint: `merge with git itself in ${root}, or define it yourself: ${undefinedFilter}`,
  });
  writeFileSync(config, withUser);
  assert.deepEqual(fired(), []);

  const filtered = await start(2, allowing);
  assert.equal(readFileSync(join(filtered.worktree, "a.up"), "utf8"), "TEXT\n");
  await allowing.merge(plain, "main");
  assert.equal(readFileSync(join(root, "a.up"), "utf8"), "OTHER\n");
  assert.deepEqual(
    fired().filter((name) => name.startsWith("repository")),
    [],
  );
});
