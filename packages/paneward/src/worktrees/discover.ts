import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { readForeign } from "@paneward/sdk/node/files";
import type { GitDirs } from "./guard.ts";

export interface Found extends GitDirs {
  /** The top folder of the checkout. */
  readonly folder: string;
}

export type Discovered =
  | ({ readonly kind: "checkout" } & Found)
  | { readonly kind: "nothing" }
  | { readonly kind: "bare" | "inside"; readonly folder: string };

/**
 * Finds the repository of a folder like git does, but only reads plain files and no configuration: git itself would wait
 * for ever for a FIFO.
 */
export async function discover(folder: string): Promise<Discovered> {
  const start = await realpath(folder);
  const { dev } = await stat(start);
  const ceilings = (process.env.GIT_CEILING_DIRECTORIES ?? "").split(":").filter((path) => path !== "");
  for (let at = start; ; at = dirname(at)) {
    if ((await stat(at)).dev !== dev) return { kind: "nothing" };
    const found = await checkoutAt(at);
    if (found) return { kind: "checkout", ...found };
    if (await isGitDir(at)) return { kind: basename(at) === ".git" ? "inside" : "bare", folder: at };
    if (dirname(at) === at || ceilings.includes(dirname(at))) return { kind: "nothing" };
  }
}

/** The checkout whose top is this folder; undefined if it has no usable `.git`. */
export async function checkoutAt(folder: string): Promise<Found | undefined> {
  const dotGit = join(folder, ".git");
  const stats = await lstat(dotGit).catch(() => undefined);
  if (!stats) return undefined;
  // A user may keep the repository behind a link. What is named here is recorded once, when a task is created.
  const gitDir = stats.isFile() ? await namedIn(dotGit) : await realpath(dotGit);
  if (gitDir === undefined) return undefined;
  const commonDir = await commonDirOf(gitDir);
  if (!(await isGitDir(commonDir, gitDir))) return undefined;
  return { folder, gitDir, commonDir };
}

async function commonDirOf(gitDir: string): Promise<string> {
  const text = await oneLine(join(gitDir, "commondir"));
  return text === undefined ? gitDir : resolve(gitDir, text);
}

/** The single line of a small file. */
export async function oneLine(path: string): Promise<string | undefined> {
  return (await readForeign(path, { maxBytes: 65_536 }))?.toString("utf8").replace(/\n$/, "");
}

export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** git refuses repositories of other users for the same reason. */
export async function refuseForeignOwner({ folder, gitDir }: Found, allowed: readonly string[]): Promise<void> {
  const me = process.geteuid?.();
  const owners = await Promise.all([folder, join(folder, ".git"), gitDir].map(async (path) => (await lstat(path)).uid));
  if (owners.every((uid) => uid === me) || allowed.includes("*") || allowed.includes(folder)) return;
  throw new PanewardError("not_allowed", `detected dubious ownership: ${folder} belongs to another user`, {
    hint: `\`git config --global --add safe.directory ${folder}\` trusts it`,
  });
}

async function namedIn(dotGit: string): Promise<string | undefined> {
  const [, named] = /^gitdir: (.+)$/s.exec((await oneLine(dotGit)) ?? "") ?? [];
  if (named === undefined) return undefined;
  const path = isAbsolute(named) ? named : resolve(dirname(dotGit), named);
  return realpath(path).catch(() => undefined);
}

async function isGitDir(commonDir: string, gitDir = commonDir): Promise<boolean> {
  const is = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const head = await lstat(join(gitDir, "HEAD")).catch(() => undefined);
  return head !== undefined && (await is(join(commonDir, "objects"))) && (await is(join(commonDir, "refs")));
}

export async function pathExists(path: string | Buffer): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
