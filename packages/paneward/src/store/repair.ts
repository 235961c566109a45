import { closeSync, copyFileSync, fsyncSync, openSync, renameSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Backup } from "../runtime/ports.ts";
import { backupsOf } from "./backups.ts";
import { type Condition, inspectDatabase } from "./inspect.ts";
import { fittingBackups, newerSchema } from "./older-schemas.ts";
import { openStore } from "./store.ts";

/** What a repair would do; nothing has been changed yet. */
export interface RepairPlan {
  /** What is wrong; undefined when nothing is. */
  readonly problem: string | undefined;
  /** The database is whole but for single records, which are set aside in it; nothing else is changed. */
  readonly setsAside: boolean;
  /** The backup that would be restored; without one, the database begins empty. */
  readonly backup: Backup | undefined;
  /** What is lost by that, in words. */
  readonly lost: string;
  /** Where the present file is kept; undefined when there is none. */
  readonly aside: string | undefined;
}

/** With `downgrade`, a database of a newer version is replaced by the newest backup that this one can read. */
export function planRepair(path: string, now: number, { downgrade = false } = {}): RepairPlan {
  const found = inspectDatabase(path);
  if (found.kind === "newer" && !downgrade) throw newerSchema(path, found.version);
  if (found.kind === "good" && found.unreadable.length > 0) return planSettingAside(found.unreadable);
  const good = (found.kind === "newer" ? fittingBackups(path) : backupsOf(path)).flatMap((backup) => {
    const condition = inspectDatabase(backup.path);
    return condition.kind === "good" ? [{ backup, condition }] : [];
  })[0];
  if (found.kind === "newer" && !good) throw newerSchema(path, found.version);
  const problem = problemOf(found, good?.backup);
  // Beside an empty or missing file, a log may be left, which SQLite would apply to the backup.
  const isThere = ["", "-wal"].some((side) => statSync(`${path}${side}`, { throwIfNoEntry: false }));
  const aside = isThere ? `${path}.aside-${new Date(now).toISOString().replaceAll(":", "")}` : undefined;
  return { problem, setsAside: false, backup: good?.backup, lost: lostBy(found, good?.condition), aside };
}

function planSettingAside(unreadable: readonly string[]): RepairPlan {
  const problem = `${unreadable.length} records cannot be read: ${inShort(unreadable)}`;
  const lost = "these records; their texts are kept in the table set_aside, and programs that run are found again";
  return { problem, setsAside: true, backup: undefined, lost, aside: undefined };
}

/** Sets the present file aside and restores the backup, or sets single records aside. */
export function repair(path: string, { setsAside, backup, aside }: RepairPlan, now: number): void {
  if (setsAside) {
    // Opening it does that.
    openStore(path, { now: () => now }).close();
    return;
  }
  if (aside !== undefined) {
    for (const side of ["", "-wal", "-shm"]) {
      if (statSync(`${path}${side}`, { throwIfNoEntry: false })) renameSync(`${path}${side}`, `${aside}${side}`);
    }
  }
  if (!backup) return;
  const unfinished = `${path}.new`;
  copyFileSync(backup.path, unfinished);
  noteRepair(unfinished, now);
  const file = openSync(unfinished, "r");
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, path);
}

function problemOf(found: Condition, backup: Backup | undefined): string | undefined {
  if (found.kind === "damaged") return `the database is damaged: ${found.reason}`;
  if (found.kind === "newer") return `the database was written by a newer Paneward (schema ${found.version})`;
  if (found.kind === "missing") return backup && "the database is missing";
  if (found.kind === "good" && backup && backup.at < found.began) {
    return `the database began empty on ${date(found.began)}, after the backup of ${date(backup.at)}`;
  }
  return undefined;
}

function lostBy(found: Condition, backup: Extract<Condition, { kind: "good" }> | undefined): string {
  const last = found.kind === "missing" ? undefined : found.lastEvent;
  if (!backup) return "tasks, events, tokens and receipts; programs that run are found again";
  if (last === undefined) return "everything since that backup, it cannot be said how much";
  if (found.kind === "good") return `what happened since it began empty: ${last} events`;
  return `everything since that backup: ${Math.max(0, last - backup.lastEvent)} events`;
}

// Journals and worktrees of what is not in the backup must not be taken for rubbish.
function noteRepair(path: string, now: number): void {
  const database = new DatabaseSync(path);
  try {
    const put = "INSERT INTO counters (name, value) VALUES ('repaired', ?) ON CONFLICT (name) DO UPDATE SET value = ?";
    database.prepare(put).run(now, now);
  } finally {
    database.close();
  }
}

/** The first ones of a list that may be long. */
function inShort(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
}

function date(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}
