import type { SQLInputValue } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";
import type { Room } from "../runtime/ports.ts";

/** One connection to SQLite, as far as transactions need it. Its failures are translated. */
export interface Connection {
  exec(sql: string): void;
  run(sql: string, values: readonly SQLInputValue[]): void;
  readonly isTransaction: boolean;
}

interface Statement {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/**
 * Transactions on a disk that may be full. SQLite undoes a transaction that could not be committed; what must not be
 * lost is then executed again in a transaction that stays open. Its pages are in memory, every query sees them, and
 * `flush` tries to commit them.
 */
export class Backlog {
  readonly #connection: Connection;
  readonly #maxWaiting: number;
  /** The statements of the open transaction that waits for room. */
  #waiting: Statement[] | undefined;
  #executed: Statement[] = [];
  #full: PanewardError | undefined;

  constructor(connection: Connection, maxWaiting = 20_000) {
    this.#connection = connection;
    this.#maxWaiting = maxWaiting;
  }

  get room(): Room {
    return { full: this.#full?.message, waiting: this.#waiting?.length ?? 0 };
  }

  run(sql: string, values: readonly SQLInputValue[]): void {
    this.#connection.run(sql, values);
    this.#executed.push({ sql, values });
  }

  /** Stored when this returns. Throws `storage_full` when there is no room, or while others wait for it. */
  write<Result>(work: () => Result): Result {
    if (this.#waiting) throw this.#refused();
    return this.#transact(work, (error) => {
      throw error;
    });
  }

  /** For what has happened already: without room it waits in memory. */
  keep<Result>(work: () => Result): Result {
    if (this.#waiting) return this.#wait(this.#waiting, work);
    return this.#transact(work, () => this.#hold(this.#executed));
  }

  /** Stores what waits. False when there is still no room. */
  flush(): boolean {
    const waiting = this.#waiting;
    if (!waiting) return true;
    this.#waiting = undefined;
    try {
      this.#commit();
      return true;
    } catch (error) {
      this.#rollBack();
      this.#hold(waiting);
      if (isFull(error)) return false;
      throw error;
    }
  }

  #transact<Result>(work: () => Result, withoutRoom: (error: unknown) => void): Result {
    this.#connection.exec("BEGIN IMMEDIATE");
    this.#executed = [];
    let result: Result;
    try {
      result = work();
    } catch (error) {
      this.#rollBack();
      throw error;
    }
    try {
      this.#commit();
    } catch (error) {
      this.#rollBack();
      if (!isFull(error)) throw error;
      withoutRoom(error);
    }
    return result;
  }

  #wait<Result>(waiting: Statement[], work: () => Result): Result {
    if (waiting.length > this.#maxWaiting) throw this.#refused();
    this.#connection.exec("SAVEPOINT work");
    this.#executed = [];
    try {
      const result = work();
      this.#connection.exec("RELEASE work");
      waiting.push(...this.#executed);
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK TO work; RELEASE work");
      throw error;
    }
  }

  #hold(statements: readonly Statement[]): void {
    this.#connection.exec("BEGIN IMMEDIATE");
    for (const { sql, values } of statements) this.#connection.run(sql, values);
    this.#waiting = [...statements];
  }

  #commit(): void {
    try {
      this.#connection.exec("COMMIT");
      this.#full = undefined;
    } catch (error) {
      if (isFull(error)) this.#full = error;
      throw error;
    }
  }

  // On a full disk SQLite rolls back by itself; a second ROLLBACK would hide the reason.
  #rollBack(): void {
    if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
  }

  #refused(): PanewardError {
    const reason = this.#full?.message ?? "the database could not be written";
    return new PanewardError("storage_full", reason, { cause: this.#full?.cause });
  }
}

function isFull(error: unknown): error is PanewardError {
  return error instanceof PanewardError && error.code === "storage_full";
}
