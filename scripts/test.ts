// Runs every test, files side by side, and ends with one line that counts them.
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { compileCache } from "../packages/paneward/test/support/compile-cache.ts";
import reporter from "./reporter.ts";

const root = join(import.meta.dirname, "..");

// Whoever takes longest begins first, so that nobody is left to wait for in the end.
const inOrder = [
  "packages/tmux/test/contract-*.test.ts",
  "packages/web/test/*.test.ts",
  "packages/paneward/test/{capability,daemon}/*.test.ts",
  "test/*.test.ts",
  "packages/paneward/test/{reader,mcp,cli}/*.test.ts",
  "packages/*/test/**/*.test.ts",
  "scripts/pure-tests.ts",
];

const files = new Set(inOrder.flatMap((pattern) => globSync(pattern, { cwd: root }).sort()));

// All of them load much the same code.
process.env.NODE_COMPILE_CACHE ??= compileCache;
const tests = run({
  cwd: root,
  files: [...files].map((path) => join(root, path)),
  // Most wait for other programs most of the time.
  concurrency: 2 * Math.max(2, availableParallelism()),
});
tests.on("test:fail", () => {
  process.exitCode = 1;
});
tests.compose(reporter).pipe(process.stdout);
