import { setTimeout as delay } from "node:timers/promises";
import type { DaemonArena } from "./daemon-arena.ts";
import { processorMs, residentMb } from "./processes.ts";
import { atMost, type Result } from "./result.ts";

const terminals = 100;
const seconds = 10;
const settleMs = 5_000;

/** Cost of the daemon while a hundred terminals print five lines a second each. */
export async function busy({ client, pid, tmuxPid }: DaemonArena): Promise<Result> {
  const script = "at=0; while :; do at=$((at + 1)); echo line $at of something that is built; sleep 0.2; done";
  for (let open = 0; open < terminals; open += 10) {
    await Promise.all(Array.from({ length: 10 }, () => client.run({ argv: ["sh", "-c", script] })));
  }
  await delay(settleMs);
  const used = () => [processorMs(pid), processorMs(tmuxPid)];
  const before = used();
  const began = performance.now();
  await delay(seconds * 1_000);
  const percent = used().map((ms, at) => ((ms - (before[at] ?? 0)) / (performance.now() - began)) * 100);
  const [daemon = 0, tmux = 0] = percent;
  const question = `daemon, ${terminals} terminals printing 5 lines/s`;
  return {
    rows: [
      { question: `${question}, processor`, unit: "%", ours: daemon, note: `tmux server ${tmux.toFixed(1)} %` },
      { question: `${question}, memory`, unit: "MB", ours: residentMb(pid) },
    ],
    targets: [atMost(`${question}, of one core`, daemon, 40, " %")],
  };
}
