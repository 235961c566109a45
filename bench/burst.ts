import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { bareTerminals } from "./bare-terminals.ts";
import { type DaemonArena, openIdle } from "./daemon-arena.ts";
import { interleaved, median, timed } from "./measure.ts";
import { processorMs, processorMsBelow } from "./processes.ts";
import { atMost, type Result } from "./result.ts";

const rounds = 5;
const together = 100;

/**
 * Time until the last of 100 terminals that are started at once is answered, next to one alone and to the least that tmux
 * needs for as many panes with a pipe: one command sequence in one process.
 */
export async function startedTogether(arena: DaemonArena): Promise<Result> {
  const { client, pid, tmuxPid } = arena;
  await openIdle(arena, 1);
  const [daemon, tmux, below]: readonly [number[], number[], number[]] = [[], [], []];
  const ours = async () => {
    const before = [processorMs(pid), processorMs(tmuxPid), processorMsBelow(tmuxPid)];
    const open = () => client.run({ argv: ["sleep", "1000000"] });
    const started: string[] = [];
    const openAll = async () => {
      started.push(...(await Promise.all(Array.from({ length: together }, open))).map(({ id }) => id));
    };
    const ms = await timed(openAll);
    const after = [processorMs(pid), processorMs(tmuxPid), processorMsBelow(tmuxPid)];
    for (const [at, samples] of [daemon, tmux, below].entries()) samples.push((after[at] ?? 0) - (before[at] ?? 0));
    // Each round begins with as few.
    await Promise.all(started.map((id) => client.rm({ id })));
    return [ms];
  };
  const bare = async () => {
    const folder = await mkdtemp(join(arena.folder, "bare-"));
    try {
      return [await bareTerminals(folder, arena.env, together)];
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  };
  const samples = await interleaved(rounds, { one: async () => [await timed(() => openIdle(arena, 1))], ours, bare });
  const [last, least] = [median(samples.ours), median(samples.bare)];
  const note = `bare: one sequence of new-session and pipe-pane; CPU time: daemon ${median(daemon)} ms, tmux server ${median(tmux)} ms, what it started ${median(below).toFixed(0)} ms`;
  const question = `${together} terminals started at once, last answer`;
  return {
    rows: [
      { question, unit: "ms", ours: last, bare: least, note },
      { question: "one terminal started alone", unit: "ms", ours: median(samples.one) },
    ],
    targets: [atMost(question, last, 300, " ms"), atMost(`${question}, times the bare way`, last / least, 2, "x")],
  };
}
