import type { World } from "../world.ts";
import { stateFolderTrouble } from "./state-folder.ts";

/**
 * Notices that the database's file was removed, replaced or emptied while it is in use, and puts it back if possible. If the
 * whole state folder was moved away, what is open moved with it, and it waits.
 */
export function watchFile(world: Pick<World, "store" | "clock" | "log" | "machine" | "places">): { stop(): void } {
  const { store, clock, log } = world;
  let failed = false;
  const isGone = watchFolder(world);
  const look = () => {
    if (isGone()) return;
    const damage = store.damage();
    if ((store.isInPlace() && damage === undefined) || store.room().waiting > 0) return;
    // A folder may become writable again; what is damaged does not become whole.
    if (failed && damage !== undefined) return;
    try {
      const aside = store.putBack();
      failed = false;
      const kept = aside === undefined ? "" : `; what was there is kept as ${aside}`;
      const what = damage === undefined ? "removed or replaced" : "damaged";
      log.error("the database's file was written again", { aside, damage });
      const reason = `its file was ${what} while in use, and was written again${kept}`;
      store.keep((writer) => writer.append("storage_changed", { state: "replaced", reason }));
    } catch (error) {
      if (!failed) report(damage, error);
      failed = true;
    }
  };
  const report = (damage: string | undefined, error: unknown) => {
    log.error("the database's file cannot be written again", { damage, error: String(error) });
    const reason = `${damage ?? "its file is gone"}; what is open cannot be written again: ${String(error)}`;
    try {
      store.keep((writer) => writer.append("storage_changed", { state: "damaged", reason }));
    } catch {
      // What is damaged may take no event; `ps` and `doctor` say it.
    }
  };
  return { stop: clock.interval(lookEveryMs, look) };
}

/** Reports when the state folder goes and when it comes back. */
function watchFolder(world: Parameters<typeof watchFile>[0]): () => boolean {
  let before: string | undefined;
  return () => {
    const gone = stateFolderTrouble(world);
    if (gone !== before) {
      const news = gone === undefined ? backAgain : { state: "lost" as const, reason: gone };
      world.log.error(news.reason);
      world.store.keep((writer) => writer.append("storage_changed", news));
    }
    before = gone;
    return gone !== undefined;
  };
}

const backAgain = { state: "ok", reason: "the state folder is back" } as const;
const lookEveryMs = 3_000;
