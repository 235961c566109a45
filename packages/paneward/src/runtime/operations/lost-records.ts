import type { World } from "../world.ts";

/** Programs ran that no record knew: the database was lost or is older than they are. */
export function reportLostRecords({ store, log }: Pick<World, "store" | "log">, programs: number): void {
  if (programs === 0) return;
  const what = programs === 1 ? "1 program ran" : `${programs} programs ran`;
  const reason = `${what} without a record and became terminals again; \`paneward doctor\` says whether there is a backup`;
  log.error("records are missing", { programs });
  store.keep((writer) => writer.append("storage_changed", { state: "lost", reason }));
}

/** Single records were spoiled: the others are used without them. */
export function reportUnreadable({ store, log }: Pick<World, "store" | "log">): void {
  const { unreadable } = store;
  if (unreadable.length === 0) return;
  const named = unreadable.slice(0, 20).join(", ");
  const reason = `${unreadable.length} records could not be read and were set aside: ${named}`;
  log.error("records could not be read", { records: unreadable.slice(0, 1_000) });
  store.keep((writer) => writer.append("storage_changed", { state: "damaged", reason }));
}
