import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// In a clone of the repository, the extensions are built first if a source is newer.
const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (existsSync(join(root, "build.ts")) && isOld()) build();

function isOld() {
  const built = ["tasks", "team", "session-name"].map((name) => modified(join(root, "dist", `${name}.js`)));
  const sources = ["src", "../sdk/src", "../tmux/src"].flatMap((folder) => filesIn(join(root, folder)));
  return Math.min(...built) < Math.max(...sources.map(modified));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(folder, path));
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function build() {
  try {
    execFileSync(process.execPath, [join(root, "build.ts")], { stdio: "pipe" });
  } catch (cause) {
    throw new Error(`${root} cannot be built; run \`npm install\` in its clone, with Node 24.21 or newer`, { cause });
  }
}
