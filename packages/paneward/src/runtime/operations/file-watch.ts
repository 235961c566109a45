import type { World } from "../world.ts";

/** Notices that the database's file was removed, replaced or emptied while it is in use, and puts it back if possible. */
export function watchFile({ store, clock, log }: Pick<World, "store" | "clock" | "log">): { stop(): void } {
  let failed = false;
  const look = () => {
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

const lookEveryMs = 3_000;
