import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { toOuterTerminal } from "../../src/notify/channels/outer-terminal.ts";
import { terminal } from "../../src/notify/channels/terminal.ts";
import { runProgram } from "../../src/notify/run-program.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { asked, realTools } from "./support/tools.ts";

test("a notice is a line in the attached terminal, and nothing in it is obeyed by tmux", async (t) => {
  const folder = await temporaryFolder(t);
  const tmuxSocket = join(folder, "tmux.sock");
  const tmux = (...args: readonly string[]) =>
    spawnSync("tmux", ["-S", tmuxSocket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  tmux("new-session", "-d", "-s", "work", "sleep 60");
  afterwards(t, () => void tmux("kill-server"));
  const ran: string[] = [];
  const tools = realTools({
    tmuxSocket,
    run: (argv, options) => {
      ran.push(argv.join(" "));
      return runProgram(argv, options);
    },
  });
  const send = (body: string) => terminal.send({ ...asked, title: "fix-login asks", body }, { settings: {} }, tools);
  assert.deepEqual(await send("x"), { kind: "refused", said: "nobody is attached", nobody: true });

  const env = { PATH: process.env.PATH, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const person = spawn("script", ["-qec", `tmux -S '${tmuxSocket}' attach -t work`, "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
    env,
  });
  let seen = "";
  person.stdout.setEncoding("utf8").on("data", (piece: string) => {
    seen += piece;
  });
  await until("a person is attached", () => tmux("list-clients").stdout !== "");
  const file = join(folder, "made-by-tmux");
  const outcome = await send(`#(touch ${file}) %H #{pid}`);
  assert.deepEqual(outcome, { kind: "sent", said: "1 attached", delivered: true });
  await until("it is drawn", () => seen.includes("fix-login asks: #(touch"));
  assert.ok(seen.includes("%H #{pid}"));
  assert.ok(!ran.join().includes("fix-login"), "other users of the machine can read the arguments of a process");
  await send(`it's "a" \\ 'b'; kill-server`);
  await until("quotes are drawn as they are", () => seen.includes(`it's "a" \\ 'b'; kill-server`));
  assert.equal(existsSync(file), false);
  // The terminal around tmux is told too, which tmux itself would keep from it.
  const osc9 = "\x1b]9;fix-login asks: ";
  await until("the outer terminal is told", () => seen.includes(osc9));
  assert.equal(seen.split(osc9).length, 3, "once for each");
  await send("4;1;100\x1b]52;c;eA==\x07\x9d0;x\nmore");
  await until("the second one", () => seen.split(osc9).length === 4);
  assert.doesNotMatch(seen, /\x1b\]52;|\x9d/);
});

test("the outer terminal is spoken to as it understands, or not at all", () => {
  const words = { title: "a;b", line: "c" };
  assert.equal(toOuterTerminal("xterm-256color", "iTerm2 3.5", words), "\x1b]9;a,b: c\x07");
  assert.equal(toOuterTerminal("xterm-256color", "VTE(7600)", words), "\x1b]777;notify;a,b;c\x07");
  assert.equal(toOuterTerminal("rxvt-unicode-256color", "", words), "\x1b]777;notify;a,b;c\x07");
  assert.equal(toOuterTerminal("tmux-256color", "", words), "\x1bPtmux;\x1b\x1b]9;a,b: c\x07\x1b\\");
  for (const name of ["linux", "dumb", "screen", "vt100", ""])
    assert.equal(toOuterTerminal(name, "", words), undefined);
});
