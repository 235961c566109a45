import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Anything with an `after` hook. */
export interface Cleanup {
  readonly after: (clean: () => void | Promise<void>) => void;
}

const stacks = new WeakMap<Cleanup, (() => void | Promise<void>)[]>();

/** Runs cleanups after the test, in reverse order. */
export function afterwards(t: Cleanup, clean: () => void | Promise<void>): void {
  const stack = stacks.get(t) ?? [];
  if (!stacks.has(t)) {
    stacks.set(t, stack);
    t.after(async () => {
      for (let next = stack.pop(); next; next = stack.pop()) await next();
    });
  }
  stack.push(clean);
}

/** A folder that is removed after the test. */
export async function temporaryFolder(t: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pw-"));
  afterwards(t, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
