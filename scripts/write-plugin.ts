import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pluginFiles, pluginFolder } from "./plugin-files.ts";

for (const [path, text] of Object.entries(pluginFiles())) {
  const file = join(pluginFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
