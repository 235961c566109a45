import { type ErrorCode, PanewardError, systemFailure } from "@paneward/sdk";

/**
 * A merge that failed, and whose files in the task's worktree could not be put back either. What became of it is known all the
 * same: no branch has moved, so git there shows and restores what differs.
 */
export function notPutBack(folder: string, why: unknown, cause: unknown): PanewardError {
  const refused = why instanceof PanewardError ? why : systemFailure(why);
  const message = `nothing was merged, but files of ${folder} were changed and could not be put back: ${refused?.message ?? (why as Error).message}`;
  const restoring = `\`git restore --source=HEAD --staged --worktree .\` in ${folder} puts them back; no commit is lost`;
  return new PanewardError(codeOf(cause, refused), message, {
    cause,
    hint: refused === undefined ? restoring : `${refused.hint}; ${restoring}`,
  });
}

// Of a git that was ended it is not known what it did to the base.
function codeOf(cause: unknown, refused: PanewardError | undefined): ErrorCode {
  if (cause instanceof PanewardError && cause.code === "outcome_unknown") return cause.code;
  return refused?.code ?? "wrong_state";
}
