import { rmSync } from "node:fs";
import type { Random } from "../../../../tmux/test/support/random.ts";
import type { KnownTask, Model } from "./sequence-model.ts";
import { names, type Place, tried } from "./sequence-place.ts";

let contents = 0;

/** Contents that resemble nothing, so that git takes none for another one renamed. */
function content({ below }: Random): string {
  return `${++contents}-${Array.from({ length: 8 }, () => below(2 ** 31).toString(36)).join("")}`;
}

export function edit(place: Place, random: Random): string | undefined {
  const name = random.pick(names);
  return place.write(name, content(random), random) ? name : undefined;
}

export function stage(model: Model, place: Place, random: Random): void {
  const name = edit(place, random);
  if (name === undefined) return;
  place.stage(name);
  model.afterOwnGit(place);
  if (random.below(3) === 0) place.remove(name);
  else if (random.below(2) === 0) place.write(name, content(random), random);
}

/** An edit that the index tells git not to look at. */
export function hide(place: Place, random: Random): void {
  const tracked = place
    .git(["ls-files", "-z"])
    .split("\0")
    .filter((name) => names.includes(name));
  if (tracked.length === 0) return;
  const name = random.pick(tracked);
  const flag = random.pick(["--assume-unchanged", "--skip-worktree"]);
  tried(() => place.git(["update-index", flag, "-z", "--stdin"], `${name}\0`));
  place.write(name, content(random), random);
}

export function commitAll(model: Model, place: Place, random: Random): void {
  for (let count = random.below(3); count >= 0; count--) edit(place, random);
  tried(() => place.git(["add", "--all"]));
  tried(() => place.git(["commit", "-q", "-m", "agent"]));
  model.afterOwnGit(place);
}

/** Commits one file, and nothing else that is staged; it may find git busy. */
export function commitOne(model: Model, place: Place, random: Random): void {
  const free = names.filter((name) => !place.disk.has(name) && !place.staged.has(name));
  const name = random.pick(free);
  if (!place.write(name, content(random), random)) return;
  place.stage(name);
  tried(() =>
    place.git(["commit", "-q", "-m", "user", "--only", "--pathspec-from-file=-", "--pathspec-file-nul"], name),
  );
  model.afterOwnGit(place);
}

/** Only without work of its own that git might change. What the agent leaves behind gets a branch. */
export function backToBranch({ branch, place }: KnownTask): void {
  if (!isClean(place)) return;
  // `git branch` takes HEAD for ambiguous where a branch has that name.
  tried(() => place.git(["update-ref", `refs/heads/left-${++contents}`, place.git(["rev-parse", "HEAD"]).trim()]));
  tried(() => place.git(["rebase", "--abort"]));
  tried(() => place.git(["merge", "--abort"]));
  tried(() => place.git(["checkout", "-q", branch]));
}

export function bringBaseIn({ base, place }: KnownTask, args: readonly string[]): void {
  if (base !== undefined && isClean(place)) tried(() => place.git([...args, `refs/heads/${base}`]));
}

export function collect({ git }: Place): void {
  tried(() => git(["reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all"]));
  tried(() => git(["gc", "-q", "--prune=now"]));
}

/** What was only on the disk is gone by the user's own hand. */
export function removeFolder({ place }: KnownTask): void {
  rmSync(place.folder, { recursive: true });
  place.disk.clear();
}

function isClean({ disk, staged, git }: Place): boolean {
  return disk.size === 0 && staged.size === 0 && git(["status", "--porcelain"]) === "";
}
