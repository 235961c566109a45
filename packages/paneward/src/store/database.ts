import { chmodSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";
import { migrations } from "./migrations.ts";

/** The only file that uses SQLite's interface: open, migrate, transact, translate errors. */
export interface Database {
  all<Row>(sql: string, ...values: readonly SQLInputValue[]): readonly Row[];
  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined;
  run(sql: string, ...values: readonly SQLInputValue[]): void;
  /** Atomic. Must not be nested. */
  transact<Result>(work: () => Result): Result;
  close(): void;
}

export interface DatabaseLimits {
  /** The maximum number of 4 KB pages; by default the disk is the limit. */
  readonly maxPages?: number;
}

export function openDatabase(path: string, { maxPages }: DatabaseLimits = {}): Database {
  const database = translateErrors(() => new DatabaseSync(path, { timeout: busyTimeoutMs }));
  // SQLite gives its side files the same mode. Private, because the environments of terminals are stored here.
  chmodSync(path, 0o600);
  translateErrors(() => {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;");
    migrate(database);
    if (maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${maxPages}`);
  });
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const prepared = (sql: string) => {
    const found = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, found);
    return found;
  };
  return {
    all: <Row>(sql: string, ...values: readonly SQLInputValue[]) =>
      translateErrors(() => prepared(sql).all(...values) as unknown as readonly Row[]),
    get: <Row>(sql: string, ...values: readonly SQLInputValue[]) =>
      translateErrors(() => prepared(sql).get(...values) as unknown as Row | undefined),
    run: (sql, ...values) => {
      translateErrors(() => prepared(sql).run(...values));
    },
    transact: (work) => translateErrors(() => transact(database, work)),
    close: () => database.close(),
  };
}

const busyTimeoutMs = 2_000;

function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // On a full disk SQLite rolls back by itself; a second ROLLBACK would hide the reason.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function migrate(database: DatabaseSync): void {
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (version > migrations.length) {
    throw new PanewardError("wrong_state", `the database was written by a newer Paneward (schema ${version})`, {
      hint: "install that version again, or set PANEWARD_HOME to another folder",
    });
  }
  for (const [at, sql] of migrations.entries()) {
    if (at < version) continue;
    transact(database, () => database.exec(`${sql}; PRAGMA user_version = ${at + 1}`));
  }
}

// SQLite's primary result codes.
const busy = 5;
const locked = 6;
const readOnly = 8;
const ioError = 10;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notADatabase = 26;

function translateErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const code = ((cause as { errcode?: number }).errcode ?? -1) & 0xff;
    const message = (cause as Error).message;
    if (code === full || code === ioError) {
      throw new PanewardError("storage_full", `the database could not be written: ${message}`, { cause });
    }
    if (code === busy || code === locked) {
      throw new PanewardError("storage_busy", "the database is in use by another process", { cause });
    }
    if ([readOnly, corrupt, cannotOpen, notADatabase].includes(code)) {
      const hint = "check the permissions of the state folder; `paneward doctor` says where it is";
      throw new PanewardError("unavailable", `the database cannot be used: ${message}`, { hint, cause });
    }
    throw cause;
  }
}
