import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Arena } from "./arena.ts";
import { type Death, dyingProgram, isWhole, judge, patienceMs, wallClock } from "./dying.ts";
import { BareControl, spawned } from "./ways.ts";

type AskState = (target: string) => Promise<string>;

/** Exits reported by a hook and `wait-for` to a bare control client: no wrapper, no repair. */
export async function bareEnds(arena: Arena): Promise<{ one: () => Promise<Death>; close: () => void }> {
  const channel = "bench_died";
  const waiter = await BareControl.open(arena.server.socketPath);
  await arena.bare.ask(`set-hook -g pane-died[50] "wait-for -S ${channel}"`);
  const askState: AskState = async (target) =>
    (await arena.bare.ask(`display-message -p -t ${target} "${state}"`)).join("");
  // The waiter's second command is answered when the channel fires; a timer fires it too, since a lost exit would hang.
  const wake = async () => {
    const alarm = setTimeout(() => arena.bare.ask(`wait-for -S ${channel}`), patienceMs);
    await waiter.ask(`wait-for ${channel}`, "display-message -p woke");
    clearTimeout(alarm);
  };
  return { one: () => oneEnd(arena, askState, wake), close: () => waiter.close() };
}

/** Exits found by polling, one process per poll, without a pause. */
export function polledEnd(arena: Arena): Promise<Death> {
  const askState: AskState = (target) => spawned(arena.server.socketPath, "display-message", "-p", "-t", target, state);
  return oneEnd(arena, askState, async () => {});
}

const graceMs = 300;
const state = "#{pane_dead} #{pane_dead_status}";

async function oneEnd(arena: Arena, askState: AskState, wake: () => Promise<void>): Promise<Death> {
  const name = arena.name();
  const target = `=${name}:`;
  const file = join(arena.folder, `${name}.time`);
  const output = join(arena.folder, `${name}.plain`);
  const pipe = ["pipe-pane", "-O", "-t", target, `exec cat >>${output}`];
  await spawned(arena.server.socketPath, "new-session", "-d", "-s", name, ...dyingProgram(file), ";", ...pipe);
  const news = await firstNews(askState, target, wake);
  const death = judge(news, file, await wholeOutput(output));
  await spawned(arena.server.socketPath, "kill-session", "-t", `=${name}`);
  return death;
}

// Nothing signals that `cat` has written everything, so it gets extra time; the driver is judged at its event.
async function wholeOutput(path: string): Promise<string> {
  const deadline = performance.now() + graceMs;
  for (;;) {
    const output = await readFile(path, "utf8").catch(() => "");
    if (isWhole(output) || performance.now() > deadline) return output;
    await delay(5);
  }
}

async function firstNews(askState: AskState, target: string, wake: () => Promise<void>) {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const [dead, code = ""] = (await askState(target)).trim().split(" ");
    if (dead === "1" && code !== "") return { at: wallClock(), code: Number(code) };
    await wake();
  }
  return undefined;
}
