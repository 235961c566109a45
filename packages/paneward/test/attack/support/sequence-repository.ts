import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../../../tmux/test/support/random.ts";
import type { TestDaemon } from "../../support/daemon.ts";
import { type Git, gitAt } from "./sequence-place.ts";

export interface OddRepository {
  readonly root: string;
  /** Where tasks are made; another worktree of the user in some. */
  readonly from: string;
  readonly kind: string;
  readonly algorithm: "sha1" | "sha256";
}

interface Made {
  readonly git: Git;
  readonly root: string;
  readonly head: string;
}

const kinds = {
  plain: () => {},
  packed: ({ git }) => git(["pack-refs", "--all"]),
  sha256: () => {},
  empty: () => {},
  shallow: () => {},
  "other worktree": ({ git, root, head }) => git(["worktree", "add", "-q", "-b", "side", `${root} side`, head]),
  detached: ({ git, head }) => git(["checkout", "-q", "--detach", head]),
  sparse: ({ git }) => git(["sparse-checkout", "set", "--no-cone", "/*", "!/left-out"]),
  "files with filters": () => {},
} as const satisfies Record<string, (made: Made) => unknown>;

const branches = [
  "main",
  "main",
  "main",
  "feature/x",
  "refs/heads/x",
  "HEAD",
  "-dash",
  "\u00fcn\u00ef\u{1f642}",
  "b".repeat(180),
];

/** A repository with something unusual about it. */
export function oddRepository(daemon: TestDaemon, name: string, { pick }: Random): OddRepository {
  const kind = pick(Object.keys(kinds) as (keyof typeof kinds)[]);
  const root = join(daemon.folder, `${name} ${pick(["plain", "it's", 'quo"te', "-x", "ü☂", "#{pane}"])}`);
  const algorithm = kind === "sha256" ? "sha256" : "sha1";
  mkdirSync(root);
  const git = gitAt(root, daemon.env);
  git(["init", "-q", `--object-format=${algorithm}`]);
  // Of a branch called HEAD, git itself makes a broken reference in a clone.
  const branch = `refs/heads/${kind === "shallow" ? "main" : pick(branches)}`;
  git(["symbolic-ref", "HEAD", branch]);
  if (kind !== "empty") {
    const tree = `100644 blob ${git(["hash-object", "-w", "--stdin"], "one\n").trim()}\t`;
    const attributes = git(["hash-object", "-w", "--stdin"], "*.big filter=lfs\n*.txt text=auto eol=lf\n").trim();
    const ignore = git(["hash-object", "-w", "--stdin"], "ignored\n").trim();
    const rows = [`${tree}first`, `${tree}left-out`, `${tree}data.big`, `100644 blob ${ignore}\t.gitignore`];
    if (kind === "files with filters") rows.push(`100644 blob ${attributes}\t.gitattributes`);
    git(["update-index", "--add", "--index-info"], rows.map((row) => `${row}\n`).join(""));
    git(["commit", "-q", "-m", "first"]);
    git(["commit", "-q", "--allow-empty", "-m", "second"]);
    git(["reset", "-q", "--hard"]);
  }
  if (kind !== "shallow") {
    kinds[kind]({ git, root, head: kind === "empty" ? "" : git(["rev-parse", branch]).trim() });
    return { root, from: kind === "other worktree" ? `${root} side` : root, kind, algorithm };
  }
  const clone = `${root} clone`;
  execFileSync("git", ["clone", "-q", "--no-local", "--depth=1", root, clone], {
    env: daemon.env,
    stdio: "pipe",
  });
  return { root: clone, from: clone, kind, algorithm };
}
