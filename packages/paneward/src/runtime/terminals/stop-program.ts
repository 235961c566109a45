import type { TerminalRecord } from "../../model/records.ts";
import type { Signal } from "../ports.ts";
import type { Running } from "../running.ts";
import { within } from "../within.ts";
import type { World } from "../world.ts";

type Ending = Pick<World, "clock" | "terminals">;

/**
 * Signals a program until its end is recorded and nothing of it is left, with the mildest signal first. Gives up after the last
 * signal.
 */
export async function stopProgram(world: World, { id, host, place }: Running): Promise<void> {
  const ended = whenEnded(world, id);
  try {
    await signalled(world, { host, pid: place.pid }, stopSignals, (ms) => within(world.clock, ended.promise, ms));
  } finally {
    ended.cancel();
  }
}

/** The same for a program that another one replaces: its end is nothing to record. */
export function endReplaced(world: Ending, host: string, pid: number): Promise<void> {
  return signalled(world, { host, pid }, replaceSignals, async () => true);
}

type Steps = readonly (readonly [Signal, ms: number])[];

/** Each signal, and how long the program has before the next. An interactive shell ignores TERM and obeys HUP. */
const stopSignals: Steps = [
  ["TERM", 1_500],
  ["HUP", 1_000],
  ["KILL", 2_000],
];

/** tmux hangs up as well when it runs something else in a pane. */
const replaceSignals: Steps = [
  ["HUP", 1_500],
  ["KILL", 2_000],
];

async function signalled(
  { clock, terminals }: Ending,
  { host, pid }: { readonly host: string; readonly pid: number },
  steps: Steps,
  hasEnded: (ms: number) => Promise<boolean>,
): Promise<void> {
  for (const [signal, ms] of steps) {
    const over = clock.monotonic() + ms;
    await terminals.signal(host, pid, signal);
    if (!(await hasEnded(ms))) continue;
    // opencode began to end when its terminal hung up, and ran on for a quarter of an hour.
    for (let wait = 10; ; wait = Math.min(wait * 2, 100)) {
      if (!(await terminals.isLeft(host, pid))) return;
      const leftMs = over - clock.monotonic();
      if (leftMs <= 0) break;
      await clock.sleep(Math.min(wait, leftMs));
    }
  }
}

function whenEnded({ store }: World, id: TerminalRecord["id"]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = store.onEvents(() => {
    if (store.terminal(id)?.phase !== "running") resolve();
  });
  return { promise, cancel };
}
