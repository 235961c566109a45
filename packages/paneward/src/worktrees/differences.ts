import { type GitPlace, git } from "./git.ts";
import { refuseOutside } from "./inside.ts";

/** A path in which two commits differ, and what the second has there. */
export interface Difference {
  /** As latin1. */
  readonly path: string;
  /** Whether the first commit has something there. */
  readonly isOld: boolean;
  /** What git calls it: `100644`, `120000`; zeros if there is nothing. */
  readonly mode: string;
  readonly id: string;
}

/** An agent can write the repository's objects, so the paths are looked at before anything is done with them. */
export async function differencesBetween(place: GitPlace, one: string, other: string): Promise<readonly Difference[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", one, other];
  const fields = (await git(place, args, { encoding: "latin1" })).split("\0");
  const found = fields.flatMap((path, index) => {
    const [old = "", mode = "", , id = ""] = fields[index - 1]?.split(" ") ?? [];
    return index % 2 === 1 ? [{ path, isOld: old !== ":000000", mode, id }] : [];
  });
  refuseOutside(
    place,
    found.map(({ path }) => path),
  );
  return found;
}

/** Whether there is a file or a link to write; a submodule is left alone. */
export function isWritten({ mode }: Difference): boolean {
  return mode.startsWith("1") && mode !== "160000";
}
