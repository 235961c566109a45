import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { testCache as place } from "./compile-cache.ts";

const root = resolve(import.meta.dirname, "../../../..");
const entry = "packages/paneward/test/support/run-daemon.ts";
const sources = ["package-lock.json", entry, "packages/paneward/src", "packages/sdk/src", "packages/tmux/src"];

/**
 * The file that runs the daemon in a test. All sources are packed into it, because Node needs four times as long to
 * start from the sources themselves. Its name says which sources: when one changes, another file is made.
 */
export async function packedDaemon(): Promise<string> {
  const newest = Math.max(...sources.map((path) => changed(join(root, path))));
  const file = join(place, `daemon-${newest}.mjs`);
  // Tests of one file start daemons side by side too.
  if (!packing.has(file)) packing.set(file, existsSync(file) ? Promise.resolve() : pack(file));
  await packing.get(file);
  return file;
}

const packing = new Map<string, Promise<void>>();

// Test files run side by side, and whoever packs last replaces the same with the same.
async function pack(file: string): Promise<void> {
  mkdirSync(place, { recursive: true });
  forgetOld();
  const unfinished = `${file}.${process.pid}`;
  await build({
    entryPoints: [join(root, entry)],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@paneward/source"],
    // pino looks for files that lie beside it.
    external: ["pino"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    plugins: [placesOfSources],
    logLevel: "error",
  });
  renameSync(unfinished, file);
}

// A source that asks where it lies is told so, not where the packed file lies.
const placesOfSources: Plugin = {
  name: "places of sources",
  setup({ onLoad }) {
    onLoad({ filter: /\/packages\/[\w-]+\/(src|test)\/.*\.tsx?$/ }, ({ path }) => ({
      loader: path.endsWith("x") ? "tsx" : "ts",
      contents: readFileSync(path, "utf8")
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        .replaceAll("import.meta.filename", JSON.stringify(path))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

// A folder changes when a file in it comes or goes, a file when it is written.
function changed(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => changed(join(path, name))));
}

function forgetOld(): void {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (name.startsWith("daemon-") && found && found.mtimeMs < hourAgo) rmSync(path, { force: true });
  }
}
