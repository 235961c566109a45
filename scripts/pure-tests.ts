// Runs the tests beside their sources in one process, since starting a process for each file takes longer than its tests.
import { join } from "node:path";
import { pureTestFiles } from "./suite/files.ts";

const root = join(import.meta.dirname, "..");
const found = pureTestFiles(root);
if (found.length === 0) throw new Error("no test was found beside a source");
for (const path of found) await import(join(root, path));
