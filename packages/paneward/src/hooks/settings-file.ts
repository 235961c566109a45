import { chmod, chown, readdir, readlink, realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { readForeign } from "@paneward/sdk/node/files";
import { makeFolder, replaceWhole } from "../system/private-files.ts";

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

/** Replaces the file atomically; links and modes are kept. Undefined removes the file, and no link to it. */
export async function writeSettings(path: string, text: string | Uint8Array | undefined): Promise<void> {
  const place = await placeOf(path);
  if (text === undefined) return rm(place, { force: true });
  await makeFolder(dirname(place));
  await replace(place, text, await factsOf(place));
}

/** Where a path leads to, also when no file is there yet: a link to a file of one's own may come first. */
export async function placeOf(path: string): Promise<string> {
  let place = path;
  for (let links = 0; links < maxLinks; links++) {
    const link = await readlink(place).catch(notALink);
    if (link === undefined) return place;
    place = resolve(await realpath(dirname(place)), link);
  }
  return place;
}

/** What a kill left beside a file while it was replaced. */
export async function removeUnfinished(path: string): Promise<void> {
  const [folder, begin] = [dirname(path), `${basename(path)}${unfinished}`];
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (name.startsWith(begin)) await rm(join(folder, name), { force: true });
}

const unfinished = ".paneward-new-";
const maxLinks = 40;

async function replace(path: string, text: string | Uint8Array, { mode, owner }: Facts): Promise<void> {
  await removeUnfinished(path);
  await replaceWhole(path, text, {
    beside: `${path}${unfinished}${process.pid}`,
    mode,
    flag: "wx",
    prepare: async (beside) => {
      if (owner) await chown(beside, owner.uid, owner.gid);
      await chmod(beside, mode);
    },
  });
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

function notALink(error: NodeJS.ErrnoException): undefined {
  if (error.code === "EINVAL" || error.code === "ENOTDIR" || isMissing(error)) return undefined;
  throw error;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
