import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { someOf } from "./changes.ts";
import { type Checkout, checkouts } from "./checkouts.ts";
import { checkoutAt, pathExists } from "./discover.ts";
import { refuseFilteredFiles } from "./filtered-files.ts";
import { type GitPlace, git, gitLine, pieces, tryGit } from "./git.ts";
import { changingIndex } from "./index-lock.ts";

/** Fast-forwards a branch, and the checkout that has it; `from` is undefined for an unborn branch. */
export async function fastForward(root: GitPlace, branch: string, from: string | undefined, to: string): Promise<void> {
  const checkout = await checkoutWith(root, branch);
  if (!checkout) return moveRef(root, branch, from, to);
  await refuseFilteredFiles(checkout, from, to);
  if (from === undefined) return firstCommit(checkout, branch, to);
  await moveCheckout(checkout, branch, to);
}

async function checkoutWith(root: GitPlace, branch: string): Promise<Checkout | undefined> {
  for (const checkout of await checkouts(root)) {
    if (checkout.branch === branch && (await isMutual(checkout))) return checkout;
  }
  return undefined;
}

/** An agent can add any folder to git's list of worktrees; only one that names its place there in turn gets files. */
async function isMutual({ folder, gitDir, commonDir }: Checkout): Promise<boolean> {
  if (gitDir === commonDir) return pathExists(join(folder, ".git"));
  const found = await checkoutAt(folder).catch(() => undefined);
  return found?.gitDir === (await realpath(gitDir).catch(() => undefined));
}

async function moveRef(root: GitPlace, branch: string, from: string | undefined, to: string): Promise<void> {
  const old = from ?? "0".repeat(to.length);
  const args = ["update-ref", "-m", "paneward: merge", `refs/heads/${branch}`, to, old];
  const { code, err } = await tryGit(root, args);
  if (code === 0) return;
  throw new PanewardError(
    "conflict",
    `${branch} moved while the task was merged; nothing was changed (${err.trim()})`,
    {
      hint: "merge again",
    },
  );
}

// By default git overwrites ignored files: a committed `.env` would replace the user's own.
async function moveCheckout(checkout: Checkout, branch: string, to: string): Promise<void> {
  const options = ["--quiet", "--no-stat", "--no-autostash", "--no-overwrite-ignore"];
  const args = ["merge", "--ff-only", ...options, to];
  const { code, err } = await changingIndex(checkout, (env) => tryGit(checkout, args, { env }));
  if (code === 0) return;
  throw wouldOverwrite(checkout.folder, branch, filesIn(err), err);
}

/** An unborn branch has no files, so every file in the way is the user's. */
async function firstCommit(checkout: Checkout, branch: string, to: string): Promise<void> {
  const { folder } = checkout;
  const paths = pieces(await git(checkout, ["ls-tree", "-r", "-z", "--name-only", to]));
  const inTheWay: string[] = [];
  for (const path of paths) if (await pathExists(join(folder, path))) inTheWay.push(path);
  if (inTheWay.length > 0) throw wouldOverwrite(folder, branch, inTheWay, "");

  const nothing = await gitLine(checkout, ["mktree"]);
  const turn = (one: string, other: string) =>
    changingIndex(checkout, (env) => tryGit(checkout, ["read-tree", "-m", "-u", one, other], { env }));
  const { code, err } = await turn(nothing, to);
  if (code !== 0) throw wouldOverwrite(folder, branch, filesIn(err), err);
  try {
    await moveRef(checkout, branch, undefined, to);
  } catch (cause) {
    await turn(to, nothing);
    throw cause;
  }
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
