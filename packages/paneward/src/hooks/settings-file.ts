import { chmod, chown, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { readForeign } from "@paneward/sdk/node/files";

/** A settings file of the user, and its text before our hooks were added. */
export interface SettingsFile {
  /** Undefined when there is no such file. */
  readonly text: string | undefined;
  readonly before: string | undefined;
}

/** The backup is beside the file, where people find it. */
export function backupOf(path: string): string {
  return `${path}.before-paneward`;
}

export async function readSettings(path: string): Promise<SettingsFile> {
  return { text: await textOf(path), before: await textOf(backupOf(path)) };
}

/** Stores the current text as a backup with the same mode. */
export async function keepBackup(path: string, text: string): Promise<void> {
  await replace(backupOf(path), text, await factsOf(path));
}

export async function forgetBackup(path: string): Promise<void> {
  await rm(backupOf(path), { force: true });
}

/** Replaces the file atomically; links and modes are kept. Undefined removes the file. */
export async function writeSettings(path: string, text: string | Uint8Array | undefined): Promise<void> {
  if (text === undefined) return rm(path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replace(await resolveLinks(path), text, await factsOf(path));
}

async function replace(path: string, text: string | Uint8Array, { mode, owner }: Facts): Promise<void> {
  const beside = `${path}.${process.pid}.new`;
  try {
    const file = await open(beside, "wx", mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (owner) await chown(beside, owner.uid, owner.gid);
    await chmod(beside, mode);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  const bytes = await readForeign(path, { maxBytes, followLinks: true });
  // Refuse what is not UTF-8: writing it again would change it.
  return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

const maxBytes = 16 * 1024 * 1024;

interface Facts {
  readonly mode: number;
  /** Whose the new file has to be, if that is not who writes it. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

async function factsOf(path: string): Promise<Facts> {
  try {
    const { mode, uid, gid } = await stat(path);
    return { mode: mode & 0o777, ...keptOwner(path, { uid, gid }, process.getuid?.() ?? uid) };
  } catch (error) {
    if (isMissing(error)) return { mode: 0o600 };
    throw error;
  }
}

/** A file of another user stays theirs: as ours, they could not read it any more. Only root can leave it to them. */
export function keptOwner(path: string, owner: NonNullable<Facts["owner"]>, own: number): Pick<Facts, "owner"> {
  if (owner.uid === own) return {};
  if (own === 0) return { owner };
  throw new PanewardError("not_allowed", `${path} belongs to another user; it was not changed`, {
    hint: "run this as that user, or make the file yours",
  });
}

async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
