import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { testCache as place } from "./compile-cache.ts";

const root = resolve(import.meta.dirname, "../../../..");
const support = "packages/paneward/test";
const daemonEntries = { daemon: `${support}/support/run-daemon.ts` };
const cliEntries = { main: "packages/paneward/src/cli/main.ts", lines: `${support}/cli/support/lines.ts` };
const sources = [
  ...["package-lock.json", import.meta.filename, daemonEntries.daemon, cliEntries.lines].map((path) =>
    resolve(root, path),
  ),
  ...["packages/paneward/src", "packages/sdk/src", "packages/tmux/src"].map((path) => join(root, path)),
];

/**
 * The bundled daemon for tests: starting from the separate sources takes four times as long. What it loads only when it is needed is
 * in parts of their own, as in the package: in one file with the rest, a start takes a tenth longer.
 */
export async function packedDaemon(): Promise<string> {
  return join(await packed("daemon", daemonEntries), "daemon.mjs");
}

/**
 * The bundled command line for tests, in one part per command as its sources are: `main.mjs`, and `lines.mjs`, which runs
 * many command lines in one process. A daemon that it starts is bundled too, because it starts its own `main`.
 */
export async function packedCli(): Promise<string> {
  return packed("cli", cliEntries);
}

const packing = new Map<string, Promise<void>>();

/** Its name depends on the sources' change times, so that a changed source makes a new bundle. */
async function packed(kind: string, entries: Entries): Promise<string> {
  const newest = Math.max(...sources.map(changed));
  const folder = join(place, `${kind}-${newest}`);
  // Tests of one file may start daemons in parallel.
  if (!packing.has(folder)) packing.set(folder, existsSync(folder) ? Promise.resolve() : pack(kind, folder, entries));
  await packing.get(folder);
  return folder;
}

type Entries = Readonly<Record<string, string>>;

// Test files run in parallel; all of them make the same bundle, and one of them remains.
async function pack(kind: string, folder: string, entries: Entries): Promise<void> {
  mkdirSync(place, { recursive: true });
  removeOldBundles(`${kind}-`);
  const unfinished = `${folder}.${process.pid}`;
  await build({
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
    outdir: unfinished,
    bundle: true,
    splitting: true,
    chunkNames: "parts/[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    platform: "node",
    format: "esm",
    conditions: ["@paneward/source"],
    // The form of jsonc-parser for Node alone loads its parts in a way that a bundle cannot hold.
    mainFields: ["module", "main"],
    // pino loads files beside itself.
    external: ["pino"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    plugins: [sourcePaths],
    logLevel: "error",
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

// import.meta paths must point to the source, not to the bundle; only what starts the daemon looks beside itself.
const sourcePaths: Plugin = {
  name: "source-paths",
  setup({ onLoad }) {
    onLoad({ filter: /\/packages\/[\w-]+\/(src|test)\/.*\.tsx?$/ }, ({ path }) => {
      if (path.endsWith("/cli/daemon/daemon-argv.ts")) return undefined;
      const contents = readFileSync(path, "utf8")
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        .replaceAll("import.meta.filename", JSON.stringify(path))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
      return { loader: path.endsWith("x") ? "tsx" : "ts", contents };
    });
  },
};

// A folder changes when files are added or removed, a file when it is written.
function changed(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => changed(join(path, name))));
}

function removeOldBundles(prefix: string): void {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (name.startsWith(prefix) && found && found.mtimeMs < hourAgo) rmSync(path, { recursive: true, force: true });
  }
}
