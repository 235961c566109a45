import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { someOf } from "./changes.ts";
import { branchCommit, isAncestor } from "./checkouts.ts";
import { plainDiff } from "./diff.ts";
import { type GitPlace, git, gitFailure, gitLine, pieces, tryGit } from "./git.ts";
import { identity } from "./identity.ts";
import { withLockedIndex } from "./index-lock.ts";
import { copyIndex, refuseForgedIndex } from "./own-index.ts";

interface Opened {
  readonly task: TaskRecord;
  readonly root: GitPlace;
  readonly worktree: GitPlace;
}

/** Rebases the task's commits onto `onto`; returns the new head. On a conflict everything stays as it was. */
export async function rebase(opened: Opened, base: string, onto: string, before: string): Promise<string> {
  if (await isAncestor(opened.root, onto, before)) return before;
  return inOwnGitDir(opened, (place) => rebaseIn(place, opened, base, onto, before));
}

async function rebaseIn(
  place: GitPlace,
  { task, root }: Opened,
  base: string,
  onto: string,
  before: string,
): Promise<string> {
  const args = [...neutralSettings, "rebase", "--quiet", "--merge", "--no-fork-point", onto];
  const answer = await tryGit(place, args, { env: await identity(place) });
  if (answer.code === 0) return gitLine(place, ["rev-parse", "HEAD"]);

  const files = pieces(await git(place, ["diff", ...plainDiff, "--name-only", "--diff-filter=U", "-z"]));
  await abort(place, root, task, before, answer.err);
  if (files.length === 0) throw refused(base, gitFailure(place, args, answer));
  throw new PanewardError(
    "conflict",
    `${task.branch} and ${base} both changed ${someOf(files)}; the merge was aborted and nothing was changed`,
    { hint: `run \`git rebase ${base}\` in ${task.worktree}, resolve the conflict, then merge again` },
  );
}

/**
 * Works on the files of the worktree with a git directory of Paneward's own. git keeps the commands of a rebase in its
 * git directory and reads them again after each: in the worktree's, an agent could add one to run.
 */
function inOwnGitDir<Result>({ task, worktree }: Opened, work: (place: GitPlace) => Promise<Result>): Promise<Result> {
  const gitDir = join(worktree.guards.folder, `rebase-${task.id}`);
  const place = { ...worktree, gitDir };
  const index = join(gitDir, "index");
  return withLockedIndex(worktree, async (put) => {
    try {
      await rm(gitDir, { recursive: true, force: true });
      await mkdir(gitDir, { recursive: true, mode: 0o700 });
      await writeFile(join(gitDir, "HEAD"), `ref: refs/heads/${task.branch}\n`);
      // git looks for refs where this file says, whatever its environment says.
      await writeFile(join(gitDir, "commondir"), `${worktree.commonDir}\n`);
      await copyIndex(worktree, index);
      await refuseForgedIndex(place, { GIT_INDEX_FILE: index });
      try {
        return await work(place);
      } finally {
        await put(index);
      }
    } finally {
      await rm(gitDir, { recursive: true, force: true });
    }
  });
}

/** The user's rebase settings could stash, squash or move other branches. */
const neutralSettings = [
  ...["-c", "rebase.autoStash=false"],
  ...["-c", "rebase.autoSquash=false"],
  ...["-c", "rebase.updateRefs=false"],
  ...["-c", "rebase.rebaseMerges=false"],
];

async function abort(place: GitPlace, root: GitPlace, task: TaskRecord, before: string, why: string): Promise<void> {
  const { err } = await tryGit(place, ["rebase", "--abort"]);
  const onBranch = await tryGit(place, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (onBranch.out.trim() === task.branch && (await branchCommit(root, task.branch)) === before) return;
  throw new PanewardError(
    "outcome_unknown",
    `the rebase failed (${why.trim()}) and could not be undone: ${err.trim()}`,
    {
      hint: `check \`git status\` in ${task.worktree}; the task's commits are at ${before}`,
    },
  );
}

function refused(base: string, cause: PanewardError): PanewardError {
  return new PanewardError("conflict", `git refused to rebase on ${base}; nothing was changed. ${cause.message}`, {
    cause,
  });
}
