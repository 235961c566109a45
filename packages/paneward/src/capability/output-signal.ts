import type { WorkspacePane } from "../runtime/ports.ts";
import type { World } from "../runtime/world.ts";

/** Fires when a pane prints, when its shell ends, and when the caller disconnects. */
export function outputSignal(world: World, { place }: WorkspacePane, signal: AbortSignal | undefined) {
  let pending = Promise.withResolvers<void>();
  let lastFiredAt: number | undefined;
  const fire = () => {
    lastFiredAt = world.clock.monotonic();
    pending.resolve();
    pending = Promise.withResolvers();
  };
  signal?.addEventListener("abort", fire);
  const stopNews = world.terminals.onNews((news) => {
    if ("place" in news && news.place.pane === place.pane && news.place.server === place.server) fire();
  });
  return {
    /** Resolves when it fires next. */
    next: () => pending.promise,
    lastFiredAt: (otherwise: number) => lastFiredAt ?? otherwise,
    /** True if `fired` resolved before the time was up. */
    async waitOrTimeout(fired: Promise<void>, ms: number): Promise<boolean> {
      const over = Promise.withResolvers<false>();
      const cancel = world.clock.timer(Math.max(0, ms), () => over.resolve(false));
      const first = await Promise.race([fired.then(() => true), over.promise]);
      cancel();
      return first;
    },
    stop(): void {
      signal?.removeEventListener("abort", fire);
      stopNews();
    },
  };
}
