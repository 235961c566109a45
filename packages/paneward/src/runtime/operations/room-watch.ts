import type { Cancel, Room } from "../ports.ts";
import type { World } from "../world.ts";

type Watched = Pick<World, "store" | "clock" | "log" | "terminals" | "machine" | "places">;

/**
 * Reports once that nothing can be stored, because the disk is full or another process holds the database; stores what
 * waits in memory as soon as it can be, and reports that too. Begin before anything is written.
 */
export function watchRoom(world: Watched): { stop(): void } {
  const { store, clock, log } = world;
  let cancel: Cancel = () => {};
  const tryLater = () => {
    cancel = clock.timer(pauseMs(store.room()), () => {
      if (!isStored(world)) tryLater();
    });
  };
  let wasFull = false;
  const news = reportOnce(world);
  const stopLooking = watchOutput(world, news);
  const stop = store.onRoom(({ full, isBusy }) => {
    cancel();
    if (full === undefined) {
      log.info("the database can be written again; everything is stored");
      news("database", undefined);
      if (wasFull) void reopenJournals(world);
      return;
    }
    wasFull = !isBusy;
    log.error("the database cannot be written; what happens waits in memory", { reason: full });
    tryLater();
    news("database", { state: isBusy ? "busy" : "full", reason: full });
  });
  return {
    stop() {
      cancel();
      stop();
      stopLooking();
    },
  };
}

interface Trouble {
  readonly state: "busy" | "full";
  readonly reason: string;
}

type Report = (of: "database" | "output", trouble: Trouble | undefined) => void;

/** Both may be on one disk: that it is full is one event, and that it no longer is. */
function reportOnce({ store }: Watched): Report {
  const troubles = new Map<string, Trouble>();
  return (of, trouble) => {
    const had = troubles.size > 0;
    if (trouble) troubles.set(of, trouble);
    else troubles.delete(of);
    if (had === troubles.size > 0) return;
    const event = trouble ?? ({ state: "ok", reason: "everything is stored" } as const);
    store.keep((writer) => writer.append("storage_changed", event));
  };
}

/**
 * A disk without room for output need not be full for the database, which has files already. What the programs print
 * then is lost, and without a new pipe so would be what they print next.
 */
function watchOutput(world: Watched, news: Report): Cancel {
  const { clock, log, machine, places } = world;
  let isFull = false;
  const look = async () => {
    const free = await machine.free(places.journals).catch(() => undefined);
    const wanted = isFull ? room : { bytes: room.bytes / 16, files: room.files / 16 };
    const lacks = free && (free.bytes < wanted.bytes ? "space" : free.files < wanted.files ? "files" : undefined);
    if (!free || isFull === (lacks !== undefined)) return;
    isFull = lacks !== undefined;
    const reason = `there is no room for more ${lacks} in ${places.journals}: what programs print is not kept`;
    news("output", isFull ? { state: "full", reason } : undefined);
    if (isFull) log.error(reason);
    else await reopenJournals(world);
  };
  return clock.interval(lookEveryMs, () => void look());
}

const lookEveryMs = 1_000;
/** When output is kept again; a sixteenth of it is no room at all. */
const room = { bytes: 1_048_576, files: 128 } as const;

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
