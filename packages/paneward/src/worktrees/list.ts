import { mkdir, realpath, rmdir, unlink, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { readForeign } from "@paneward/sdk/node/files";
import type { TaskRecord } from "../model/records.ts";
import { oneLine, pathExists } from "./discover.ts";
import type { GitPlace } from "./git.ts";
import { type HeldFolder, withFolder, withFolderIn } from "./held-folders.ts";
import { rawPath } from "./raw-paths.ts";

/** Adds a task's new, empty folder to git's list of worktrees, as `git worktree add` does it. */
export async function addToList(root: GitPlace, task: TaskRecord): Promise<GitPlace> {
  const { guards, commonDir } = root;
  const patterns = await readForeign(join(root.gitDir, "info", "sparse-checkout"), { maxBytes: 1024 * 1024 });
  const name = await withFolder(commonDir, "worktrees", (list) => addEntry(list, task, patterns), { make: true });
  if (name === undefined) throw changedMeanwhile(commonDir);
  const gitDir = join(commonDir, "worktrees", name);
  await writeFile(join(task.worktree, ".git"), `gitdir: ${gitDir}\n`, { flag: "wx" });
  return { guards, folder: task.worktree, gitDir, commonDir };
}

/** When the worktree has its files. */
export async function endOfAdding({ commonDir, gitDir }: GitPlace): Promise<void> {
  await withFolder(commonDir, rawPath(relative(commonDir, gitDir)), (entry) =>
    unlink(entry.at("locked")).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    }),
  );
}

/** Whether a daemon was killed before the worktree had its files. */
export async function isBeingAdded({ gitDir }: GitPlace): Promise<boolean> {
  const reason = await oneLine(join(gitDir, "locked")).catch(() => undefined);
  return reason === "initializing" && !(await pathExists(join(gitDir, "index")));
}

async function addEntry(list: HeldFolder, task: TaskRecord, patterns: Buffer | undefined): Promise<string | undefined> {
  const name = await freeName(list, basename(task.worktree));
  return withFolderIn(list, rawPath(name), async (entry) => {
    const write = (file: string, text: string | Buffer) => writeFile(entry.at(file), text, { flag: "wx" });
    // First, so that what a killed daemon has begun is known as the task's; and HEAD last, without which it is no worktree.
    await write("gitdir", `${join(await realpath(task.worktree), ".git")}\n`);
    // Until the folder has its `.git`, `git worktree prune` would remove the entry.
    await write("locked", "initializing\n");
    await write("commondir", "../..\n");
    if (patterns) {
      await mkdir(entry.at("info"));
      await withFolderIn(entry, "info", (info) => writeFile(info.at("sparse-checkout"), patterns, { flag: "wx" }));
    }
    await write("HEAD", `ref: refs/heads/${task.branch}\n`);
    return name;
  });
}

async function freeName(list: HeldFolder, wanted: string): Promise<string> {
  for (let number = 0; ; number++) {
    const name = number === 0 ? wanted : `${wanted}${number}`;
    // As `git worktree prune` does it with an entry that says nothing.
    await rmdir(list.at(rawPath(name))).catch(() => {});
    const isNew = await mkdir(list.at(rawPath(name))).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
        return false;
      },
    );
    if (isNew) return name;
  }
}

function changedMeanwhile(commonDir: string): PanewardError {
  return new PanewardError(
    "wrong_state",
    `${join(commonDir, "worktrees")} was changed while a worktree was added to it`,
    {
      hint: "another program works in the repository's `.git`; try again",
    },
  );
}
