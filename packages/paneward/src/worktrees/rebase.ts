import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { someOf } from "./changes.ts";
import { isAncestor } from "./checkouts.ts";
import { type GitPlace, git, gitFailure, gitLine, pieces, tryGit } from "./git.ts";
import { withOwnHead } from "./guard.ts";
import { identity } from "./identity.ts";
import { plainDiff } from "./plain-diff.ts";

/**
 * Makes the task's commits again on top of `onto`; returns the last one. A branch that contains merges is merged instead: a
 * rebase leaves them out, with all that was resolved and changed in them. No file, index or ref of the repository changes.
 * git works in an empty folder of Paneward's own: where an agent works, it would write through links that appear
 * meanwhile, and read its list of commands again after each of them.
 */
export async function rebase(
  { task, root }: { readonly task: TaskRecord; readonly root: GitPlace },
  base: string,
  onto: string,
  before: string,
): Promise<string> {
  if (await isAncestor(root, onto, before)) return before;
  return withOwnHead(root, before, async (at) => {
    const place = { ...at, folder: join(at.own, "files") };
    await mkdir(place.folder);
    await leaveOutFiles(at.own);
    await git(place, [...sparse, "read-tree", "-m", "-u", before]);
    const hasMerges = (await gitLine(root, ["rev-list", "--merges", "--max-count=1", before, `^${onto}`])) !== "";
    const work = hasMerges ? mergeOf(task, base, onto) : [...rebaseArgs, onto];
    const args = [...neutralSettings, ...sparse, ...work];
    const answer = await tryGit(place, args, { env: await identity(place) });
    if (answer.code === 0) return gitLine(place, ["rev-parse", "HEAD"]);
    const files = pieces(await git(place, ["diff", ...plainDiff, "--name-only", "--diff-filter=U", "-z"]));
    if (files.length === 0) throw refused(work[0] ?? "", base, gitFailure(root, args, answer));
    throw new PanewardError(
      "conflict",
      `${task.branch} and ${base} both changed ${someOf(files)}; the merge was aborted and nothing was changed`,
      { hint: `run \`git ${work[0]} ${base}\` in ${task.worktree}, resolve the conflict, then merge again` },
    );
  });
}

// Without --reapply-cherry-picks, a commit that the base once had and took back would be left out.
const rebaseArgs = ["rebase", "--quiet", "--merge", "--no-fork-point", "--reapply-cherry-picks"];

function mergeOf(task: TaskRecord, base: string, onto: string): readonly string[] {
  const options = ["--quiet", "--no-stat", "--ff", "--commit", "--no-squash", "--allow-unrelated-histories"];
  return ["merge", ...options, "-m", `Merge ${base} into ${task.branch}`, onto];
}

const sparse = ["-c", "core.sparseCheckout=true", "-c", "core.sparseCheckoutCone=false", "-c", "index.sparse=false"];

/** Only files with conflicts are written; a repository may have very many others. */
async function leaveOutFiles(own: string): Promise<void> {
  await rm(join(own, "info", "sparse-checkout"), { force: true });
  await writeFile(join(own, "info", "sparse-checkout"), "/nothing-of-this-name\n");
}

/** The user's settings could stash, squash or move other branches. */
const neutralSettings = [
  ...["-c", "rebase.autoStash=false"],
  ...["-c", "rebase.autoSquash=false"],
  ...["-c", "rebase.updateRefs=false"],
  ...["-c", "rebase.rebaseMerges=false"],
];

function refused(what: string, base: string, cause: PanewardError): PanewardError {
  return new PanewardError(
    "conflict",
    `git refused to ${what} ${what === "merge" ? "" : "on "}${base}; nothing was changed. ${cause.message}`,
    {
      cause,
    },
  );
}
