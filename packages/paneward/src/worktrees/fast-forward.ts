import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { someOf } from "./changes.ts";
import { branchIn, branchOfLostMain, type Checkout, checkouts } from "./checkouts.ts";
import { checkoutAt, oneLine, pathExists } from "./discover.ts";
import { refuseFilteredFiles } from "./filtered-files.ts";
import { type GitPlace, git, gitLine, pieces, tryGit } from "./git.ts";
import { withOwnHead } from "./guard.ts";
import { changingIndex } from "./index-lock.ts";
import { movingRef } from "./move-refs.ts";
import type { GitAnswer } from "./run-git.ts";

/** Fast-forwards a branch, and the checkout that has it; `from` is undefined for an unborn branch. */
export async function fastForward(root: GitPlace, branch: string, from: string | undefined, to: string): Promise<void> {
  const checkout = await checkoutWith(root, branch);
  if (checkout) await refuseFilteredFiles(checkout, from, to);
  const plan = { ref: `refs/heads/${branch}`, from, to, why: "paneward: merge", checkouts: checkout ? [checkout] : [] };
  await movingRef(root, plan, async () => {
    if (!checkout && (await checkoutWith(root, branch))) throw switchedMeanwhile(branch);
    if (checkout && from === undefined) await firstFiles(checkout, branch, to);
    else if (checkout && from !== undefined) await moveFiles(checkout, branch, from, to);
  });
}

async function checkoutWith(root: GitPlace, branch: string): Promise<Checkout | undefined> {
  if ((await branchOfLostMain(root)) === branch) throw unknownFolder(root, branch);
  for (const checkout of await checkouts(root)) {
    if ((await branchInRebase(checkout.gitDir)) === branch) throw inRebase(branch, checkout.folder);
    if (checkout.branch === branch && (await isMutual(checkout))) return checkout;
  }
  return undefined;
}

/** The last step of a rebase would find the branch moved, and fail. */
async function branchInRebase(gitDir: string): Promise<string | undefined> {
  const places = ["rebase-merge", "rebase-apply"].map((name) => join(gitDir, name, "head-name"));
  const names = await Promise.all(places.map((path) => oneLine(path).catch(() => undefined)));
  return /^refs\/heads\/(.+)$/.exec(names.find((name) => name !== undefined) ?? "")?.[1];
}

/** An agent can add any folder to git's list of worktrees; only one that names its place there in turn gets files. */
async function isMutual({ folder, gitDir, commonDir }: Checkout): Promise<boolean> {
  if (gitDir === commonDir) return pathExists(join(folder, ".git"));
  const found = await checkoutAt(folder).catch(() => undefined);
  return found?.gitDir === (await realpath(gitDir).catch(() => undefined));
}

// By default git overwrites ignored files: a committed `.env` would replace the user's own.
async function moveFiles(checkout: Checkout, branch: string, from: string, to: string): Promise<void> {
  const options = ["--quiet", "--no-stat", "--no-autostash", "--no-overwrite-ignore"];
  const args = ["merge", "--ff-only", ...options, to];
  const { code, err } = await withOwnHead(checkout, from, (place) => runChanging(place, args));
  if (code === 0) return;
  throw wouldOverwrite(checkout.folder, branch, filesIn(err), err);
}

/** An unborn branch has no files, so every file in the way is the user's. */
async function firstFiles(checkout: Checkout, branch: string, to: string): Promise<void> {
  const { folder } = checkout;
  const paths = pieces(await git(checkout, ["ls-tree", "-r", "-z", "--name-only", to]));
  const inTheWay: string[] = [];
  for (const path of paths) if (await pathExists(join(folder, path))) inTheWay.push(path);
  if (inTheWay.length > 0) throw wouldOverwrite(folder, branch, inTheWay, "");

  const nothing = await gitLine(checkout, ["mktree"]);
  const args = ["read-tree", "-m", "-u", nothing, to];
  const { code, err } = await runChanging(checkout, args);
  if (code !== 0) throw wouldOverwrite(folder, branch, filesIn(err), err);
}

/** Lets git change files and index; one that outlives the daemon still does both. */
async function runChanging(place: Checkout, args: readonly string[]): Promise<GitAnswer> {
  const answer = await changingIndex(place, async (env, ifKilled) => {
    // With the index locked, the user's git cannot check out another branch any more.
    if (place.branch !== undefined && (await branchIn(place.gitDir)) !== place.branch) {
      throw switchedMeanwhile(place.branch);
    }
    await ifKilled({ kind: "index", index: env.GIT_INDEX_FILE });
    // One that was ended may have changed files and index already: they belong together.
    const [answer] = await Promise.allSettled([tryGit(place, args, { env })]);
    return answer;
  });
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
}

function inRebase(branch: string, folder: string): PanewardError {
  return new PanewardError("wrong_state", `${branch} is being rebased in ${folder}; nothing was changed`, {
    hint: "finish that with `git rebase --continue`, or end it with `git rebase --abort`; then merge again",
  });
}

function unknownFolder({ commonDir }: GitPlace, branch: string): PanewardError {
  const message = `${branch} is checked out in a folder that ${commonDir} does not name; nothing was changed`;
  return new PanewardError("wrong_state", message, {
    hint: "its files could not be updated: check out another branch there, or make the task in that folder",
  });
}

function switchedMeanwhile(branch: string): PanewardError {
  return new PanewardError("conflict", `another branch was checked out, or ${branch}, meanwhile; nothing was changed`, {
    hint: "try again",
  });
}

/** git lists the files that block it one per line, after a tab. */
function filesIn(stderr: string): readonly string[] {
  return [...stderr.matchAll(/^\t(.+)$/gm)].map(([, path = ""]) => path);
}

function wouldOverwrite(folder: string, branch: string, files: readonly string[], stderr: string): PanewardError {
  const why = files.length > 0 ? `it would overwrite ${someOf(files)}` : stderr.trim().split("\n")[0];
  return new PanewardError("conflict", `${branch} in ${folder} could not be moved: ${why}; nothing was changed`, {
    ...(stderr === "" ? {} : { cause: new Error(stderr) }),
    hint: `commit, stash or move those files in ${folder}, then merge again`,
  });
}
