import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { gitIn } from "./repository.ts";

/** Every file below a folder with its bytes, its executable bit or its link; without `.git`. */
export function filesOf(folder: string): Readonly<Record<string, string>> {
  const found: [string, string][] = [];
  const visit = (path: Buffer, name: string) => {
    for (const entry of readdirSync(path, { encoding: "buffer" })) {
      const at = Buffer.concat([path, Buffer.from("/"), entry]);
      const as = `${name}${entry.toString("latin1")}`;
      const stats = lstatSync(at);
      if (as === ".git") continue;
      if (stats.isDirectory()) visit(at, `${as}/`);
      else if (stats.isSymbolicLink()) found.push([as, `link ${readlinkSync(at, "buffer").toString("latin1")}`]);
      else found.push([as, `${stats.mode & 0o100 ? "x" : "-"} ${readFileSync(at, "latin1")}`]);
    }
  };
  visit(Buffer.from(folder), "");
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a failed operation must not change: refs, HEADs, git status and the files. */
export function stateOf(root: string, ...worktrees: readonly string[]): object {
  return [root, ...worktrees].map((folder) => ({
    refs: gitIn(folder, "for-each-ref", "--format=%(refname) %(objectname)"),
    head: gitIn(folder, "rev-parse", "--symbolic-full-name", "HEAD"),
    status: gitIn(folder, "status", "--porcelain=v2", "--branch", "--untracked-files=all"),
    files: filesOf(folder),
  }));
}
