import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { someOf } from "./changes.ts";
import { branchCommit, isAncestor } from "./checkouts.ts";
import { git, gitFailure, gitLine, pieces, tryGit } from "./git.ts";
import { identity } from "./identity.ts";

/** Rebases the task's commits onto `onto`; returns the new head. On a conflict everything stays as it was. */
export async function rebase(task: TaskRecord, base: string, onto: string, before: string): Promise<string> {
  if (await isAncestor(task.root, onto, before)) return before;
  const args = [...neutralSettings, "rebase", "--quiet", "--merge", "--no-fork-point", onto];
  const answer = await tryGit(task.worktree, args, { env: await identity(task.worktree) });
  if (answer.code === 0) return gitLine(task.worktree, ["rev-parse", "HEAD"]);

  const files = pieces(await git(task.worktree, ["diff", "--name-only", "--diff-filter=U", "-z"]));
  await abort(task, before, answer.err);
  if (files.length === 0) throw refused(base, gitFailure(task.worktree, args, answer));
  throw new PanewardError(
    "conflict",
    `${task.branch} and ${base} both changed ${someOf(files)}; the merge was aborted and nothing was changed`,
    { hint: `run \`git rebase ${base}\` in ${task.worktree}, resolve the conflict, then merge again` },
  );
}

/** The user's rebase settings could stash, squash or move other branches. */
const neutralSettings = [
  ...["-c", "rebase.autoStash=false"],
  ...["-c", "rebase.autoSquash=false"],
  ...["-c", "rebase.updateRefs=false"],
  ...["-c", "rebase.rebaseMerges=false"],
];

async function abort(task: TaskRecord, before: string, why: string): Promise<void> {
  const { err } = await tryGit(task.worktree, ["rebase", "--abort"]);
  const onBranch = await tryGit(task.worktree, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (onBranch.out.trim() === task.branch && (await branchCommit(task.root, task.branch)) === before) return;
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
