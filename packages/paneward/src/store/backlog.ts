import type { SQLInputValue } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";
import type { Room } from "../runtime/ports.ts";

/** One connection to SQLite, as far as transactions need it. Its failures are translated. */
export interface Connection {
  exec(sql: string): void;
  run(sql: string, values: readonly SQLInputValue[]): void;
  readonly isTransaction: boolean;
  /** From here on, every statement works on copies in memory. */
  putShadow(): void;
  /** Undone by a rollback, like everything in a transaction. */
  dropShadow(): void;
}

interface Statement {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** How long a statement waits for another process: the daemon does nothing else meanwhile. */
export const patienceMs = 50;

/**
 * Transactions on a disk that may be full, or in a database that another process has locked. What must not be lost is
 * then executed in memory, where every query sees it, and `flush` tries to store it. On a full disk that is a transaction
 * that stays open: SQLite undoes one that could not be committed, so it is executed again. Without the lock, no
 * transaction can begin: the statements work on copies of the tables.
 */
export class Backlog {
  readonly #connection: Connection;
  readonly #maxWaiting: number;
  /** The statements that wait, executed in the open transaction or in the shadow. */
  #waiting: Statement[] | undefined;
  #isShadowed = false;
  #executed: Statement[] = [];
  #refusal: PanewardError | undefined;

  constructor(connection: Connection, maxWaiting = 20_000) {
    this.#connection = connection;
    this.#maxWaiting = maxWaiting;
  }

  get room(): Room {
    const isBusy = hasCode(this.#refusal, "storage_busy");
    return { full: this.#refusal?.message, isBusy, waiting: this.#waiting?.length ?? 0 };
  }

  run(sql: string, values: readonly SQLInputValue[]): void {
    this.#connection.run(sql, values);
    this.#executed.push({ sql, values });
  }

  /** Stored when this returns. Throws `storage_full` or `storage_busy` when that cannot be, or while others wait for it. */
  write<Result>(work: () => Result): Result {
    if (this.#waiting) throw this.#refused();
    this.#begin();
    return this.#transact(work, (error) => {
      throw error;
    });
  }

  /** For what has happened already: if it cannot be stored now, it waits in memory. */
  keep<Result>(work: () => Result): Result {
    if (!this.#waiting && !this.#hasBegun()) this.#hold([]);
    if (this.#waiting) return this.#wait(this.#waiting, work);
    return this.#transact(work, () => this.#hold(this.#executed));
  }

  /** Stores what waits. False when that is still not possible. */
  flush(): boolean {
    const waiting = this.#waiting;
    if (!waiting) return true;
    try {
      if (!this.#connection.isTransaction) this.#execute(waiting);
      this.#commit();
      this.#waiting = undefined;
      this.#isShadowed = false;
      return true;
    } catch (error) {
      // A shadow that was dropped is there again.
      this.#rollBack();
      if (!this.#isShadowed) this.#hold(waiting);
      if (hasCode(error, "storage_full") || hasCode(error, "storage_busy")) return false;
      throw error;
    }
  }

  #transact<Result>(work: () => Result, withoutRoom: (error: unknown) => void): Result {
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
      if (!hasCode(error, "storage_full")) throw error;
      withoutRoom(error);
    }
    return result;
  }

  #wait<Result>(waiting: Statement[], work: () => Result): Result {
    if (waiting.length > this.#maxWaiting) throw this.#refused();
    if (!this.#isShadowed && !this.#connection.isTransaction) this.#hold(waiting);
    this.#connection.exec("SAVEPOINT work");
    this.#executed = [];
    try {
      const result = work();
      this.#connection.exec("RELEASE work");
      this.#waiting?.push(...this.#executed);
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK TO work; RELEASE work");
      throw error;
    }
  }

  /** Executes the statements where they can wait. */
  #hold(statements: readonly Statement[]): void {
    this.#waiting = [...statements];
    try {
      this.#execute(statements);
    } catch (error) {
      if (!hasCode(error, "storage_busy")) throw error;
      this.#connection.putShadow();
      this.#isShadowed = true;
      this.#connection.exec("SAVEPOINT work");
      for (const { sql, values } of statements) this.#connection.run(sql, values);
      this.#connection.exec("RELEASE work");
    }
  }

  /** Executes the statements in our own tables, in a transaction that stays open. */
  #execute(statements: readonly Statement[]): void {
    this.#begin();
    if (this.#isShadowed) this.#connection.dropShadow();
    for (const { sql, values } of statements) this.#connection.run(sql, values);
  }

  /** False when another process holds the lock. */
  #hasBegun(): boolean {
    try {
      this.#begin();
      return true;
    } catch (error) {
      if (hasCode(error, "storage_busy")) return false;
      throw error;
    }
  }

  #begin(): void {
    try {
      this.#connection.exec("BEGIN IMMEDIATE");
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  #commit(): void {
    try {
      this.#connection.exec("COMMIT");
    } catch (error) {
      this.#note(error);
      throw error;
    }
    if (hasCode(this.#refusal, "storage_busy")) this.#connection.exec(`PRAGMA busy_timeout = ${patienceMs}`);
    this.#refusal = undefined;
  }

  // Who has waited once in vain does not wait again with every statement.
  #note(error: unknown): void {
    if (hasCode(error, "storage_busy")) this.#connection.exec("PRAGMA busy_timeout = 0");
    else if (!hasCode(error, "storage_full")) return;
    this.#refusal = error;
  }

  // On a full disk SQLite rolls back by itself; a second ROLLBACK would hide the reason.
  #rollBack(): void {
    if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
  }

  #refused(): PanewardError {
    const { code, message, cause } =
      this.#refusal ?? new PanewardError("storage_full", "the database could not be written");
    return new PanewardError(code, message, { cause });
  }
}

function hasCode(error: unknown, code: PanewardError["code"]): error is PanewardError {
  return error instanceof PanewardError && error.code === code;
}
