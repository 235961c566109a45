import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { planMend } from "./mend.ts";
import { migrations } from "./migrations.ts";
import { openSqlite } from "./sqlite.ts";

/** What is wrong with a database file, if anything. Nothing else may have it open. */
export type Condition =
  | {
      readonly kind: "good";
      readonly lastEvent: number;
      readonly began: number;
      /** Records that cannot be read; all others can. */
      readonly unreadable: readonly string[];
    }
  | { readonly kind: "missing" }
  | { readonly kind: "newer"; readonly version: number; readonly lastEvent: number | undefined }
  | { readonly kind: "damaged"; readonly reason: string; readonly lastEvent: number | undefined };

export function inspectDatabase(path: string): Condition {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return { kind: "missing" };
  let database: DatabaseSync | undefined;
  try {
    const opened = openSqlite(path, 2_000);
    database = opened;
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (version > migrations.length) return { kind: "newer", version, lastEvent: counter(database, "event") };
    const verdict = database.prepare("PRAGMA integrity_check(1)").get() as { readonly integrity_check: string };
    if (verdict.integrity_check !== "ok") {
      return { kind: "damaged", reason: verdict.integrity_check, lastEvent: counter(database, "event") };
    }
    const { found: unreadable } = planMend((sql) => opened.prepare(sql).all(), 0);
    return {
      kind: "good",
      lastEvent: counter(database, "event") ?? 0,
      began: counter(database, "began") ?? 0,
      unreadable,
    };
  } catch (error) {
    const lastEvent = database && counter(database, "event");
    return { kind: "damaged", reason: (error as Error).message, lastEvent };
  } finally {
    database?.close();
  }
}

function counter(database: DatabaseSync, name: string): number | undefined {
  try {
    const row = database.prepare("SELECT value FROM counters WHERE name = ?").get(name);
    return Number.isSafeInteger(row?.value) ? Number(row?.value) : undefined;
  } catch {
    return undefined;
  }
}
