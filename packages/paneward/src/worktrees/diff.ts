import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import type { TaskGit } from "./checkouts.ts";
import { type GitPlace, git, gitFailure, gitLine, pieces, tryGit } from "./git.ts";
import { refuseOutside } from "./inside.ts";
import { type IndexEnvironment, withIndexCopy } from "./own-index.ts";
import { plainDiff } from "./plain-diff.ts";

/** Everything the task has changed, committed or not, since it left its base; of a long text the beginning. */
export async function diff({ task, worktree }: TaskGit, stat: boolean, maxLength: number): Promise<string> {
  if (!worktree) throw noWorktree(task);
  const since = await forkPoint(worktree, task);
  return withIndexCopy(worktree, async (env) => {
    await addIntentToAdd(worktree, env);
    const shape = stat ? ["--stat=120"] : ["--src-prefix=a/", "--dst-prefix=b/"];
    const args = ["diff", ...plainDiff, "--no-color", "--find-renames", ...shape, since];
    const answer = await tryGit(worktree, args, { env, maxLength });
    if (answer.code !== 0 && !answer.cut) throw gitFailure(worktree, args, answer);
    return answer.out;
  });
}

async function forkPoint(worktree: GitPlace, task: TaskRecord): Promise<string> {
  const base = task.base === undefined ? undefined : `refs/heads/${task.base}`;
  const found = base === undefined ? undefined : await tryGit(worktree, ["merge-base", base, "HEAD"]);
  if (found?.code === 0) return found.out.trim();
  return task.baseCommit ?? gitLine(worktree, ["mktree"]);
}

/** With --intent-to-add, `git diff` shows a file without writing it into the repository. */
async function addIntentToAdd(worktree: GitPlace, env: IndexEnvironment): Promise<void> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  const listed = await git(worktree, args, { env, encoding: "latin1" });
  const files = pieces(listed).filter((path) => !path.endsWith("/"));
  if (files.length === 0) return;
  refuseOutside(worktree, files);
  await git(worktree, ["add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"], {
    env: { ...env, GIT_LITERAL_PATHSPECS: "1" },
    input: files.join("\0"),
    encoding: "latin1",
  });
}

function noWorktree(task: TaskRecord): PanewardError {
  return new PanewardError("wrong_state", `task ${task.id} has no worktree`, {
    hint: `\`paneward start ${task.id}\` creates it`,
  });
}
