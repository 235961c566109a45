import { setTimeout as delay } from "node:timers/promises";
import type { DaemonArena } from "./daemon-arena.ts";
import { childrenOf, processorMs, residentMb } from "./processes.ts";
import { atMost, type Result } from "./result.ts";

const seconds = 10;
// Every terminal is looked at once: a hundred in a second.
const settleMs = (terminals: number) => 3_000 + terminals * 10;

/** Cost of the daemon while nothing happens. */
export async function idle({ pid, tmuxPid }: DaemonArena, terminals: number): Promise<Result> {
  // By then every terminal was reported as idle, and its program has started.
  await delay(settleMs(terminals));
  const groups = { daemon: [pid], tmux: [tmuxPid], clients: childrenOf(pid) };
  const used = () => Object.values(groups).map((pids) => pids.reduce((sum, one) => sum + processorMs(one), 0));
  const before = used();
  const began = performance.now();
  await delay(seconds * 1_000);
  const percent = used().map((ms, at) => ((ms - (before[at] ?? 0)) / (performance.now() - began)) * 100);
  const [daemon = 0, tmux = 0, clients = 0] = percent;
  const megabytes = residentMb(pid);
  const question = `daemon, ${terminals} idle terminals`;
  const note = `beside it: tmux server ${tmux.toFixed(1)} %, its clients ${clients.toFixed(1)} %`;
  return {
    rows: [
      { question: `${question}, processor`, unit: "%", ours: daemon, note },
      { question: `daemon and tmux server, ${terminals} idle terminals, processor`, unit: "%", ours: daemon + tmux },
      { question: `${question}, memory`, unit: "MB", ours: megabytes },
    ],
    targets:
      terminals < 1_000
        ? []
        : [
            atMost(`daemon and tmux server, ${terminals} idle terminals, of one core`, daemon + tmux, 3, " %"),
            atMost(`${question}, resident memory`, megabytes, 200, " MB"),
          ],
  };
}
