import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A test or suite that cleanup can be attached to. */
export interface Cleanup {
  readonly after: (clean: () => void | Promise<void>) => void;
}

const stacks = new WeakMap<Cleanup, (() => void | Promise<void>)[]>();

/** Cleans up after the test, in reverse order. */
export function afterwards(t: Cleanup, clean: () => void | Promise<void>): void {
  const stack = stacks.get(t) ?? [];
  if (!stacks.has(t)) {
    stacks.set(t, stack);
    t.after(async () => {
      const failures: unknown[] = [];
      for (let next = stack.pop(); next; next = stack.pop()) {
        try {
          await next();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, `cleaning up failed: ${failures.join("; ")}`);
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
