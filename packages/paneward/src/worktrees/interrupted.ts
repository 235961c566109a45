import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { lockOf, type Put, withLeftLock } from "./file-lock.ts";
import { followIndex } from "./follow-index.ts";
import type { Guards } from "./guard.ts";
import { withFolder } from "./held-folders.ts";
import { wholeIndex } from "./index-lock.ts";
import { putFilesBack } from "./put-back.ts";
import { isRunning } from "./running-git.ts";
import { removeUnused, sweep } from "./sweep.ts";
import { type Found, unfinishedIn } from "./unfinished.ts";

export interface Interrupted {
  /** Calls again in a while: a git that outlived its daemon may still be at work. */
  readonly later: (again: () => void) => void;
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

/**
 * Finishes or undoes what a killed daemon left in repositories, and unlocks it. Without that, the user's git would be
 * locked out, and a commit there would undo what was merged.
 */
export async function finishInterrupted(guards: Guards, deps: Interrupted): Promise<void> {
  try {
    const { found, spoiled } = await unfinishedIn(guards);
    for (const note of spoiled) {
      deps.report("a note of what a killed daemon had begun cannot be read; what it locked stays locked", { note });
      await rm(note, { force: true });
    }
    removeLater(await sweep(guards.folder, new Set(found.flatMap(privateFolder))), deps);
    for (const all of Map.groupBy(found, ({ commonDir }) => commonDir).values()) await finishAll(guards, all, deps);
  } catch (error) {
    deps.report("what a killed daemon left could not be looked at", { folder: guards.folder, error: String(error) });
  }
}

function removeLater(folders: readonly string[], deps: Interrupted): void {
  if (folders.length === 0) return;
  deps.later(() => {
    removeUnused(folders).then(
      (left) => removeLater(left, deps),
      (error) => deps.report("what a killed daemon left could not be removed", { folders, error: String(error) }),
    );
  });
}

/** What was begun in one repository belongs together: a ref follows the index of its checkout. */
async function finishAll(guards: Guards, all: readonly Found[], deps: Interrupted): Promise<void> {
  const running = await Promise.all(all.flatMap(privateFolder).map(isRunning));
  if (running.includes(true)) {
    deps.later(() => void finishAll(guards, all, deps));
    return;
  }
  const isRef = ({ then }: Found) => then?.kind === "ref";
  for (const found of all.toSorted((one, other) => Number(isRef(one)) - Number(isRef(other)))) {
    await finish(guards, found, deps);
  }
}

async function finish(guards: Guards, found: Found, deps: Interrupted): Promise<void> {
  const lock = lockOf(found);
  try {
    const wasOurs = await withFolder(found.commonDir, found.below, (folder) =>
      withLeftLock(folder, found, (put) => finishUnderLock(guards, found, put)),
    );
    if (wasOurs) deps.report("what a killed daemon had locked was finished or undone, and unlocked", { lock });
    for (const folder of privateFolder(found)) await rm(folder, { recursive: true, force: true });
    await rm(found.note, { force: true });
  } catch (error) {
    // The note stays: the next start tries again.
    deps.report("what a killed daemon had begun could not be finished", { lock, error: String(error) });
  }
}

async function finishUnderLock(guards: Guards, { then }: Found, put: Put): Promise<void> {
  if (then?.kind === "index") {
    const bytes = await wholeIndex(then.index);
    if (bytes) await put(bytes);
  }
  if (then?.kind === "files") await putFilesBack({ ...then, guards }, then.from, then.to);
  if (then?.kind === "ref") await followIndex({ ...then.checkout, guards }, then, put);
}

/** Where git works on an index that is to become that of a checkout. */
function privateFolder({ then }: Found): readonly string[] {
  return then?.kind === "index" ? [dirname(then.index)] : [];
}
