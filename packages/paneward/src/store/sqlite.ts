import { DatabaseSync } from "node:sqlite";

// Node before 22.16 ignores the option `timeout`, and does not know isTransaction.

/** Opens a database; a statement waits `patienceMs` for other processes. */
export function openSqlite(path: string, patienceMs: number, { readOnly = false } = {}): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly });
  database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
  return database;
}

export function inTransaction(database: DatabaseSync): boolean {
  const known: boolean | undefined = database.isTransaction;
  return known ?? refusesAnother(database);
}

/** Asks SQLite itself: within a transaction no other begins. */
export function refusesAnother(database: Pick<DatabaseSync, "exec">): boolean {
  try {
    database.exec("BEGIN");
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("within a transaction"))) throw error;
    return true;
  }
  database.exec("ROLLBACK");
  return false;
}
