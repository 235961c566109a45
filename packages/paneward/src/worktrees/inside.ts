import { PanewardError } from "@paneward/sdk";

/**
 * Whether a path that git names stays in its worktree and out of `.git`. git makes no others, but it checks only what it
 * adds itself, and an agent can write an index or a tree without it. `.git` counts in any case: some disks do not
 * distinguish them.
 */
export function staysInside(path: string): boolean {
  return path.split("/").every((part) => !outside.has(part.toLowerCase()));
}

const outside = new Set(["", ".", "..", ".git"]);

export function refuseOutside(
  { folder }: { readonly folder: string },
  paths: readonly string[],
  hint = "nothing was read or written there; an agent may have forged objects of the repository: look at its commits",
): void {
  const path = paths.find((one) => !staysInside(one));
  if (path === undefined) return;
  const shown = Buffer.from(path, "latin1").toString("utf8");
  throw new PanewardError("wrong_state", `git names a path that leaves the worktree ${folder}: ${shown}`, { hint });
}
