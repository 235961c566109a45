import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import type { Cleanup } from "../support/folder.ts";
import { type GatedGit, gatedGit } from "../support/gated-git.ts";
import { makeRepository } from "../support/repository.ts";
import { until } from "../support/until.ts";

/** What becomes of the git that a killed daemon had started. */
const fates = ["goes on and ends", "is killed too", "is still at work when the next daemon starts"] as const;
type Fate = (typeof fates)[number];

/** Each case starts a daemon twice: the soak has them all. */
const isLong = process.env.PANEWARD_SOAK === "1";

async function stage(t: Cleanup) {
  const gate = await gatedGit(t);
  const daemon = await startDaemon(t, "", { PATH: gate.path });
  const repository = makeRepository(daemon);
  for (const name of ["a", "b", "c"]) repository.write(`${name}.txt`, `${name}\n`);
  repository.commit("files");
  const gitIn = (folder: string, ...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, ...args], { env: daemon.env, encoding: "utf8", stdio: "pipe" }).trim();
  const commitIn = (folder: string, name: string, text = "work\n") => {
    writeFileSync(join(folder, name), text);
    gitIn(folder, "add", "-A");
    gitIn(folder, "commit", "-q", "-m", name);
  };
  const killedAt = async (command: string, call: () => Promise<unknown>, fate: Fate) => {
    gate.stopBefore(command);
    const called = call().catch(() => undefined);
    const pid = await gate.stopped();
    if (fate === "is killed too") process.kill(pid, "SIGKILL");
    await daemon.kill("SIGKILL");
    await called;
    await again(gate, fate);
  };
  const again = async (git: GatedGit, fate: Fate) => {
    if (fate !== "is still at work when the next daemon starts") await git.goOn();
    await daemon.start();
    if (fate === "is still at work when the next daemon starts") await git.goOn();
  };
  const worktree = async () => (await daemon.client.path({ id: "1" })).path;
  const isUnlocked = () =>
    !readdirSync(join(daemon.folder, "state", "git")).some((name) => /^(?!objects)\w+-/.test(name));
  return { daemon, client: daemon.client, repository, gitIn, commitIn, killedAt, worktree, isUnlocked, gate };
}

describe("a daemon that is killed while git changes a checkout", () => {
  for (const fate of isLong ? fates : fates.slice(1, 2)) {
    test(`\`new\`: the worktree has its files and its index, if git ${fate}`, async (t) => {
      const { client, repository, gitIn, killedAt, worktree, isUnlocked } = await stage(t);
      const text = { root: repository.root, text: "A task", agent: "shell" };
      await killedAt("read-tree", () => client.new(text), fate);
      await until("nothing is unfinished", isUnlocked);
      await client.start({ id: "1" });
      assert.equal(gitIn(await worktree(), "status", "--porcelain"), "");
      assert.equal(readFileSync(join(await worktree(), "a.txt"), "utf8"), "a\n");
      gitIn(await worktree(), "commit", "-q", "--allow-empty", "-m", "not locked");
    });
  }

  for (const fate of isLong ? fates : fates.slice(0, 2)) {
    test(`\`merge\`: the user's checkout is not locked and undoes nothing, if git ${fate}`, async (t) => {
      const { client, repository, commitIn, killedAt, worktree, isUnlocked } = await stage(t);
      await client.new({ root: repository.root, text: "A task", agent: "shell" });
      commitIn(await worktree(), "work.txt");
      await killedAt("merge", () => client.merge({ id: "1" }), fate);
      await until("nothing is unfinished", isUnlocked);
      assert.equal(repository.git("status", "--porcelain"), "");
      if (fate === "is killed too") await client.merge({ id: "1" });
      repository.git("commit", "-q", "--allow-empty", "-m", "not locked");
      assert.equal(repository.git("show", "HEAD:work.txt"), "work\n");
      assert.equal(repository.git("status", "--porcelain"), "");
    });
  }

  const rebases = [
    ["while the commits are made again", "rebase", "is still at work when the next daemon starts"],
    ["when the files of the worktree are changed", "update-index", "is killed too"],
    ...(isLong ? fates : []).map((fate) => ["when only the task's files are changed", "merge", fate] as const),
  ] as const;
  for (const [moment, command, fate] of rebases) {
    test(`\`merge\` with a rebase, ${moment}: nothing differs, if git ${fate}`, async (t) => {
      const { client, repository, gitIn, commitIn, killedAt, worktree, isUnlocked } = await stage(t);
      await client.new({ root: repository.root, text: "A task", agent: "shell" });
      commitIn(await worktree(), "work.txt");
      commitIn(repository.root, "meanwhile.txt");
      repository.git("rm", "-q", "c.txt");
      commitIn(repository.root, "a.txt", "changed\n");
      await killedAt(command, () => client.merge({ id: "1" }), fate);
      await until("nothing is unfinished", isUnlocked);
      assert.equal(gitIn(await worktree(), "status", "--porcelain"), "");
      assert.equal(repository.git("status", "--porcelain"), "");
      if (command !== "merge" || fate === "is killed too") await client.merge({ id: "1" });
      assert.equal(repository.git("log", "--format=%s", "-3").trim(), "work.txt\na.txt\nmeanwhile.txt");
      assert.equal(repository.git("status", "--porcelain"), "");
      assert.equal(gitIn(await worktree(), "status", "--porcelain"), "");
      assert.equal(gitIn(await worktree(), "rev-parse", "HEAD"), repository.git("rev-parse", "HEAD").trim());
      repository.git("fsck", "--strict");
    });
  }

  test("what an agent writes after the kill stays when its files are put back", async (t) => {
    const { client, daemon, repository, gate, gitIn, commitIn, worktree, isUnlocked } = await stage(t);
    await client.new({ root: repository.root, text: "A task", agent: "shell" });
    const folder = await worktree();
    commitIn(folder, "work.txt");
    for (const name of ["a.txt", "b.txt", "new.txt"]) commitIn(repository.root, name, "changed\n");
    gate.stopBefore("update-index");
    const called = client.merge({ id: "1" }).catch(() => undefined);
    const pid = await gate.stopped();
    await daemon.kill("SIGKILL");
    process.kill(pid, "SIGKILL");
    await called;
    writeFileSync(join(folder, "b.txt"), "of the agent\n");
    gate.letGo();
    await daemon.start();
    await until("nothing is unfinished", isUnlocked);
    assert.equal(gitIn(folder, "status", "--porcelain").trim(), "M b.txt");
    assert.equal(readFileSync(join(folder, "b.txt"), "utf8"), "of the agent\n");
    assert.equal(readFileSync(join(folder, "a.txt"), "utf8"), "a\n");
    assert.equal(existsSync(join(folder, "new.txt")), false);
  });
});
