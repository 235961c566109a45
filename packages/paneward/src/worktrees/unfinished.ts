import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GitDirs, Guards } from "./guard.ts";

/** A file of a repository that is locked by us: what the next daemon needs if this one is killed meanwhile. */
export interface Unfinished {
  readonly commonDir: string;
  /** The folder of the file below `commonDir`, and its name; both are latin1. */
  readonly below: string;
  readonly name: string;
  /** Names the file that proves that the lock is ours. */
  readonly token: string;
  /** Absent while it is enough to unlock. */
  readonly then?: Then;
}

/** What there is to do under the lock of a killed daemon before it is unlocked. */
export type Then =
  /** git changes the files of a checkout, and this index with them. */
  | { readonly kind: "index"; readonly index: string }
  /** The daemon itself changed files of a worktree from one commit to the other; its index is still that of the first. */
  | ({ readonly kind: "files"; readonly from: string; readonly to: string } & CheckoutRecord)
  /** The ref follows the index of the checkout that has it. */
  | {
      readonly kind: "ref";
      readonly ref: string;
      readonly from: string | undefined;
      readonly to: string;
      readonly why: string;
      readonly checkout: CheckoutRecord;
    };

interface CheckoutRecord extends GitDirs {
  readonly folder: string;
}

export function checkoutRecord({ folder, gitDir, commonDir }: CheckoutRecord): CheckoutRecord {
  return { folder, gitDir, commonDir };
}

export interface Note {
  change(then: Then): Promise<void>;
  remove(): Promise<void>;
}

/** Writes down what is begun, in the daemon's own folder. */
export async function noteUnfinished({ folder }: Pick<Guards, "folder">, first: Unfinished): Promise<Note> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `unfinished-${first.token}`);
  const write = async (to: Unfinished) => {
    await writeFile(`${path}.new`, JSON.stringify(to), { mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  const remove = async () => {
    await Promise.all([path, `${path}.new`].map((file) => rm(file, { force: true })));
  };
  try {
    await write(first);
  } catch (error) {
    await remove();
    throw error;
  }
  return { change: (then) => write({ ...first, then }), remove };
}

export function newToken(): string {
  return randomBytes(8).toString("hex");
}

export type Found = Unfinished & { readonly note: string };

/** What an earlier daemon left, and notes that a power cut has spoiled. Call before anything is begun. */
export async function unfinishedIn({ folder }: Pick<Guards, "folder">): Promise<{
  readonly found: readonly Found[];
  readonly spoiled: readonly string[];
}> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^unfinished-[0-9a-f]+$/.test(name));
  const notes = await Promise.all(
    names.map(async (name) => {
      const note = join(folder, name);
      return { note, unfinished: parsed(await readFile(note, "utf8")) };
    }),
  );
  return {
    found: notes.flatMap(({ note, unfinished }) => (unfinished ? [{ ...unfinished, note }] : [])),
    spoiled: notes.flatMap(({ note, unfinished }) => (unfinished ? [] : [note])),
  };
}

function parsed(text: string): Unfinished | undefined {
  try {
    const { token } = JSON.parse(text);
    return typeof token === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
