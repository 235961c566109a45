import { rmdir, unlink } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import { readForeign } from "@paneward/sdk/node/files";
import { withFileLock } from "./file-lock.ts";
import { foldersAbove, partsOf } from "./folders-above.ts";
import { type GitPlace, git, tryGit } from "./git.ts";
import { type HeldFolder, withFolder } from "./held-folders.ts";
import { logMove, type RefMove } from "./log-refs.ts";
import { publishObjects } from "./objects.ts";
import { unpackRef } from "./packed-refs.ts";
import { rawPath } from "./raw-paths.ts";
import { checkoutRecord } from "./unfinished.ts";

/** A ref and the commit that it must have; undefined if it must not exist. */
export type RefPlan = Omit<RefMove, "checkouts"> & Partial<Pick<RefMove, "checkouts">>;

/**
 * Moves a ref after `work`, which changes the checkouts that have it; meanwhile the ref is locked as git locks it. git
 * itself writes refs and logs wherever a link leads, and an agent can make one while it runs; this follows none.
 */
export async function movingRef(place: GitPlace, plan: RefPlan, work: () => Promise<void>): Promise<void> {
  const { ref, from, to, why, checkouts = [] } = plan;
  const { guards, commonDir } = place;
  if (from === undefined) await refuseNeighbours(place, ref);
  const { above, name } = partsOf(rawPath(ref));
  const move = async (folder: HeldFolder) => {
    const target = await symbolicTarget(folder, name);
    if (target !== undefined) {
      await movingRef(place, { ...plan, ref: otherBranch(ref, target) }, work);
      return true;
    }
    await withFileLock(folder, { guards, commonDir, below: above, name }, async ({ put, ifKilled }) => {
      if ((await commitOf(place, ref)) !== from) throw otherCommit(ref);
      const [first] = checkouts;
      if (first) await ifKilled({ kind: "ref", ref, from, to, why, checkout: checkoutRecord(first) });
      await work();
      await publishObjects(place);
      // A branch with a longer name may have left its folder.
      await rmdir(folder.at(name)).catch(() => {});
      await put(`${to}\n`);
    });
    await logMove(place, { ...plan, checkouts });
    return true;
  };
  if (!(await withFolder(commonDir, above, move, { make: true }))) throw otherCommit(ref);
}

export function moveRef(place: GitPlace, plan: RefPlan): Promise<void> {
  return movingRef(place, plan, async () => {});
}

/** Deletes a ref with its log; one that does not exist is not an error. */
export async function deleteRef({ commonDir, guards }: GitPlace, ref: string): Promise<void> {
  const { above, name } = partsOf(rawPath(ref));
  const removeIn = (folder: HeldFolder) => unlink(folder.at(name)).catch(missingIsFine);
  await withFolder(
    commonDir,
    above,
    (folder) =>
      withFileLock(folder, { guards, commonDir, below: above, name }, async () => {
        await unpackRef({ commonDir, guards }, ref);
        await removeIn(folder);
      }),
    { make: true },
  );
  await withFolder(commonDir, `logs/${above}`, removeIn);
  for (const path of [ref, `logs/${ref}`]) await removeEmptyFolders(commonDir, path);
}

/** The commit of a ref, by its exact name. */
export async function commitOf(place: GitPlace, ref: string): Promise<string | undefined> {
  const { code, out } = await tryGit(place, ["show-ref", "--verify", "--hash", ref]);
  return code === 0 ? out.trim() : undefined;
}

/** A branch may stand for another one. */
async function symbolicTarget(folder: HeldFolder, name: string): Promise<string | undefined> {
  const text = await readForeign(folder.at(name), { maxBytes: 65_536 }).catch((error: NodeJS.ErrnoException) => {
    if (!(error instanceof PanewardError) || !/is a folder/.test(error.message)) throw error;
  });
  return /^ref:\s*(\S+)\s*$/.exec(text?.toString("utf8") ?? "")?.[1];
}

function otherBranch(ref: string, target: string): string {
  if (target !== ref && /^refs\/heads\/[^/]/.test(target) && !target.split("/").includes("..")) return target;
  throw new PanewardError("wrong_state", `${ref} stands for ${target}, which is not another branch`, {
    hint: `\`git symbolic-ref --delete ${ref}\` removes it`,
  });
}

/** git has no branch `a` beside a branch `a/b`. */
async function refuseNeighbours(place: GitPlace, ref: string): Promise<void> {
  const prefixes = foldersAbove(ref).filter((prefix) => prefix.split("/").length > 2);
  const listed = await git(place, ["for-each-ref", "--format=%(refname)", ...prefixes, ref]);
  const inTheWay = listed.split("\n").find((name) => prefixes.includes(name) || name.startsWith(`${ref}/`));
  if (inTheWay === undefined) return;
  throw new PanewardError("conflict", `${ref} cannot be made beside ${inTheWay}`, {
    hint: `rename it: \`git branch -m ${inTheWay.replace(/^refs\/heads\//, "")} NAME\``,
  });
}

/** As git does it: what is directly below `refs` stays. */
async function removeEmptyFolders(commonDir: string, path: string): Promise<void> {
  const kept = path.startsWith("logs/") ? 3 : 2;
  for (const folder of foldersAbove(path)) {
    const { above, name } = partsOf(folder);
    if (folder.split("/").length <= kept) return;
    const isGone = await withFolder(commonDir, above, (held) =>
      rmdir(held.at(name)).then(
        () => true,
        () => false,
      ),
    );
    if (!isGone) return;
  }
}

function otherCommit(ref: string): PanewardError {
  return new PanewardError("conflict", `${ref} moved meanwhile; nothing was changed`, { hint: "try again" });
}

function missingIsFine(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT" && error.code !== "EISDIR") throw error;
}
