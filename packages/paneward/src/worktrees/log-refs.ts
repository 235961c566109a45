import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { relative } from "node:path";
import { type GitPlace, gitLine } from "./git.ts";
import { type HeldFolder, withFolder } from "./held-folders.ts";
import { identity } from "./identity.ts";
import { rawPath } from "./raw-paths.ts";

export interface RefMove {
  readonly ref: string;
  readonly from: string | undefined;
  readonly to: string;
  /** What `git reflog` shows. */
  readonly why: string;
  /** Checkouts whose HEAD is this ref. */
  readonly checkouts: readonly GitPlace[];
}

/**
 * Adds a line to the logs of a ref and of the HEADs that follow it, where the repository keeps logs. A log that cannot be
 * written, because an agent put something in its place, goes without the line.
 */
export async function logMove(place: GitPlace, { ref, from, to, why, checkouts }: RefMove): Promise<void> {
  const who = await gitLine(place, ["var", "GIT_COMMITTER_IDENT"], { env: await identity(place) });
  const line = `${from ?? "0".repeat(to.length)} ${to} ${who}\t${why}\n`;
  const raw = rawPath(ref);
  const cut = raw.lastIndexOf("/");
  const { commonDir } = place;
  const isLogged = await withFolder(commonDir, "logs", async () => true).catch(() => undefined);
  // git keeps logs of branches, not of other refs.
  if (isLogged && ref.startsWith("refs/heads/")) {
    const add = (folder: HeldFolder) => append(folder, raw.slice(cut + 1), line, constants.O_CREAT);
    await withFolder(commonDir, `logs/${raw.slice(0, cut)}`, add, { make: true }).catch(() => {});
  }
  for (const { gitDir } of checkouts) {
    const add = (folder: HeldFolder) => append(folder, "HEAD", line, 0);
    await withFolder(commonDir, `${rawPath(relative(commonDir, gitDir))}/logs`, add).catch(() => {});
  }
}

async function append(folder: HeldFolder, name: string, line: string, create: number): Promise<void> {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(folder.at(name), O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | create, 0o666);
  try {
    const stats = await file.stat();
    // A file of two names may be one of the user's elsewhere.
    if (stats.isFile() && stats.nlink === 1) await file.writeFile(line);
  } finally {
    await file.close();
  }
}
