import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "./sqlite.ts";

interface Made {
  readonly type: "table" | "index";
  readonly name: string;
  readonly sql: string;
}

/**
 * While another process holds the lock for writing, nothing can be executed in our tables, but they can be read. Temporary
 * tables of the same names lie in front of them: SQLite looks for a name there first, so every statement of the store
 * works on the copies, in memory, without knowing.
 */
export function putShadow(database: DatabaseSync): void {
  atomically(database, () => {
    for (const { type, name, sql } of schemaOf(database)) {
      if (name === "events") coverEvents(database);
      else if (type === "index") database.exec(sql.replace(/^(CREATE (?:UNIQUE )?INDEX )/, "$1temp."));
      else {
        database.exec(sql.replace(/^CREATE TABLE /, "CREATE TEMP TABLE "));
        database.exec(`INSERT INTO temp.${name} SELECT * FROM main.${name}`);
      }
    }
  });
}

/** May be undone with the transaction in which it happens. */
export function dropShadow(database: DatabaseSync): void {
  const rows = database.prepare("SELECT type, name FROM temp.sqlite_schema WHERE type IN ('table', 'view')").all();
  for (const { type, name } of rows) {
    if (!String(name).startsWith("sqlite_")) database.exec(`DROP ${type} temp.${name}`);
  }
}

// There may be many events, and they are only added: the new ones beside the old ones are enough.
function coverEvents(database: DatabaseSync): void {
  database.exec(`
    CREATE TEMP TABLE new_events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL);
    CREATE TEMP VIEW events AS SELECT seq, at, type, data FROM main.events UNION ALL SELECT seq, at, type, data FROM temp.new_events;
    CREATE TEMP TRIGGER add_event INSTEAD OF INSERT ON temp.events BEGIN
      INSERT INTO new_events (seq, at, type, data) VALUES (NEW.seq, NEW.at, NEW.type, NEW.data);
    END;
  `);
}

// Tables first: an index needs its table. Indexes that SQLite made itself have no text.
function schemaOf(database: DatabaseSync): readonly Made[] {
  const sql =
    "SELECT type, name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'index'";
  return database.prepare(sql).all() as unknown as readonly Made[];
}

function atomically(database: DatabaseSync, work: () => void): void {
  database.exec("SAVEPOINT shadow");
  try {
    work();
    database.exec("RELEASE shadow");
  } catch (error) {
    if (inTransaction(database)) database.exec("ROLLBACK TO shadow; RELEASE shadow");
    throw error;
  }
}
