import { PanewardError } from "@paneward/sdk";
import { someOf } from "./changes.ts";
import type { Checkout } from "./checkouts.ts";
import { type GitPlace, git, gitLine, pieces } from "./git.ts";
import { guardOf } from "./guard.ts";

/**
 * Refuses to write files into a user's checkout that a filter of theirs would have changed, such as git-lfs or
 * git-crypt: without it they would be pointers or ciphertext.
 */
export async function refuseFilteredFiles(checkout: Checkout, from: string | undefined, to: string): Promise<void> {
  const { withheldFilters, undefinedFilters } = await guardOf(checkout.guards, checkout);
  if (withheldFilters.length === 0) return;
  const since = from ?? (await gitLine(checkout, ["mktree"]));
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=d", since, to];
  const changed = await git(checkout, args, { encoding: "latin1" });
  const listed = await git(checkout, ["check-attr", "-z", "--stdin", "filter"], { input: changed, encoding: "latin1" });
  const fields = pieces(listed);
  const filtered = fields.filter((_, at) => at % 3 === 0 && withheldFilters.includes(fields[at + 2] ?? ""));
  if (filtered.length === 0) return;
  const names = [...new Set(fields.filter((name, at) => at % 3 === 2 && withheldFilters.includes(name)))];
  throw new PanewardError(
    "wrong_state",
    `${someOf(filtered)} would be written without the filter ${names.join(", ")}, which Paneward does not run`,
    { hint: `merge with git itself in ${checkout.folder}, or ${howToRun(names, undefinedFilters)}` },
  );
}

/** What a person should know of a new worktree: an allowed filter that does not run all the same. */
export async function filterNote(place: GitPlace): Promise<string | undefined> {
  const { undefinedFilters } = await guardOf(place.guards, place);
  return undefinedFilters.length === 0 ? undefined : howToDefine(undefinedFilters);
}

function howToRun(names: readonly string[], undefinedFilters: readonly string[]): string {
  const undefinedNames = names.filter((name) => undefinedFilters.includes(name));
  if (undefinedNames.length > 0) return `define it yourself: ${howToDefine(undefinedNames)}`;
  return "allow the filter: `[git] filters` in your configuration";
}

function howToDefine(names: readonly string[]): string {
  const how = names.map((name) => `\`git config --global filter.${name}.smudge …\``).join(", ");
  const which = names.map((name) => `\`${name}\``).join(", ");
  return `${which} is allowed, but your own git configuration does not define it: ${how}`;
}
