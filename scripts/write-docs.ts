import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedPages } from "./docs/pages.ts";

const root = join(import.meta.dirname, "..");

for (const { path, there, wanted } of generatedPages(root)) {
  if (there === wanted) continue;
  writeFileSync(join(root, path), wanted);
  console.log(`renewed ${path}`);
}
