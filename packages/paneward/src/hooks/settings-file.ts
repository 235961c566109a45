import { chmod, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
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
  await replace(backupOf(path), text, await modeOf(path));
}

export async function forgetBackup(path: string): Promise<void> {
  await rm(backupOf(path), { force: true });
}

/** Replaces the file atomically; links and modes are kept. Undefined removes the file. */
export async function writeSettings(path: string, text: string | Uint8Array | undefined): Promise<void> {
  if (text === undefined) return rm(path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replace(await resolveLinks(path), text, await modeOf(path));
}

async function replace(path: string, text: string | Uint8Array, mode: number): Promise<void> {
  const beside = `${path}.${process.pid}.new`;
  try {
    const file = await open(beside, "wx", mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
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

async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return 0o600;
    throw error;
  }
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
