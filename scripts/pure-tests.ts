// Runs the tests beside their sources in one process, since starting a process for each file takes longer than its tests.
import { globSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const found = globSync(["packages/*/src/**/*.test.ts", "scripts/suite/*.test.ts"], { cwd: root }).sort();
if (found.length === 0) throw new Error("no test was found beside a source");
for (const path of found) await import(join(root, path));
