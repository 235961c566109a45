import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { DaemonArena } from "./daemon-arena.ts";
import { endTmux } from "./interrupt.ts";
import { median, percentile } from "./measure.ts";
import { processorMs } from "./processes.ts";
import { atMost, type Result } from "./result.ts";
import { spawned } from "./ways.ts";

const tasks = 190;
const busy = 10;
const starts = 15;
const watchedMs = 20_000;

/** Time until the terminal interface shows everything, and its cost with 200 rows of which 10 print. */
export async function terminalInterface(arena: DaemonArena): Promise<Result> {
  await fill(arena);
  const times: number[] = [];
  for (let at = 0; at < starts; at++) times.push((await shown(arena, async () => 0)).ms);
  const { result: share } = await shown(arena, async (pid) => {
    await delay(2_000);
    const before = processorMs(pid);
    await delay(watchedMs);
    return ((processorMs(pid) - before) / watchedMs) * 100;
  });
  const note = `${tasks + busy} rows, ${busy} of them print five times a second; a tmux pane as terminal`;
  return {
    rows: [
      { question: "terminal interface, start to full frame, median", unit: "ms", ours: median(times), note },
      { question: "terminal interface, start to full frame, p95", unit: "ms", ours: percentile(times, 95), note },
      { question: "terminal interface, share of one core", unit: "%", ours: share, note },
    ],
    targets: [
      atMost("terminal interface, first full frame, median", median(times), 150, " ms"),
      atMost("terminal interface with 200 rows, share of one core", share, 5, " %"),
    ],
  };
}

async function fill({ client, folder, env }: DaemonArena): Promise<void> {
  const root = join(folder, "repo");
  mkdirSync(root);
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", root, ...args], { env, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("-c", "user.name=b", "-c", "user.email=b@localhost", "commit", "-q", "--allow-empty", "-m", "first");
  for (let at = 0; at < tasks; at++) await client.new({ root, text: `Thing number ${at}`, draft: true });
  const argv = ["sh", "-c", 'i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.2; done'];
  for (let at = 0; at < busy; at++) await client.run({ argv, name: `busy-${at}`, cwd: root });
}

/** Starts the interface in a pane, waits until its last row is drawn, runs `work`, and ends it. */
async function shown<Value>({ folder, env, cli }: DaemonArena, work: (pid: number) => Promise<Value>) {
  const socket = join(folder, "person.sock");
  const words = Object.entries({ ...env, TERM: "screen-256color" }).map(([name, value]) => `${name}=${value}`);
  const begun = performance.now();
  const size = ["-x", "140", "-y", "40"];
  const program = ["env", "-i", ...words, process.execPath, cli];
  execFileSync("tmux", ["-S", socket, "-f", "/dev/null", "new-session", "-d", ...size, ...program]);
  try {
    for (;;) {
      const screen = await spawned(socket, "capture-pane", "-p");
      if (screen.includes("thing-number-1") && screen.includes("q quit")) break;
    }
    const ms = performance.now() - begun;
    const pid = Number(await spawned(socket, "display-message", "-p", "#{pane_pid}"));
    return { ms, result: await work(pid) };
  } finally {
    endTmux(socket);
  }
}
