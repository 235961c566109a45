import { type DaemonArena, openIdle } from "./daemon-arena.ts";
import { median, timed } from "./measure.ts";
import { processorMs } from "./processes.ts";
import { atMost, type Result } from "./result.ts";

const rounds = 5;
const together = 100;

/** Time until the last of 100 terminals that are started at once is answered, next to one alone. */
export async function startedTogether(arena: DaemonArena): Promise<Result> {
  const { client, pid, tmuxPid } = arena;
  await openIdle(arena, 1);
  const [all, one, daemon, tmux]: readonly [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < rounds; round++) {
    one.push(await timed(() => openIdle(arena, 1)));
    const before = [processorMs(pid), processorMs(tmuxPid)];
    const open = () => client.run({ argv: ["sleep", "1000000"] });
    const started: string[] = [];
    const openAll = async () => {
      started.push(...(await Promise.all(Array.from({ length: together }, open))).map(({ id }) => id));
    };
    all.push(await timed(openAll));
    daemon.push(processorMs(pid) - (before[0] ?? 0));
    tmux.push(processorMs(tmuxPid) - (before[1] ?? 0));
    // Each round begins with as few.
    for (const id of started) await client.rm({ id });
  }
  const last = median(all);
  const note = `CPU time: daemon ${median(daemon)} ms, tmux server ${median(tmux)} ms`;
  const question = `${together} terminals started at once, last answer`;
  return {
    rows: [
      { question, unit: "ms", ours: last, note },
      { question: "one terminal started alone", unit: "ms", ours: median(one) },
    ],
    targets: [atMost(question, last, 300, " ms")],
  };
}
