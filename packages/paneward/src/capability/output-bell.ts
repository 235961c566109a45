import type { WorkspacePane } from "../runtime/ports.ts";
import type { World } from "../runtime/world.ts";

/** Rings when a pane prints, when its shell ends, and when the caller is gone. */
export function outputBell(world: World, { place }: WorkspacePane, signal: AbortSignal | undefined) {
  let ringing = Promise.withResolvers<void>();
  let lastRing: number | undefined;
  const ring = () => {
    lastRing = world.clock.now();
    ringing.resolve();
    ringing = Promise.withResolvers();
  };
  signal?.addEventListener("abort", ring);
  const stopNews = world.terminals.onNews((news) => {
    if ("place" in news && news.place.pane === place.pane && news.place.server === place.server) ring();
  });
  return {
    /** Settles at the next ring after this was asked for. */
    next: () => ringing.promise,
    lastRing: (otherwise: number) => lastRing ?? otherwise,
    /** Did it ring, or was the time up first? */
    async orAfter(rung: Promise<void>, ms: number): Promise<boolean> {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), Math.max(0, ms));
      });
      const first = await Promise.race([rung.then(() => true), late]);
      clearTimeout(timer);
      return first;
    },
    stop(): void {
      signal?.removeEventListener("abort", ring);
      stopNews();
    },
  };
}
