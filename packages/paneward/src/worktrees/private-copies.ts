import { constants } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { openForeign } from "@paneward/sdk/node/files";
import { readable } from "./changes.ts";
import { partsOf } from "./folders-above.ts";
import type { GitPlace } from "./git.ts";
import { NotAFolder, withFolder } from "./held-folders.ts";

/** Copies files of a worktree to where a link can no longer take the place of one of their folders. Paths are latin1. */
export async function withPrivateCopies<Result>(
  { folder, guards }: GitPlace,
  paths: readonly string[],
  use: (copies: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const own = await mkdtemp(join(guards.folder, "files-"));
  try {
    const copies = paths.map((_, index) => join(own, String(index)));
    for (const [index, path] of paths.entries()) await copyOne(folder, path, copies[index] ?? "");
    return await use(copies);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Reads something at a path that leads through no link, also not through one that appears meanwhile. */
export async function readingAt<Result>(
  worktree: string,
  path: string,
  read: (at: Buffer) => Promise<Result>,
): Promise<Result> {
  const { above, name } = partsOf(path);
  const reading = withFolder(worktree, above, async (folder) => ({ result: await read(folder.at(name)) }));
  const done = await reading.catch((cause: NodeJS.ErrnoException) => {
    throw cause instanceof NotAFolder || cause.code === "ENOENT" ? behindLink(worktree, path, cause) : cause;
  });
  if (!done) throw behindLink(worktree, path);
  return done.result;
}

function behindLink(worktree: string, path: string, cause?: Error): PanewardError {
  return new PanewardError("wrong_state", `${readable(path)} in ${worktree} is behind a link or gone`, {
    hint: "another program changes the worktree; try again",
    cause,
  });
}

async function copyOne(worktree: string, path: string, to: string): Promise<void> {
  const file = await readingAt(worktree, path, (at) => openForeign(at));
  try {
    await copyFile(`/dev/fd/${file.fd}`, to, constants.COPYFILE_FICLONE);
  } finally {
    await file.close();
  }
}
