import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { terminalModes } from "../src/transport/terminal-modes.ts";
import { afterwards, temporaryFolder } from "./support/folder.ts";
import { runProgram } from "./support/run.ts";
import { until } from "./support/until.ts";

test("the modes of many terminals are reported by one shell, also when it ends meanwhile", async (t) => {
  const folder = await temporaryFolder(t);
  const tmux = (...args: readonly string[]) =>
    runProgram(["tmux", "-f", "/dev/null", "-S", join(folder, "s"), ...args]);
  afterwards(t, async () => void (await tmux("kill-server")));
  const open = (program: string) => ["new-session", "-d", "-P", "-F", "#{pane_tty}", program];
  const [hidden = "", plain = ""] = [await tmux(...open("stty -echo; sleep 1000")), await tmux(...open("sleep 1000"))];
  const isHidden = async (terminal: string) => /(^|\s)-echo(\s|$)/m.test(await terminalModes(terminal.trim()));

  await until("the terminal does not echo", () => isHidden(hidden));
  const shell = children();
  assert.equal(shell.length, 1);
  const many = Array.from({ length: 20 }, (_, at) => (at % 2 ? hidden : plain));
  assert.deepEqual(
    await Promise.all(many.map(isHidden)),
    many.map((terminal) => terminal === hidden),
  );
  assert.deepEqual(children(), shell, "no other shell was started");

  const answers = Promise.all(many.map(isHidden));
  for (const pid of shell) process.kill(pid, "SIGKILL");
  assert.deepEqual(
    await answers,
    many.map((terminal) => terminal === hidden),
  );
  assert.equal(await terminalModes(join(folder, "none")), "", "what is no terminal has no modes");
});

function children(): readonly number[] {
  const text = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}
