import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { readForeignSync } from "@paneward/sdk/node/files";
import type { Outcome } from "../model/notify/message.ts";
import type { Fate, ToldAbsence } from "../runtime/ports.ts";

/** The files by which a sender's work survives it: `ID.taken` before an attempt, `ID.result` after it; `absence`. */
export class Spool {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** False if the job was taken before. When it returns, a power cut does not undo it. */
  take(job: string): boolean {
    try {
      writeSynced(this.#path(job, "taken"), "", "wx");
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  }

  keep(job: string, outcome: Outcome): void {
    replace(this.#path(job, "result"), outcome);
  }

  /** What is told of the daemon's absence, before each attempt and after it. */
  keepAbsence(told: ToldAbsence): void {
    replace(this.#absence, told);
  }

  absence(): ToldAbsence | undefined {
    const text = readForeignSync(this.#absence, { maxBytes: 1_048_576 })?.toString("utf8");
    return text === undefined ? undefined : (JSON.parse(text) as ToldAbsence);
  }

  forgetAbsence(): void {
    rmSync(this.#absence, { force: true });
  }

  fate(job: string): Fate {
    const text = readForeignSync(this.#path(job, "result"), { maxBytes: 65_536 })?.toString("utf8");
    if (text !== undefined) return { kind: "done", outcome: JSON.parse(text) as Outcome };
    return { kind: existsSync(this.#path(job, "taken")) ? "begun" : "never_begun" };
  }

  forget(job: string): void {
    for (const kind of ["taken", "result"] as const) rmSync(this.#path(job, kind), { force: true });
  }

  /** A successor waits for the lock: what has not begun is left to it. */
  get isWanted(): boolean {
    return existsSync(this.#next);
  }

  want(isWanted: boolean): void {
    if (isWanted) writeSynced(this.#next, "", "w");
    else rmSync(this.#next, { force: true });
  }

  /** What earlier daemons left and no record knows any more. */
  tidy(olderThan: number): void {
    for (const name of readdirSync(this.folder)) {
      if (!/\.(taken|result|result\.new|tap|show)$/.test(name)) continue;
      const path = join(this.folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found && found.mtimeMs < olderThan) rmSync(path, { force: true });
    }
  }

  get #next(): string {
    return join(this.folder, "next");
  }

  get #absence(): string {
    return join(this.folder, "absence");
  }

  #path(job: string, kind: "taken" | "result"): string {
    if (!/^[\w-]+$/.test(job)) throw new Error(`${job} is not the name of a job`);
    return join(this.folder, `${job}.${kind}`);
  }
}

function replace(path: string, value: unknown): void {
  writeSynced(`${path}.new`, JSON.stringify(value), "w");
  renameSync(`${path}.new`, path);
}

function writeSynced(path: string, text: string, flag: "w" | "wx"): void {
  const file = openSync(path, flag, 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
