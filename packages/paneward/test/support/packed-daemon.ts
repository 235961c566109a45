import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { testCache as place } from "./compile-cache.ts";

const root = resolve(import.meta.dirname, "../../../..");
const entry = "packages/paneward/test/support/run-daemon.ts";
const sources = ["package-lock.json", entry, "packages/paneward/src", "packages/sdk/src", "packages/tmux/src"];

/**
 * The bundled daemon for tests: starting from the separate sources takes four times as long. Its name depends on the
 * sources' change times, so that a changed source makes a new bundle.
 */
export async function packedDaemon(): Promise<string> {
  const newest = Math.max(...sources.map((path) => changed(join(root, path))));
  const file = join(place, `daemon-${newest}.mjs`);
  // Tests of one file may start daemons in parallel.
  if (!packing.has(file)) packing.set(file, existsSync(file) ? Promise.resolve() : pack(file));
  await packing.get(file);
  return file;
}

const packing = new Map<string, Promise<void>>();

// Test files run in parallel; the last one replaces the bundle with an identical one.
async function pack(file: string): Promise<void> {
  mkdirSync(place, { recursive: true });
  removeOldBundles();
  const unfinished = `${file}.${process.pid}`;
  await build({
    entryPoints: [join(root, entry)],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@paneward/source"],
    // pino loads files beside itself.
    external: ["pino"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    plugins: [sourcePaths],
    logLevel: "error",
  });
  renameSync(unfinished, file);
}

// import.meta paths must point to the source, not to the bundle.
const sourcePaths: Plugin = {
  name: "source-paths",
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

// A folder changes when files are added or removed, a file when it is written.
function changed(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => changed(join(path, name))));
}

function removeOldBundles(): void {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (name.startsWith("daemon-") && found && found.mtimeMs < hourAgo) rmSync(path, { force: true });
  }
}
