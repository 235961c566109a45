import type { Cancel, Room } from "../ports.ts";
import type { World } from "../world.ts";

/**
 * Reports once that nothing can be stored, because the disk is full or another process holds the database; stores what
 * waits in memory as soon as it can be, and reports that too. Begin before anything is written.
 */
export function watchRoom(world: Pick<World, "store" | "clock" | "log" | "terminals">): { stop(): void } {
  const { store, clock, log } = world;
  let cancel: Cancel = () => {};
  const tryLater = () => {
    cancel = clock.timer(pauseMs(store.room()), () => {
      if (!isStored(world)) tryLater();
    });
  };
  let wasFull = false;
  const stop = store.onRoom(({ full, isBusy }) => {
    cancel();
    if (full === undefined) {
      log.info("the database can be written again; everything is stored");
      store.keep((writer) => writer.append("storage_changed", { state: "ok", reason: "everything is stored" }));
      if (wasFull) void reopenJournals(world);
      return;
    }
    wasFull = !isBusy;
    log.error("the database cannot be written; what happens waits in memory", { reason: full });
    tryLater();
    store.keep((writer) => writer.append("storage_changed", { state: isBusy ? "busy" : "full", reason: full }));
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

function isStored({ store, log }: Pick<World, "store" | "log">): boolean {
  try {
    return store.flush();
  } catch (error) {
    log.error("what waits could not be stored", { error: String(error) });
    return false;
  }
}

// On a full disk a failed try executes everything that waits once more. Asking for a lock costs nothing.
function pauseMs({ isBusy, waiting }: Room): number {
  return isBusy ? 200 : 1_000 + waiting;
}
