import { reportsBeforePlacedMs } from "../../model/timing.ts";
import type { Clock, Store } from "../ports.ts";

/**
 * A program runs before tmux's answer about its pane is recorded, and on a busy machine its first hook is faster. Waits while
 * terminals are being opened, until `isPlaced`.
 */
export async function untilPlaced(
  { clock, store }: { readonly clock: Clock; readonly store: Pick<Store, "onEvents" | "terminals"> },
  isPlaced: () => boolean,
): Promise<void> {
  const isOver = () => isPlaced() || !store.terminals().some(({ phase }) => phase === "starting");
  if (isOver()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stopListening = store.onEvents(() => {
    if (isOver()) resolve();
  });
  const stopTimer = clock.timer(reportsBeforePlacedMs, resolve);
  await promise;
  stopTimer();
  stopListening();
}
