import { differencesBetween } from "./differences.ts";
import type { Put } from "./file-lock.ts";
import { type GitPlace, git, gitLine, pieces } from "./git.ts";
import { logMove, type RefMove } from "./log-refs.ts";
import { commitOf } from "./move-refs.ts";
import { publishObjects } from "./objects.ts";
import { withIndexCopy } from "./own-index.ts";
import { plainDiff } from "./plain-diff.ts";
import { refuseEndlessFiles } from "./plain-files.ts";
import { refuseLinkedRefs } from "./written-places.ts";

/**
 * Moves a ref that a killed daemon has left locked, if the checkout that has it got the index of the new commit: without
 * that, the next commit there would hold the change once more, or undo it.
 */
export async function followIndex(
  checkout: GitPlace,
  { ref, from, to, why }: Omit<RefMove, "checkouts">,
  put: Put,
): Promise<void> {
  await refuseEndlessFiles(checkout, [ref]);
  await refuseLinkedRefs(checkout, [ref]);
  if ((await commitOf(checkout, ref)) !== from || !(await hasIndexOf(checkout, from, to))) return;
  await publishObjects(checkout);
  await put(`${to}\n`);
  await logMove(checkout, { ref, from, to, why, checkouts: [checkout] });
}

/** Whether a checkout's index was changed from one commit to the other. The user may have staged other files in it. */
async function hasIndexOf(checkout: GitPlace, from: string | undefined, to: string): Promise<boolean> {
  const changed = await differencesBetween(checkout, from ?? (await gitLine(checkout, ["mktree"])), to);
  const args = ["diff-index", "--cached", ...plainDiff, "--no-renames", "--name-only", "-z", to];
  const others = await withIndexCopy(checkout, (env) => git(checkout, args, { env, encoding: "latin1" }));
  const differing = new Set(pieces(others));
  return changed.every(({ path }) => !differing.has(path));
}
