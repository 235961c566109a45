import { chmodSync } from "node:fs";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";
import type { Room } from "../runtime/ports.ts";
import { Backlog, patienceMs } from "./backlog.ts";
import { translateErrors } from "./database-errors.ts";
import { migrations } from "./migrations.ts";
import { keepOlderSchema, newerSchema } from "./older-schemas.ts";
import { moveBack, watchPlace, watchSize } from "./put-back.ts";
import { createSettle } from "./settle.ts";
import { dropShadow, putShadow } from "./shadow.ts";
import { inTransaction, openSqlite } from "./sqlite.ts";

/** SQLite as the store uses it: open, migrate, query, transact. */
export interface Database {
  all<Row>(sql: string, ...values: readonly SQLInputValue[]): readonly Row[];
  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined;
  /** Only within `write` or `keep`. */
  run(sql: string, ...values: readonly SQLInputValue[]): void;
  /** Atomic; must not be nested. Throws `storage_full` or `storage_busy` when it cannot be stored. */
  write<Result>(work: () => Result): Result;
  /** Like `write`, but what cannot be stored now waits in memory, where queries see it. */
  keep<Result>(work: () => Result): Result;
  /** Stores what waits. False when that is still not possible. */
  flush(): boolean;
  readonly room: Room;
  /** Resolves when a power cut cannot undo what was written so far. */
  settled(): Promise<void>;
  /** Removes from the files what records held before they were changed. */
  erase(): void;
  /** Whether the file that is written is still the one at its path: others may have removed or replaced it. */
  isInPlace(): boolean;
  /** What is wrong with what is in the file: others may have emptied or overwritten it. Undefined if nothing is known. */
  damage(): string | undefined;
  /** Puts everything at its path again; what was put there meanwhile is kept at the path that is returned. */
  putBack(now: number): string | undefined;
  close(): void;
}

export interface DatabaseLimits {
  /** The maximum number of 4 KB pages; by default the disk is the limit. */
  readonly maxPages?: number;
  /** How much the events may take together. */
  readonly maxEventBytes?: number;
}

export function openDatabase(path: string, { maxPages }: DatabaseLimits = {}): Database {
  let database = connect(path);
  let isInPlace = watchPlace(path);
  let hasShrunk = watchSize(path);
  let damage: string | undefined;
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return translateErrors(work);
    } catch (error) {
      if (error instanceof PanewardError && error.code === "storage_damaged") damage ??= error.message;
      throw error;
    }
  };
  // Before each write: behind what was cut off, SQLite writes on, and the file is as long as before.
  const look = () => {
    damage ??= hasShrunk();
  };
  if (maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${maxPages}`);
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const prepared = (sql: string) => {
    const found = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, found);
    return found;
  };
  const backlog = new Backlog({
    exec: (sql) => attempt(() => database.exec(sql)),
    run: (sql, values) => void attempt(() => prepared(sql).run(...values)),
    get isTransaction() {
      return inTransaction(database);
    },
    putShadow: () => attempt(() => putShadow(database)),
    dropShadow: () => attempt(() => dropShadow(database)),
  });
  const settle = createSettle(path);
  return {
    all: <Row>(sql: string, ...values: readonly SQLInputValue[]) =>
      attempt(() => prepared(sql).all(...values) as unknown as readonly Row[]),
    get: <Row>(sql: string, ...values: readonly SQLInputValue[]) =>
      attempt(() => prepared(sql).get(...values) as unknown as Row | undefined),
    run: (sql, ...values) => backlog.run(sql, values),
    write(work) {
      look();
      settle.noted();
      return backlog.write(work);
    },
    keep(work) {
      look();
      settle.noted();
      return backlog.keep(work);
    },
    flush: () => backlog.flush(),
    get room() {
      return backlog.room;
    },
    async settled() {
      if (backlog.room.waiting > 0) throw waitsInMemory(backlog.room);
      await settle.settled();
    },
    // The log keeps whole pages as they were, until it is restarted.
    erase() {
      look();
      translateErrors(() => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
      hasShrunk = watchSize(path);
    },
    isInPlace: () => isInPlace(),
    damage() {
      look();
      return damage;
    },
    putBack: (now) =>
      attempt(() => {
        const aside = moveBack(database, path, now);
        database = connect(path);
        isInPlace = watchPlace(path);
        hasShrunk = watchSize(path);
        damage = undefined;
        statements.clear();
        return aside;
      }),
    close() {
      database.exec(`PRAGMA busy_timeout = ${startAndEndMs}`);
      backlog.flush();
      database.close();
    },
  };
}

// Nothing else happens yet when the daemon starts, and nothing any more when it stops.
const startAndEndMs = 2_000;

// While the disk is full, SQLite cannot make the file of shared memory that a database with several readers needs.
function connect(path: string): DatabaseSync {
  try {
    return translateErrors(() => configured(path, ""));
  } catch (error) {
    if (!(error instanceof PanewardError && error.code === "storage_full")) throw error;
    return translateErrors(() => configured(path, "PRAGMA locking_mode = EXCLUSIVE;"));
  }
}

// A transaction that waits for room on the disk must not need any: neither its pages nor its savepoints spill to files.
function configured(path: string, first: string): DatabaseSync {
  const database = openSqlite(path, startAndEndMs);
  try {
    // SQLite gives its side files the same mode. Private, because the environments of terminals are stored here.
    chmodSync(path, 0o600);
    database.exec(`${first} PRAGMA temp_store = MEMORY; PRAGMA cache_spill = OFF;`);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;");
    // A page's free room would keep what was deleted from it.
    database.exec("PRAGMA secure_delete = ON");
    migrate(database, path);
    database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: DatabaseSync, path: string): void {
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (version > migrations.length) throw newerSchema(path, version);
  if (version > 0 && version < migrations.length) keepOlderSchema(database, path, version);
  for (const [at, sql] of migrations.entries()) {
    if (at < version) continue;
    database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${at + 1}; COMMIT`);
  }
}

function waitsInMemory({ full, isBusy }: Room): PanewardError {
  const message = `it was done, but its record waits in memory until it can be stored: ${full}`;
  const first = isBusy ? "end what holds the database" : "free some disk space";
  return new PanewardError("outcome_unknown", message, { hint: `${first}, then look with \`paneward ps\`` });
}
