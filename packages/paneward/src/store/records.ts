import type { Database } from "./database.ts";

type Id = string | number;

/** The records of one table, ordered by number. */
export interface Records<Kept extends { readonly id: Id }> {
  all(): readonly Kept[];
  get(id: Kept["id"]): Kept | undefined;
  put(record: Kept): void;
  remove(id: Kept["id"]): void;
  /** Drops the cache, after a write that may have been rolled back. */
  forget(): void;
}

/** Cached in memory: the daemon is the only writer, and every request looks up its terminal here. */
export function createRecords<Kept extends { readonly id: Id }>(
  database: Database,
  table: "terminals" | "tasks" | "agents" | "questions" | "notices",
): Records<Kept> {
  let cache: Map<Id, Kept> | undefined;
  let inOrder: readonly Kept[] | undefined;
  const parsed = (text: string) => JSON.parse(text) as Kept;
  let last = Number.NEGATIVE_INFINITY;
  const records = () => {
    if (cache) return cache;
    const rows = database.all<{ readonly record: string }>(`SELECT record FROM ${table}`);
    const sorted = rows.map((row) => parsed(row.record)).sort((a, b) => numberIn(a.id) - numberIn(b.id));
    last = numberIn(sorted.at(-1)?.id ?? Number.NEGATIVE_INFINITY);
    cache = new Map(sorted.map(withId));
    return cache;
  };
  return {
    all() {
      inOrder ??= [...records().values()];
      return inOrder;
    },
    get: (id) => records().get(id),
    put(record) {
      const text = JSON.stringify(record);
      const sql = `INSERT INTO ${table} (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record`;
      database.run(sql, record.id, text);
      const known = records();
      const number = numberIn(record.id);
      // A map keeps its order; only a new record with an older number, restored by undo, must be put between others.
      if (!known.has(record.id) && number < last) cache = undefined;
      else {
        // As it would be read back: without undefined fields.
        known.set(record.id, parsed(text));
        last = Math.max(last, number);
      }
      inOrder = undefined;
    },
    remove(id) {
      database.run(`DELETE FROM ${table} WHERE id = ?`, id);
      records().delete(id);
      inOrder = undefined;
    },
    forget() {
      cache = undefined;
      inOrder = undefined;
    },
  };
}

function withId<Kept extends { readonly id: Id }>(record: Kept): readonly [Id, Kept] {
  return [record.id, record];
}

/** The 12 of `t12` or of 12. */
function numberIn(id: Id): number {
  return typeof id === "number" ? id : Number(id.slice(1));
}
