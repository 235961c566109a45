import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { paneward, type Ran } from "./support/cli.ts";
import { daemonSandbox } from "./support/own-daemon.ts";

type Type = (...typed: readonly string[]) => Promise<Ran>;

describe("journeys with the real daemon, tmux and git", () => {
  test("a terminal: run, wait, send, logs, screen, explain, restart, stop, rm", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const type = typingIn(folder, env);
    const script = 'echo "hello from $WHO"; read answer; echo "you said $answer"; exit 3';
    const id = (
      await succeeds(type, "run", "--name", "talker", "--env", "WHO=me", "--keep", "--", "sh", "-c", script)
    ).trim();
    assert.match(await succeeds(type, "wait", id, "--for", "output=hello from \\w+"), /printed hello from me/);
    assert.match(await succeeds(type, "ps"), new RegExp(`${id} +talker +(Running|Idle)`));
    assert.match(await succeeds(type, "screen", "talker"), /^hello from me\n/);
    assert.equal((await type("wait", id, "--for", "exited", "--timeout", "0")).code, 124);
    assert.match(await succeeds(type, "send", "talker", "good day"), /submitted|acknowledged/);
    assert.equal(await succeeds(type, "wait", id, "--for", "exited", "--timeout", "60"), `${id} exited with code 3\n`);
    assert.match(await succeeds(type, "logs", id, "-f"), /hello from me\n[\s\S]*you said good day\n/);
    assert.match(await succeeds(type, "explain", id), /Exited[\s\S]*code 3/);
    assert.match(await succeeds(type, "restart", id), /talker: Running/);
    assert.match(await succeeds(type, "stop", id), / stopped/);
    assert.match(await succeeds(type, "rm", id, "--yes"), / removed/);
    assert.equal((await type("read", id)).code, 3);
  });

  test("a task: draft, start, exec, diff, reset, undo, merge, complete, rm, undo", async (t) => {
    const { env, folder } = daemonSandbox(t);
    const root = repositoryIn(folder);
    const type = typingIn(root, env);
    const id = (await succeeds(type, "new", "--draft", "Write a poem")).trim();
    assert.match(await succeeds(type, "ps", "--here"), new RegExp(`${id} +write-a-poem +Draft`));
    const untrusted = await type("start", id);
    assert.equal(untrusted.code, 7);
    assert.match(untrusted.stderr, /would run agents.quiet.cmd.*not trusted yet[\s\S]*paneward trust/);
    assert.match(await succeeds(type, "start", "--trust", id), /write-a-poem: (Running|Idle)/);
    assert.match(await succeeds(type, "trust", "--list"), /a project .*agents\.quiet\.cmd/);
    assert.equal((await type("start", id)).code, 6, "started twice");
    const worktree = (await succeeds(type, "path", id)).trim();
    assert.equal((await succeeds(type, "exec", id, "--", "pwd")).trim(), worktree);
    assert.equal(await succeeds(type, "branch", "write-a-poem"), `paneward/${id}-write-a-poem\n`);
    writeFileSync(join(worktree, "poem.txt"), "roses\n");
    assert.match(await succeeds(type, "reset", id, "--yes"), /kept under refs\/paneward\/rescue/);
    assert.match(await succeeds(type, "undo"), /write-a-poem is back/);
    assert.equal(readFileSync(join(worktree, "poem.txt"), "utf8"), "roses\n");
    await succeeds(type, "exec", id, "--", "git", "add", "poem.txt");
    await succeeds(type, "exec", id, "--", "git", "commit", "--quiet", "-m", "A poem");
    assert.match(await succeeds(type, "diff", id), /\+roses/);
    assert.match(await succeeds(type, "bootstrap", id), /^$|copied|ran/);
    assert.match(await succeeds(type, "merge", id), /main advanced by 1 commit /);
    assert.match(await succeeds(type, "complete", id), /Completed/);
    assert.match(await succeeds(type, "rm", id, "--yes"), / removed/);
    assert.match(await succeeds(type, "undo", id), /is back/);
    assert.match(
      await succeeds(type, "events"),
      /task_created[\s\S]*task_started[\s\S]*task_merged[\s\S]*task_removed/,
    );
    assert.match(await succeeds(type, "audit"), /cli +merge/);
  });

  function typingIn(cwd: string, env: Readonly<Record<string, string>>): Type {
    return (...typed) => paneward(typed, { env, cwd });
  }

  async function succeeds(type: Type, ...typed: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await type(...typed);
    assert.equal(code, 0, `paneward ${typed.join(" ")}\n${stdout}${stderr}`);
    return stdout;
  }

  function repositoryIn(folder: string): string {
    const root = join(folder, "a project");
    const agent = 'agent = "quiet"\n[agents.quiet]\ncmd = ["sh", "-c", "echo working; read _"]\n';
    mkdirSync(join(root, ".paneward"), { recursive: true });
    writeFileSync(join(root, ".paneward", "config.toml"), agent);
    writeFileSync(join(root, ".gitignore"), "/.paneward/\n");
    const git = (...args: readonly string[]) => execFileSync("git", ["-C", root, ...args]);
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "Test");
    git("config", "user.email", "test@localhost");
    git("add", ".");
    git("commit", "--quiet", "-m", "Begin");
    return root;
  }
});
