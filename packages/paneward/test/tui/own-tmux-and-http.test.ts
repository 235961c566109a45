import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { afterwards } from "../support/folder.ts";
import { makeRepository } from "../support/repository.ts";
import { cleanUpLast, openPane, step } from "./support/pane.ts";

test("agents in the user's own tmux, and the interface over HTTP", async (t) => {
  const daemon = await startDaemon(cleanUpLast(t));
  const { client, folder, env } = daemon;
  const { root } = makeRepository(daemon, "shop");
  const pane = await openPane(t, env, { folder: root });
  const socket = join(folder, "own.sock");
  afterwards(t, () => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  const own = (...args: readonly string[]) => execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args]);
  await client.new({ root, text: "Fix the login", draft: true });

  await step(
    "an agent in the user's own tmux appears with its first hook; its question is answered in place",
    async () => {
      await pane.type("paneward\n");
      await pane.shows("─ 1 fix-the-login Draft");
      own("new-session", "-d", "-s", "mine", "-x", "80", "-y", "20", "-c", root, ownAgent(daemon));
      own("new-window", "-t", "mine", "exec cat");
      await pane.shows(/t1 mine +\w+/);
      writeFileSync(join(folder, "seen"), "");
      await pane.shows(/! ?t1 mine +Waiting/, "1 needs you", /! t1 mine asks yes or no: Go on\?/);
      await pane.press("Tab");
      await pane.shows("─ t1 mine Waiting", "in your own tmux", "Go on? [y/N]", "a answer");
      await pane.type("a");
      await pane.shows("─ yes or no  t1 mine ─");
      await pane.type("y");
      await pane.press("Enter");
      await pane.shows("respond t1: ", "got y", "0 need you");
    },
  );

  await step(
    "it can be typed to, read and attached to; stopping, restarting and deleting are neither offered nor done",
    async () => {
      await pane.type("t");
      await pane.shows("to t1 mine:");
      await pane.type("hello\n");
      await pane.shows("heard hello");
      await pane.type("l");
      await pane.shows("t1 mine: output", "heard hello", "q back");
      await pane.type("q");
      const offered = await pane.shows("Enter attach  t type  l journal", "q quit");
      assert.doesNotMatch(offered, / (?:x stop|r restart|D delete) /);
      for (const key of ["x", "r", "D"]) {
        await pane.type(key);
        await pane.shows("it belongs to your own tmux and can only be read and answered");
        await pane.press("Escape");
        await pane.lacks("it belongs to your own tmux");
      }
      own("set-option", "-g", "assume-paste-time", "0");
      await pane.press("Enter");
      // Its own window is shown, not the last used one.
      await pane.shows(/^\[mine\] 0:/m, "heard hello");
      await pane.press("C-b", "d");
      await pane.shows("attach t1: detached", "─ t1 mine");
    },
  );

  await step("when it has ended, its row can be removed", async () => {
    own("kill-session", "-t", "=mine");
    await pane.shows("─ t1 mine Exited", "ended in your own tmux", "D delete");
    await pane.type("l");
    await pane.shows("its output in your own tmux was not kept");
    await pane.type("D");
    await pane.shows("remove t1 mine?");
    await pane.type("y");
    await pane.shows("rm t1: terminal t1 removed", "─ 1 fix-the-login");
    await pane.type("q");
    await pane.shows(/ready>\s*$/);
  });

  const script =
    'printf "Overwrite? [y/N] "; read answer; echo "got $answer"; while read line; do echo "heard $line"; done';
  const { id } = await client.run({ argv: ["sh", "-c", script], name: "asking", cwd: root });
  const select = async (row: string) => {
    await pane.type(`/${row}\n`);
    await pane.shows(`[/${row}]`, `─ ${row} `);
    await pane.press("Escape");
    await pane.lacks(`[/${row}]`);
    return pane.shows(`─ ${row} `, "q quit");
  };
  const begin = async (scope: "read" | "send" | "approve", more = "") => {
    const { token } = await client.token_create({ name: scope, scope });
    await pane.type(`clear; ${more} PANEWARD_URL=http://127.0.0.1:${daemon.port} PANEWARD_TOKEN=${token} paneward\n`);
    const scopeShown = scope === "read" ? "[read only]" : `[scope ${scope}]`;
    await pane.shows(`[http://127.0.0.1:${daemon.port}]`, scopeShown, /1 +fix-the-login/);
    return select(`${id} asking`);
  };
  const leave = async () => {
    await pane.type("q");
    await pane.shows(/ready>\s*$/);
  };

  await step("a read-only token: the screen is live, and no key is offered that would fail", async () => {
    const shown = await begin("read");
    assert.match(shown, / Tab next need {2}l journal {2}\/ filter {2}w wide list {2}\? help {2}q quit/);
    for (const key of ["a", "t", "x", "D", "N", "n", "u", "Enter"]) {
      await pane.press(key);
      await pane.shows(/your token has the scope read, but this needs (?:send|approve): `paneward token create/);
      await pane.press("Escape");
      await pane.lacks("your token has the scope");
    }
    await client.send({ id, text: "n" });
    await pane.shows("got n");
    await client.send({ id, text: "one" });
    await pane.shows("heard one");
    await pane.type("l");
    await pane.shows("asking: output", "heard one");
    await pane.type("q");
    await leave();
  });

  await step("a token with scope approve, on this machine: type, answer, attach and detach", async () => {
    await client.stop({ id });
    await client.restart({ id });
    await begin("approve");
    await pane.shows("Overwrite? [y/N]", "a answer", "Enter attach");
    await pane.type("a");
    await pane.shows("─ yes or no ");
    await pane.type("y");
    await pane.press("Enter");
    await pane.shows("got y");
    await pane.type("t");
    await pane.shows(`to ${id} asking:`);
    await pane.type("two\n");
    await pane.shows("heard two");
    execFileSync("tmux", ["-S", env.PANEWARD_TMUX_SOCKET_PATH ?? "", "set-option", "-g", "assume-paste-time", "0"]);
    await pane.press("Enter");
    await pane.shows(/leaves it running/, "heard two");
    await pane.press("C-b", "d");
    await pane.shows(`attach ${id}: detached`, `─ ${id} asking`);
    await leave();
  });

  await step(
    "a daemon on another machine: local actions are refused; a new task goes to the selected project",
    async () => {
      const shown = await begin("send", `PANEWARD_SOCKET_PATH=${folder}/nobody`);
      assert.doesNotMatch(shown, /Enter attach|N new/);
      await pane.press("Enter");
      await pane.shows(/runs on another machine: run `paneward attach t\d+` there/);
      await pane.type("n");
      await pane.shows("first select a task of the project");
      await pane.press("Home");
      await pane.shows("─ 1 fix-the-login", "N new+start");
      await pane.type("!");
      await pane.shows(/the daemon at http:\S+ runs on another machine/);
      await pane.type("n");
      await pane.shows("new draft in shop:");
      await pane.type("From afar\n");
      await pane.shows(/2 +from-afar +Draft/);
    },
  );

  await step("the daemon goes away: the title shows it, and the rows stay", async () => {
    await daemon.kill("SIGKILL");
    await pane.shows("reconnecting", /2 +from-afar +Draft/);
    await leave();
  });

  await step("an unknown token is refused with a message", async () => {
    await daemon.start();
    const { id: revoked, token: gone } = await client.token_create({ scope: "read" });
    await client.token_revoke({ id: revoked });
    await pane.type(`clear; PANEWARD_URL=http://127.0.0.1:${daemon.port} PANEWARD_TOKEN=${gone} paneward\n`);
    await pane.shows("this token is not known, or it was revoked", /ready>\s*$/);
  });
});

/** A program that fires a hook as an agent does, asks once, and then echoes its input. */
function ownAgent({ folder }: TestDaemon): string {
  const hookFile = join(folder, "hook.json");
  writeFileSync(hookFile, JSON.stringify({ hook_event_name: "SessionStart", session_id: "mine", cwd: folder }));
  const program = join(folder, "own-agent");
  const fire = `sh ${join(folder, "state", "hooks", "hook.sh")} tell mine <${hookFile}`;
  const rest = `printf 'Go on? [y/N] '; read answer; echo "got $answer"; while read line; do echo "heard $line"; done`;
  // A hook gives up after a second, which may be too short on a busy machine, so fire it until one was seen.
  const seen = join(folder, "seen");
  writeFileSync(program, `#!/bin/sh\nuntil [ -e ${seen} ]; do ${fire}; sleep 0.5; done\n${rest}\n`);
  chmodSync(program, 0o755);
  return program;
}
