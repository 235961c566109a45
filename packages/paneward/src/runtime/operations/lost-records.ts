import type { World } from "../world.ts";

/** Programs ran that no record knew: the database was lost or is older than they are. */
export function reportLostRecords({ store, log }: Pick<World, "store" | "log">, programs: number): void {
  if (programs === 0) return;
  const what = programs === 1 ? "1 program ran" : `${programs} programs ran`;
  const reason = `${what} without a record and became terminals again; \`paneward doctor\` says whether there is a backup`;
  log.error("records are missing", { programs });
  store.keep((writer) => writer.append("storage_changed", { state: "lost", reason }));
}
