import { after, describe, test } from "node:test";
import type { Cleanup } from "./folder.ts";

/**
 * A suite that needs something of the machine. If it is missing, the suite is skipped by name; with CI=true it fails.
 */
export function suiteThatNeeds(
  name: string,
  lacking: string | undefined,
  define: (suite: Cleanup) => void,
  concurrency = 2,
): void {
  if (lacking === undefined) {
    describe(name, { concurrency }, () => define(suiteCleanup()));
    return;
  }
  const skip = process.env.CI === "true" ? false : `${name} cannot run here: ${lacking}`;
  test(name, { skip }, () => {
    throw new Error(`${name} must run here: ${lacking}`);
  });
}

/** Hooks of a suite must be registered while it is defined; what to clean up is known later. */
export function suiteCleanup(): Cleanup {
  const cleaning: (() => void | Promise<void>)[] = [];
  after(async () => {
    for (const clean of cleaning) await clean();
  });
  return { after: (clean) => cleaning.push(clean) };
}
