import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readlink, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { readForeign } from "@paneward/sdk/node/files";
import { ownObjects } from "./objects.ts";
import { plainEnvironment, runGit } from "./run-git.ts";
import { type ConfigEntry, filtersIn, parseConfig, safeConfig } from "./safe-config.ts";

/** Where a repository keeps a checkout: never asked of the checkout itself, whose `.git` an agent can replace. */
export interface GitDirs {
  readonly gitDir: string;
  readonly commonDir: string;
}

export interface Guards {
  /** A folder of the daemon's own. */
  readonly folder: string;
  /** Filters of the user's git configuration that may run. */
  readonly filters: () => Promise<readonly string[]>;
}

export interface Guard {
  /** Takes the place of the git directory. */
  readonly folder: string;
  /** Filters that some configuration defines and that do not run. */
  readonly withheldFilters: readonly string[];
  /** Those of them that the user allowed, and that only the repository's own configuration defines. */
  readonly undefinedFilters: readonly string[];
}

/**
 * A folder that git takes for the git directory of a checkout. Refs and lists of patterns are links to the real ones, to be
 * read; configuration, HEAD, index, logs and the place of new objects are Paneward's own. So nothing that an agent writes
 * into the repository names a program or another repository, and git writes nothing into it, also not while it changes.
 */
export async function guardOf(guards: Guards, dirs: GitDirs): Promise<Guard> {
  const folder = join(guards.folder, nameOf(dirs));
  // Others may remove it, with or without the folder that all of them are in.
  if (!made.has(folder) || !(await isWhole(folder))) {
    await make(guards, folder, dirs);
    made.set(folder, "");
  }
  const [user, repository, filters, head] = await Promise.all([
    userEntries(folder, dirs),
    repositoryEntries(dirs),
    guards.filters(),
    headOf(dirs),
  ]);
  refuseOtherRefs(dirs, repository);
  const config = safeConfig({ user, repository, filters });
  if (made.get(folder) !== config + head) {
    await replace(join(folder, "config"), config);
    await replace(join(folder, "HEAD"), Buffer.from(head, "latin1"));
    made.set(folder, config + head);
  }
  const defined = [...filtersIn(user), ...filtersIn(repository)];
  const running = filtersIn(user).filter((name) => filters.includes(name));
  const withheldFilters = [...new Set(defined)].filter((name) => !running.includes(name));
  return { folder, withheldFilters, undefinedFilters: withheldFilters.filter((name) => filters.includes(name)) };
}

export async function forgetGuard(guards: Guards, dirs: GitDirs): Promise<void> {
  const folder = join(guards.folder, nameOf(dirs));
  made.delete(folder);
  await rm(folder, { recursive: true, force: true });
}

/**
 * Works with a guard of its own, whose HEAD is a commit that git may move, and whose index it may write. The place is one
 * like any other, until the work is done.
 */
export async function withOwnHead<Place extends GitDirs & { readonly guards: Guards }, Result>(
  place: Place,
  commit: string,
  use: (place: Place & { readonly own: string }) => Promise<Result>,
): Promise<Result> {
  const { folder } = await guardOf(place.guards, place);
  const own = await mkdtemp(join(place.guards.folder, "own-"));
  try {
    await make(place.guards, own, place);
    await copyFile(join(folder, "config"), join(own, "config"));
    await replace(join(own, "HEAD"), `${commit}\n`);
    return await use({ ...place, own });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** The guards that this process has made, and the text of their configuration and HEAD. */
const made = new Map<string, string>();

async function isWhole(folder: string): Promise<boolean> {
  const parts = [join(folder, "HEAD"), join(folder, "objects", "info", "alternates")];
  const found = await Promise.all(parts.map((path) => stat(path).catch(() => undefined)));
  return found.every((stats) => stats !== undefined);
}

async function make(guards: Guards, folder: string, { gitDir, commonDir }: GitDirs): Promise<void> {
  await makeOwnFolder(guards.folder);
  await mkdir(join(folder, "info"), { recursive: true, mode: 0o700 });
  const links = {
    ...Object.fromEntries(["refs", "packed-refs", "shallow", "lfs"].map((name) => [name, join(commonDir, name)])),
    objects: await ownObjects({ guards, commonDir }),
    // Patterns of what to ignore. The attributes beside them can only name filters, and none is defined.
    "info/exclude": join(commonDir, "info", "exclude"),
    "info/attributes": join(commonDir, "info", "attributes"),
    "info/sparse-checkout": join(gitDir, "info", "sparse-checkout"),
  };
  for (const [name, target] of Object.entries(links)) await placeLink(join(folder, name), target);
  await replace(join(folder, "config"), safeConfig({ user: [], repository: [], filters: [] }));
}

/** Only this one: a state folder that was moved away may come back. */
async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "EEXIST") return;
    throw new PanewardError("unavailable", `the folder ${folder} cannot be made: ${cause.message}`, { cause });
  });
}

async function placeLink(at: string, target: string): Promise<void> {
  if ((await readlink(at).catch(() => undefined)) === target) return;
  await rm(at, { recursive: true, force: true });
  await symlink(target, at).catch((error: NodeJS.ErrnoException) => {
    // Two calls at once.
    if (error.code !== "EEXIST") throw error;
  });
}

/** git believes HEAD in whatever it names; this lets only a branch or a commit through. As latin1. */
async function headOf({ gitDir }: GitDirs): Promise<string> {
  const path = join(gitDir, "HEAD");
  const text = (await readForeign(path, { maxBytes: 65_536 }))?.toString("latin1").trimEnd();
  if (text !== undefined && /^(ref: *refs\/[^\x00-\x20\x7f]+|[0-9a-f]{40}|[0-9a-f]{64})$/.test(text))
    return `${text}\n`;
  throw new PanewardError("wrong_state", `${path} names neither a branch nor a commit`, {
    hint: `write \`ref: refs/heads/BRANCH\` into it, with the branch that was checked out there`,
  });
}

/** With another storage of refs, HEAD is not in its file, and refs cannot be written without git. */
function refuseOtherRefs({ commonDir }: GitDirs, entries: readonly ConfigEntry[]): void {
  const storage = entries.findLast(({ key }) => key === "extensions.refstorage")?.value ?? "files";
  if (storage === "files") return;
  throw new PanewardError("wrong_state", `${commonDir} keeps its refs as ${storage}, which Paneward cannot write`, {
    hint: "`git refs migrate --ref-format=files` changes that",
  });
}

let writes = 0;

async function replace(path: string, text: string | Buffer): Promise<void> {
  const beside = `${path}.${process.pid}.${++writes}`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, path);
}

function nameOf({ gitDir, commonDir }: GitDirs): string {
  return createHash("sha256").update(`${gitDir}\0${commonDir}`).digest("hex").slice(0, 24);
}

const maxConfigBytes = 1024 * 1024;

/** Of the repository and, where git keeps some settings per worktree, of this one. Includes are not followed. */
async function repositoryEntries({ gitDir, commonDir }: GitDirs): Promise<readonly ConfigEntry[]> {
  const common = await entriesIn(join(commonDir, "config"));
  if (!common.some(({ key, value }) => key === "extensions.worktreeconfig" && value !== "false")) return common;
  return [...common, ...(await entriesIn(join(gitDir, "config.worktree")))];
}

/** Whether a repository says that it has no files of its own. */
export async function isBare({ commonDir }: Pick<GitDirs, "commonDir">): Promise<boolean> {
  const entry = (await entriesIn(join(commonDir, "config"))).findLast(({ key }) => key === "core.bare");
  return entry !== undefined && /^(true|yes|on|1|)$/i.test(entry.value ?? "true");
}

const parsed = new Map<string, { readonly text: string; readonly entries: readonly ConfigEntry[] }>();

async function entriesIn(path: string): Promise<readonly ConfigEntry[]> {
  const text = (await readForeign(path, { maxBytes: maxConfigBytes }))?.toString("latin1");
  if (text === undefined) return [];
  const known = parsed.get(path);
  if (known?.text === text) return known.entries;
  const args = ["config", "--file", "-", "--no-includes", "--list", "--null"];
  const { code, out } = await runGit(args, { cwd: "/", env: plainEnvironment(), input: text, encoding: "latin1" });
  // git itself would refuse to work with a configuration that it cannot parse; here it only means no settings.
  const entries = code === 0 ? parseConfig(Buffer.from(out, "latin1").toString("utf8")) : [];
  parsed.set(path, { text, entries });
  return entries;
}

const ofUsers = new Map<string, { readonly signature: string; readonly entries: readonly ConfigEntry[] }>();

/** What the user and the machine have configured, with includes that depend on the repository. */
async function userEntries(guard: string, { gitDir }: GitDirs): Promise<readonly ConfigEntry[]> {
  const signature = await signatureOf([...userFiles(), ...(originsOf.get(guard) ?? [])]);
  const known = ofUsers.get(guard);
  if (known?.signature === signature) return known.entries;
  const env = { ...plainEnvironment(), ...configVariables(), GIT_DIR: gitDir, GIT_COMMON_DIR: guard };
  const args = ["config", "--list", "--includes", "--show-scope", "--show-origin", "--null"];
  const { code, out } = await runGit(args, { cwd: "/", env });
  const fields = code === 0 ? out.split("\0") : [];
  const rows = Array.from({ length: Math.floor(fields.length / 3) }, (_, row) => fields.slice(row * 3, row * 3 + 3));
  const mine = rows.filter(([scope]) => scope === "system" || scope === "global");
  const entries = mine.flatMap(([, , entry = ""]) => parseConfig(entry));
  const origins = [...new Set(mine.flatMap(([, origin]) => origin?.replace(/^file:/, "") ?? []))];
  originsOf.set(guard, origins);
  // A file that is included may depend on the branch, or appear later.
  const lasting = !entries.some(({ key }) => /^include(if)?\./.test(key));
  if (lasting) ofUsers.set(guard, { signature: await signatureOf([...userFiles(), ...origins]), entries });
  return entries;
}

const originsOf = new Map<string, readonly string[]>();

function userFiles(): readonly string[] {
  const { HOME = "/", XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = process.env;
  const xdg = XDG_CONFIG_HOME || join(HOME, ".config");
  const global = GIT_CONFIG_GLOBAL === undefined ? [join(HOME, ".gitconfig"), join(xdg, "git", "config")] : [];
  return [...global, GIT_CONFIG_GLOBAL ?? "", GIT_CONFIG_SYSTEM ?? "/etc/gitconfig"].filter((path) => path !== "");
}

function configVariables(): Record<string, string> {
  const names = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

async function signatureOf(paths: readonly string[]): Promise<string> {
  const all = await Promise.all(
    [...new Set(paths)].map(async (path) => {
      const stats = await stat(path).catch(() => undefined);
      return `${path} ${stats?.ino} ${stats?.size} ${stats?.mtimeMs}`;
    }),
  );
  return all.join("\n");
}
