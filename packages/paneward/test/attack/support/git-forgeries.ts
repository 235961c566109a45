import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "../../../../tmux/test/support/random.ts";
import { writeFiles } from "../../worktrees/support/repository.ts";
import { type Arsenal, attributes, evilConfig } from "./arsenal.ts";
import { forgeCommit, forgeIndexEntries, forgeTreeWith } from "./git-forgery.ts";

/** What an agent can write, and what it would like to reach. */
export interface ForgeryStage {
  readonly root: string;
  readonly common: string;
  /** The task's worktree, and its folder in git's list. */
  readonly worktree: string;
  readonly gitDir: string;
  readonly branch: string;
  /** Outside: files of the user, and another repository. */
  readonly victim: string;
  readonly other: string;
  readonly arsenal: Arsenal;
  readonly head: string;
}

export type Forgery = (at: ForgeryStage, random: Random) => void;

/** Something else in the place of a file that git reads. */
function inPlaceOf(path: string, { victim, other }: ForgeryStage, { pick }: Random): void {
  const kinds: readonly (() => void)[] = [
    () => execFileSync("mkfifo", [path]),
    () => symlinkSync(join(victim, "secret"), path),
    () => symlinkSync(join(victim, "new"), path),
    () => symlinkSync(victim, path),
    () => mkdirSync(path),
    () => writeFileSync(path, ""),
    () => writeFileSync(path, "\0garbage\n\xff"),
    () => writeFileSync(path, `${other}/.git/objects\n`),
    () => writeFileSync(path, "ref: refs/heads/../../../victim/secret\n"),
    () => writeFileSync(path, "ref: refs/heads/main\n"),
    () => writeFileSync(path, `${"1".repeat(40)}\n`),
  ];
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  pick(kinds)();
}

/** A link in the place of a folder that git writes to. */
function linkFolder(path: string, { victim }: ForgeryStage, { below }: Random): void {
  const moved = join(victim, `moved-${below(1_000_000)}`);
  if (existsSync(path)) renameSync(path, moved);
  else mkdirSync(moved);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(moved, path);
}

const files = (at: ForgeryStage): readonly string[] => [
  ...["HEAD", "commondir", "config", "packed-refs", "shallow", "index", "ORIG_HEAD", "config.worktree"].map((name) =>
    join(at.common, name),
  ),
  ...["info/exclude", "info/attributes", "info/grafts", "info/sparse-checkout"].map((name) => join(at.common, name)),
  ...["objects/info/alternates", "objects/info/commit-graph", "objects/info/packs"].map((name) =>
    join(at.common, name),
  ),
  ...["refs/heads/main", `refs/heads/${at.branch}`, "logs/HEAD", "logs/refs/heads/main"].map((name) =>
    join(at.common, name),
  ),
  ...["HEAD", "commondir", "gitdir", "index", "logs/HEAD", "locked", "info/sparse-checkout"].map((name) =>
    join(at.gitDir, name),
  ),
  ...[".git", ".gitignore", ".gitattributes", ".gitmodules", "a.txt"].map((name) => join(at.worktree, name)),
];

const folders = (at: ForgeryStage): readonly string[] => [
  ...["refs", "refs/heads", "refs/heads/paneward", "refs/paneward", "logs", "logs/refs", "objects", "objects/pack"].map(
    (name) => join(at.common, name),
  ),
  ...["objects/4b", "worktrees", "info", "modules", "hooks"].map((name) => join(at.common, name)),
  ...["logs", "info", "modules"].map((name) => join(at.gitDir, name)),
  join(at.worktree, "sub"),
];

export const forgeries: Readonly<Record<string, Forgery>> = {
  "another thing in the place of a file": (at, random) => inPlaceOf(random.pick(files(at)), at, random),
  "a second one": (at, random) => inPlaceOf(random.pick(files(at)), at, random),
  "a link in the place of a folder": (at, random) => linkFolder(random.pick(folders(at)), at, random),
  alternates: ({ common, other }) => writeFiles(common, { "objects/info/alternates": `${other}/.git/objects\n` }),
  commondir: ({ common, gitDir, other }, { pick }) =>
    writeFiles(pick([common, gitDir]), { commondir: `${other}/.git\n` }),
  "gitdir of the list": ({ gitDir, other, victim }, { pick }) =>
    writeFiles(gitDir, { gitdir: `${pick([`${other}/.git`, `${victim}/.git`, "../../../x/.git", ""])}\n` }),
  "an entry in the list": ({ common, other, worktree, victim }, { pick }) =>
    writeFiles(join(common, "worktrees", pick(["000", "zzz", "1-fix1"])), {
      gitdir: `${pick([other, worktree, victim])}/.git\n`,
      commondir: pick(["../..\n", `${other}/.git\n`]),
      HEAD: `ref: refs/heads/${pick(["main", "paneward/1-fix"])}\n`,
    }),
  ".git of the worktree": ({ worktree, other }) => {
    rmSync(join(worktree, ".git"), { recursive: true, force: true });
    writeFileSync(join(worktree, ".git"), `gitdir: ${other}/.git\n`);
  },
  configuration: ({ common, arsenal }) => writeFileSync(join(common, "config"), plain + evilConfig(arsenal, "config")),
  "configuration of the worktree": ({ common, gitDir, arsenal }) => {
    writeFileSync(join(common, "config"), `${plain}[extensions]\n\tworktreeConfig = true\n`);
    for (const folder of [common, gitDir]) writeFiles(folder, { "config.worktree": evilConfig(arsenal, "own") });
  },
  includes: ({ common, worktree, arsenal }) => {
    writeFiles(worktree, { included: evilConfig(arsenal, "included") });
    const path = `path = ${worktree}/included\n`;
    const text = `[include]\n\t${path}[includeIf "gitdir:**"]\n\t${path}[includeIf "onbranch:**"]\n\t${path}`;
    writeFileSync(join(common, "config"), plain + text);
  },
  "storage of refs": ({ common }) =>
    writeFileSync(join(common, "config"), `${plain}[extensions]\n\trefStorage = reftable\n`),
  attributes: ({ common, worktree }, { pick }) =>
    writeFiles(pick([join(common, "info"), worktree]), { attributes, ".gitattributes": attributes }),
  hooks: ({ common, arsenal }) => arsenal.hooksIn(join(common, "hooks"), "hook"),
  grafts: ({ common, head }) => writeFiles(common, { "info/grafts": `${head} ${"1".repeat(40)}\n` }),
  shallow: ({ common, head }) => writeFiles(common, { shallow: `${head}\n` }),
  replacement: ({ common, head, victim }) =>
    writeFiles(common, {
      [`refs/replace/${head}`]: `${forgeCommit(common, forgeTreeWith(common, `..${victim}/new`, "evil\n"))}\n`,
    }),
  "a commit with a path that leads outside": ({ common, branch, head }) =>
    writeFiles(common, {
      [`refs/heads/${branch}`]: `${forgeCommit(common, forgeTreeWith(common, "../../../outside/victim/new", "x\n"), head)}\n`,
    }),
  "a commit that writes below .git": ({ common, branch, head }) =>
    writeFiles(common, {
      [`refs/heads/${branch}`]: `${forgeCommit(common, forgeTreeWith(common, ".git/hooks/x", "x\n"), head)}\n`,
    }),
  "a path in an index": ({ gitDir, common, victim }, { pick }) =>
    forgeIndexEntries(
      join(pick([gitDir, common]), "index"),
      [pick([`${victim}/secret`, "../../../outside/victim/secret", ".git/config"])],
      "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    ),
  "a submodule": ({ worktree, gitDir, other }, { pick }) => {
    writeFiles(worktree, { ".gitmodules": '[submodule "lib"]\n\tpath = lib\n\turl = ../other\n' });
    writeFiles(join(worktree, "lib"), { ".git": `gitdir: ${pick([`${other}/.git`, `${gitDir}/modules/lib`])}\n` });
    writeFiles(join(gitDir, "modules", "lib"), { HEAD: pick(["ref: refs/heads/x\n", "garbage\n"]) });
  },
  "a symbolic branch": ({ common, branch }, { pick }) =>
    writeFiles(common, {
      [`refs/heads/${pick([branch, "main"])}`]: `ref: ${pick(["refs/heads/main", "refs/heads/x", "refs/../../x", "HEAD"])}\n`,
    }),
};

const plain = "[core]\n\trepositoryformatversion = 0\n[user]\n\tname = x; touch owned #\n";
