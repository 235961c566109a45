import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readForeign } from "@paneward/sdk/node/files";
import { isFolder, oneLine, pathExists } from "./discover.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";
import { withIndexCopy } from "./own-index.ts";

/** The commit that a worktree has checked out; undefined if its branch has no commit, or is gone. */
export async function headCommit(worktree: GitPlace): Promise<string | undefined> {
  const { code, out } = await tryGit(worktree, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  if (code === 0) return out.trim();
  const branch = (await gitLine(worktree, ["symbolic-ref", "HEAD"])).trim();
  // A ref that is there and names nothing is damaged: its commits must not be forgotten with it.
  if (await pathExists(join(worktree.commonDir, branch))) return gitLine(worktree, ["rev-parse", "HEAD"]);
  return undefined;
}

/** The last commit of a worktree's own log that exists: what a branch had that was deleted under it. */
export async function lastInLog(worktree: GitPlace): Promise<string | undefined> {
  const path = join(worktree.gitDir, "logs", "HEAD");
  const log = (await readForeign(path, { maxBytes: maxLogBytes }).catch(() => undefined))?.toString("latin1") ?? "";
  const ids = [...log.matchAll(/^([0-9a-f]+) ([0-9a-f]+) /gm)].flatMap(([, from = "", to = ""]) => [from, to]);
  for (const id of new Set(ids.toReversed())) if (!/^0+$/.test(id) && (await isCommit(worktree, id))) return id;
  return undefined;
}

/**
 * Commits that only a worktree's git directory names: HEAD, what a rebase or a merge in progress has put aside, and refs of
 * this worktree alone. They would be lost with it.
 */
export async function ownCommits(worktree: GitPlace): Promise<readonly string[]> {
  const named = [...inProgress, ...(await ownRefs(worktree.gitDir))];
  const texts = await Promise.all(named.map((name) => oneLine(join(worktree.gitDir, name)).catch(() => undefined)));
  const ids = new Set(texts.flatMap((text) => text?.split("\n") ?? []).filter((id) => /^[0-9a-f]{40,64}$/.test(id)));
  const found: string[] = [];
  for (const id of ids) {
    if (!(await isCommit(worktree, id))) continue;
    // `--all` would count the worktree's own HEAD.
    const others = ["--not", "--glob=refs", ...found, "--"];
    if ((await git(worktree, ["rev-list", "--max-count=1", id, ...others])) !== "") found.push(id);
  }
  return found;
}

/** The tree of what is staged. Files with conflicts are left out: their sides are in commits. */
export async function stagedTree(worktree: GitPlace): Promise<string> {
  return withIndexCopy(worktree, async (env) => {
    const unmerged = await git(worktree, ["ls-files", "--unmerged", "-z"], { env, encoding: "latin1" });
    const paths = unmerged.split("\0").flatMap((line) => /\t(.+)$/s.exec(line)?.[1] ?? []);
    const input = paths.map((path) => `${path}\0`).join("");
    if (input !== "") {
      await git(worktree, ["update-index", "--force-remove", "-z", "--stdin"], { env, input, encoding: "latin1" });
    }
    return gitLine(worktree, ["write-tree"], { env });
  });
}

const maxLogBytes = 16 * 1024 * 1024;

const inProgress = [
  ...["HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "MERGE_AUTOSTASH"],
  ...["rebase-merge/autostash", "rebase-apply/autostash", "rebase-merge/amend"],
];

/** Names below `refs` of a worktree's git directory. */
async function ownRefs(gitDir: string, below = "refs"): Promise<readonly string[]> {
  const folder = join(gitDir, below);
  if (!(await isFolder(folder))) return [];
  const found = await Promise.all(
    (await readdir(folder, { withFileTypes: true })).map((entry) => {
      const name = `${below}/${entry.name}`;
      if (entry.isDirectory()) return ownRefs(gitDir, name);
      return entry.isFile() ? [name] : [];
    }),
  );
  return found.flat();
}

async function isCommit(place: GitPlace, id: string): Promise<boolean> {
  return (await tryGit(place, ["cat-file", "-e", `${id}^{commit}`])).code === 0;
}
