import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const changing = ["mkdir", "open", "chmod", "rename", "rm", "rmdir", "writeFile"] as const;

/**
 * Runs work as in a process that is killed after so many changes of files: whatever it tries then fails, also what it would tidy up.
 * Returns whether it came to that.
 */
export async function killedAfter(changes: number, work: () => Promise<unknown>): Promise<boolean> {
  const real = Object.fromEntries(changing.map((name) => [name, promises[name]]));
  let left = changes;
  for (const name of changing) {
    const call = real[name] as (...args: unknown[]) => unknown;
    const limited = (...args: unknown[]) => {
      if (left-- <= 0) throw new Killed();
      return call(...args);
    };
    Object.assign(promises, { [name]: limited });
  }
  syncBuiltinESMExports();
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof Killed || (error as Error).cause instanceof Killed) return true;
    throw error;
  } finally {
    Object.assign(promises, real);
    syncBuiltinESMExports();
  }
}

class Killed extends Error {}
