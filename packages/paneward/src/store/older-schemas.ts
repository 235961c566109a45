import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";
import type { Backup } from "../runtime/ports.ts";
import { backupsOf } from "./backups.ts";
import { copyInto } from "./copy.ts";
import { migrations } from "./migrations.ts";

/**
 * Keeps a copy of a database that is about to be migrated: `backups/paneward.db.schema-N` beside it. No daily backup
 * displaces it, so that the version before can be gone back to.
 */
export function keepOlderSchema(database: DatabaseSync, path: string, schema: number): void {
  const folder = join(dirname(path), "backups");
  const made = join(folder, `${prefix}${schema}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(`${made}.new`, { force: true });
  try {
    copyInto(database, `${made}.new`);
    renameSync(`${made}.new`, made);
  } catch (error) {
    rmSync(`${made}.new`, { force: true });
    throw error;
  }
  for (const { path: old } of olderSchemas(path).slice(kept)) rmSync(old);
}

const prefix = "paneward.db.schema-";
const kept = 3;

/** The copies made before migrations, the newest schema first. */
function olderSchemas(path: string): readonly (Backup & { readonly schema: number })[] {
  const folder = join(dirname(path), "backups");
  return namesIn(folder)
    .flatMap((name) => {
      const schema = Number(name.startsWith(prefix) ? name.slice(prefix.length) : Number.NaN);
      const found = Number.isInteger(schema) ? statSync(join(folder, name)) : undefined;
      return found?.isFile() ? [{ path: join(folder, name), at: found.mtimeMs, schema }] : [];
    })
    .sort((one, other) => other.schema - one.schema);
}

function namesIn(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

/** The backups that this version can use, the newest schema first, and of each the newest. */
export function fittingBackups(path: string): readonly Backup[] {
  return [...olderSchemas(path), ...backupsOf(path).map((backup) => ({ ...backup, schema: schemaOf(backup.path) }))]
    .filter(({ schema }) => schema > 0 && schema <= migrations.length)
    .sort((one, other) => other.schema - one.schema || other.at - one.at)
    .map(({ path: place, at }) => ({ path: place, at }));
}

/** SQLite's `user_version`, out of the header: a backup is not opened to look at it. */
function schemaOf(path: string): number {
  const header = Buffer.alloc(64);
  const file = openSync(path, "r");
  try {
    return readSync(file, header, 0, header.length, 0) < header.length ? 0 : header.readUInt32BE(60);
  } finally {
    closeSync(file);
  }
}

/** Fails for a database that only a newer version can read, also while that one has it open. */
export function requireKnownSchema(path: string): void {
  if (!existsSync(path)) return;
  // Its daemon may not have moved what it wrote last into the file: a query sees that, the header does not.
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const { user_version: schema } = database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (schema > migrations.length) throw newerSchema(path, schema);
  } finally {
    database.close();
  }
}

/** The error for a database that only a newer version can read, with the way back. */
export function newerSchema(path: string, schema: number): PanewardError {
  const [fits] = fittingBackups(path);
  const back = fits
    ? `or go back to ${fits.path}, of ${new Date(fits.at).toISOString().slice(0, 16).replace("T", " ")}: \`paneward doctor --repair --downgrade\``
    : "or set PANEWARD_HOME to another folder; there is no backup that this version can read";
  return new PanewardError(
    "storage_newer",
    `the database was written by a newer Paneward: it has schema ${schema}, this version knows ${migrations.length}`,
    { hint: `install that version again, ${back}` },
  );
}
