import type { Cancel, Room } from "../ports.ts";
import type { World } from "../world.ts";

/**
 * Reports once that there is no room on the disk, stores what waits in memory as soon as there is, and reports that too.
 * Begin before anything is written.
 */
export function watchRoom(world: Pick<World, "store" | "clock" | "log" | "terminals">): { stop(): void } {
  const { store, clock, log } = world;
  let cancel: Cancel = () => {};
  const tryLater = () => {
    cancel = clock.timer(pauseMs(store.room()), () => {
      if (!store.flush()) tryLater();
    });
  };
  const stop = store.onRoom(({ full }) => {
    cancel();
    if (full === undefined) {
      log.info("there is room on the disk again; everything is stored");
      store.keep((writer) => writer.append("storage_changed", { state: "ok", reason: "everything is stored" }));
      void reopenJournals(world);
      return;
    }
    log.error("no room on the disk; what happens waits in memory", { reason: full });
    tryLater();
    store.keep((writer) => writer.append("storage_changed", { state: "full", reason: full }));
  });
  return {
    stop() {
      cancel();
      stop();
    },
  };
}

// `split` has ended if its disk was full, and tmux 3.3a notices only with the next output, which is lost then.
async function reopenJournals({ store, terminals, log }: Pick<World, "store" | "terminals" | "log">): Promise<void> {
  for (const { id, host, place, journal, phase, adopted } of store.terminals()) {
    if (phase !== "running" || adopted || !place) continue;
    await terminals.reopenJournal(place, host, journal).catch((error: unknown) => {
      log.warn("a journal could not be opened again", { terminal: id, error: String(error) });
    });
  }
}

// A failed try executes everything that waits once more.
function pauseMs({ waiting }: Room): number {
  return 1_000 + waiting;
}
