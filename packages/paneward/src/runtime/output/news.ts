import type { PanePlace } from "../../model/records.ts";
import { within } from "../within.ts";
import type { World } from "../world.ts";

export interface NewsDeps extends Pick<World, "clock" | "store" | "terminals"> {
  /** The terminal that a pane belongs to, also after its program ended. */
  readonly terminalAt: (place: PanePlace) => string | undefined;
}

export interface OutputListener {
  /** Waits for the next news of the terminal, for an abort, or until the time is up. */
  wait(ms: number): Promise<void>;
  cancel(): void;
}

/** Output and the end of one terminal, from now on. Call this before reading, so that nothing is missed in between. */
export function listenForOutput(deps: NewsDeps, id: string, signal: AbortSignal | undefined): OutputListener {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = () => resolve();
  signal?.addEventListener("abort", wake);
  const stops = [
    () => signal?.removeEventListener("abort", wake),
    deps.terminals.onNews((news) => {
      if (news.kind === "output" && deps.terminalAt(news.place) === id) resolve();
    }),
    deps.store.onEvents(() => {
      if (isEnded(deps, id)) resolve();
    }),
  ];
  return {
    cancel() {
      for (const stop of stops) stop();
    },
    async wait(ms) {
      await within(deps.clock, promise, ms);
    },
  };
}

export function isEnded(world: Pick<World, "store">, id: string): boolean {
  return (world.store.terminal(id)?.phase ?? "ended") === "ended";
}
