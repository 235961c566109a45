// Which test files the suite runs, as paths from the root.
import { globSync } from "node:fs";

/** Each has a process of its own; one of them runs the tests beside the sources. */
export function suiteFiles(root: string): readonly string[] {
  return globSync(["test/*.test.ts", "packages/*/test/**/*.test.ts", "scripts/pure-tests.ts"], { cwd: root });
}

/** The tests beside the sources, which share one process. */
export function pureTestFiles(root: string): readonly string[] {
  return globSync(["packages/*/src/**/*.test.ts", "scripts/suite/*.test.ts"], { cwd: root }).sort();
}
