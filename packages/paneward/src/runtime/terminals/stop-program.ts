import type { TerminalRecord } from "../../model/records.ts";
import type { Running } from "../running.ts";
import { within } from "../within.ts";
import type { World } from "../world.ts";

/** Signals a program until its end is recorded, with the mildest signal first. Gives up after the last signal. */
export async function stopProgram(world: World, { id, host, place }: Running): Promise<void> {
  const ended = whenEnded(world, id);
  try {
    for (const [signal, ms] of stopSignals) {
      await world.terminals.signal(host, place.pid, signal);
      if (await within(world.clock, ended.promise, ms)) return;
    }
  } finally {
    ended.cancel();
  }
}

/** Each signal, and how long the program has before the next. An interactive shell ignores TERM and obeys HUP. */
const stopSignals = [
  ["TERM", 1_500],
  ["HUP", 1_000],
  ["KILL", 2_000],
] as const;

function whenEnded({ store }: World, id: TerminalRecord["id"]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = store.onEvents(() => {
    if (store.terminal(id)?.phase !== "running") resolve();
  });
  return { promise, cancel };
}
