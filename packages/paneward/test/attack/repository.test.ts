import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { overHttp as mcp } from "../mcp/support/doors.ts";
import { refused } from "../mcp/support/tool-calls.ts";
import { startDaemon } from "../support/daemon.ts";
import { makeRepository, scriptedAgent } from "../support/repository.ts";

const ended = [{ kind: "exited" as const }];

test("a hostile repository and a hostile worktree, against a real daemon", { timeout: 300_000 }, async (t) => {
  // The agent is the user's own: what it finds in a repository is the attack.
  const daemon = await startDaemon(t, scriptedAgent("echo ready; exit 0"));
  const canary = join(daemon.folder, "canary");
  let number = 0;
  mkdirSync(canary);

  const repository = () => makeRepository(daemon, `repo${++number}`);
  const fire = (name: string, then = "") => `: > '${canary}/${name}'${then}`;
  const nothingRan = () => assert.deepEqual(readdirSync(canary), []);
  const withToken = async (path: string, body: object) => {
    const { token } = await daemon.client.token_create({ scope: "approve" });
    const answer = await fetch(`http://127.0.0.1:${daemon.port}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  };

  await t.test("a cloned configuration's commands run through no door before they are trusted", async () => {
    const { root, write, commit, trust } = repository();
    write(
      ".paneward/config.toml",
      `agent = "evil"\n[agents.evil]\ncmd = ["sh", "-c", ${JSON.stringify(fire("agent"))}]\n`,
    );
    write(".paneward/setup.sh", `${fire("setup")}\n`);
    commit("hostile");
    const { client } = daemon;
    const tasks = (await client.ps({ all: "true" })).tasks.length;
    await assert.rejects(client.new({ root, text: "go" }), {
      code: "untrusted",
      message: /would run agents\.evil\.cmd, \.paneward\/setup\.sh/,
      hint: new RegExp(`paneward trust ${root}`),
    });
    const overHttp = await withToken("/api/tasks", { root, text: "go" });
    assert.equal(overHttp.status, 403);
    assert.match(overHttp.text, /"untrusted".*paneward trust/);
    const overMcp = await refused(await mcp(t, daemon, "approve"), "task_start", { root, text: "go" });
    assert.equal(overMcp.code, "untrusted");
    assert.match(overMcp.text, /paneward trust/);
    // A token that may approve may look, and may not trust.
    const { digest } = await client.trust_look({ root });
    assert.equal((await withToken("/api/trust", { root, digest })).status, 403);
    assert.equal((await client.ps({ all: "true" })).tasks.length, tasks);
    // A built-in agent by another command, and a setup script alone, are no way around.
    write(".paneward/config.toml", `[agents.claude]\ncmd = ["sh", "-c", ${JSON.stringify(fire("claude"))}]\n`);
    await assert.rejects(client.new({ root, text: "go", agent: "claude" }), { code: "untrusted" });
    write(".paneward/config.toml", "");
    await assert.rejects(client.new({ root, text: "go", agent: "shell" }), { code: "untrusted" });
    const draft = await client.new({ root, text: "go", agent: "shell", draft: true });
    for (const call of [client.start, client.attach, client.reset]) {
      await assert.rejects(call({ id: String(draft.id) }), { code: "untrusted" });
    }
    await assert.rejects(client.bootstrap({ id: String(draft.id) }), { code: "untrusted" });
    nothingRan();

    await trust();
    const { id } = await client.new({ root, text: "go" });
    await client.wait({ ids: [String(id)], for: ended, timeout: 60 });
    assert.deepEqual(readdirSync(canary), ["setup"]);
    unlinkSync(join(canary, "setup"));
    write(".paneward/setup.sh", `${fire("setup")} # changed\n`);
    await assert.rejects(client.new({ root, text: "go" }), { code: "untrusted" });
    nothingRan();
  });

  await t.test("keys that run nothing work untrusted", async () => {
    const { root, write } = repository();
    write(".gitignore", "*.secret\nnotes/\n");
    write("notes/a.txt", "a\n");
    write("x.secret", "x\n");
    write(".paneward/config.toml", '[bootstrap]\ninclude = ["notes/*"]\nexclude = ["*.secret"]\n');
    const { worktree } = await daemon.client.new({ root, text: "go" });
    assert.ok(existsSync(join(worktree, "notes", "a.txt")));
    assert.equal(existsSync(join(worktree, "x.secret")), false);
  });

  await t.test(
    "a configuration or a script that is no plain file is refused at once",
    { timeout: 60_000 },
    async () => {
      const tricks: Readonly<Record<string, (path: string) => void>> = {
        FIFO: (path) => execFileSync("mkfifo", [path]),
        device: (path) => symlinkSync("/dev/zero", path),
        link: (path) => symlinkSync("/etc/passwd", path),
        huge: (path) => {
          writeFileSync(path, "");
          truncateSync(path, 2 ** 40);
        },
      };
      for (const [name, trick] of Object.entries(tricks)) {
        for (const file of ["config.toml", "setup.sh"]) {
          const { root } = repository();
          mkdirSync(join(root, ".paneward"));
          trick(join(root, ".paneward", file));
          const about = new RegExp(file);
          await assert.rejects(daemon.client.new({ root, text: "go" }), { code: "wrong_state", message: about }, name);
          await assert.rejects(daemon.client.trust_look({ root }), { code: "wrong_state", message: about }, name);
          if (file === "config.toml") await assert.rejects(daemon.client.config({ root }), { code: "wrong_state" });
        }
      }
      const { root } = repository();
      symlinkSync("/etc", join(root, ".paneward"));
      writeFileSync(join(daemon.folder, "setup.sh"), fire("linked-folder"));
      rmSync(join(root, ".paneward"));
      symlinkSync(daemon.folder, join(root, ".paneward"));
      await assert.rejects(daemon.client.new({ root, text: "go" }), { message: /behind a link that leaves/ });
      assert.equal((await daemon.client.ping({})).pong, true);
      nothingRan();
    },
  );

  await t.test("a worktree whose .git is a FIFO, a device, huge or a link is read and removed as its own", async () => {
    const tricks: Readonly<Record<string, (path: string) => void>> = {
      FIFO: (path) => execFileSync("mkfifo", [path]),
      device: (path) => symlinkSync("/dev/zero", path),
      huge: (path) => {
        writeFileSync(path, "");
        truncateSync(path, 2 ** 40);
      },
    };
    for (const [name, trick] of Object.entries(tricks)) {
      const { root } = repository();
      const { id, worktree } = await daemon.client.new({ root, text: name });
      await daemon.client.wait({ ids: [String(id)], for: ended, timeout: 60 });
      unlinkSync(join(worktree, ".git"));
      trick(join(worktree, ".git"));
      writeFileSync(join(worktree, "readme.md"), "changed\n");
      assert.match((await daemon.client.diff({ id: String(id) })).diff, /\+changed/, name);
      // A new task from inside it finds no repository, and does not wait for one.
      await assert.rejects(daemon.client.new({ root: worktree, text: "inside" }), name);
      await daemon.client.rm({ id: String(id) });
      assert.equal(existsSync(worktree), false);
      await daemon.client.undo({ id });
      assert.equal(readFileSync(join(worktree, "readme.md"), "utf8"), "changed\n");
    }
  });

  await t.test(
    "an agent that arms its repository and moves its .git is listed, compared, merged, removed and restored",
    async () => {
      const { root, write, commit, git } = repository();
      write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
      commit("attributes");
      const { client } = daemon;
      const { id: task, worktree } = await client.new({ root, text: "attack" });
      const id = String(task);
      await client.wait({ ids: [id], for: ended, timeout: 60 });
      execFileSync("git", ["-C", worktree, "commit", "-q", "--allow-empty", "-m", "work"], { env: daemon.env });
      write("other.txt", "base moves\n");
      commit("base");
      const program = (name: string, then: string) => {
        const path = join(daemon.folder, `p-${name}`);
        writeFileSync(path, `#!/bin/sh\n${fire(name)}\n${then}\n`);
        chmodSync(path, 0o755);
        return path;
      };
      git("config", "core.fsmonitor", program("fsmonitor", "exit 0"));
      git("config", "diff.evil.textconv", program("textconv", 'cat "$1"'));
      git("config", "merge.evil.driver", program("merge", "exit 0"));
      git("config", "core.sshCommand", program("ssh", "exit 1"));
      mkdirSync(join(root, ".git", "hooks"), { recursive: true });
      for (const hook of ["post-checkout", "reference-transaction", "post-rewrite", "pre-rebase", "post-merge"]) {
        renameSync(program(`hook-${hook}`, "exit 0"), join(root, ".git", "hooks", hook));
      }
      const evil = join(daemon.folder, "evil.git");
      execFileSync("cp", ["-r", join(root, ".git"), evil]);
      writeFileSync(
        join(evil, "config"),
        `${readFileSync(join(evil, "config"), "utf8")}[filter "evil"]\n\tclean = ${program("clean", "cat")}\n\tsmudge = ${program("smudge", "cat")}\n`,
      );
      writeFileSync(join(worktree, ".git"), `gitdir: ${evil}\n`);
      writeFileSync(join(worktree, "readme.md"), "changed\n");
      const listed = async () => (await client.ps({ all: "true" })).tasks.find((one) => one.id === task)?.work;
      await client.refresh({});
      await listed();
      assert.match((await client.diff({ id })).diff, /\+changed/);
      assert.match((await client.diff({ id, stat: "true" })).diff, /readme\.md/);
      await client.bootstrap({ id });
      await assert.rejects(client.merge({ id }), { code: "wrong_state", message: /uncommitted changes: readme\.md/ });
      await client.rm({ id });
      await client.undo({ id: task });
      await client.reset({ id });
      await client.undo({ id: task });
      writeFileSync(join(worktree, "readme.md"), "hello\n");
      await client.merge({ id });
      assert.deepEqual((await listed())?.ahead ?? 0, 0);
      nothingRan();
    },
  );
});
