import type { World } from "../world.ts";

/** Notices that the database's file was removed or replaced while it is in use, and puts it back. */
export function watchFile({ store, clock, log }: Pick<World, "store" | "clock" | "log">): { stop(): void } {
  let failed = false;
  const look = () => {
    if (store.isInPlace() || store.room().waiting > 0) return;
    try {
      const aside = store.putBack();
      failed = false;
      const kept = aside === undefined ? "" : `; what was put there is kept as ${aside}`;
      const reason = `its file was removed or replaced while in use, and was written again${kept}`;
      log.error("the database's file was gone", { aside });
      store.keep((writer) => writer.append("storage_changed", { state: "replaced", reason }));
    } catch (error) {
      if (!failed) log.error("the database's file is gone and cannot be written again", { error: String(error) });
      failed = true;
    }
  };
  return { stop: clock.interval(lookEveryMs, look) };
}

const lookEveryMs = 3_000;
