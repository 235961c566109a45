// Builds the dashboard: `node build.ts [--if-stale] [--out FOLDER]`. Takes a second or less, so tests run it too.
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { build, type Plugin } from "esbuild";

const here = import.meta.dirname;
const inputs = [
  "build.ts",
  "package.json",
  "src",
  "static",
  "../sdk/package.json",
  "../sdk/src",
  "../../package-lock.json",
];

/** Builds into a folder, unless it already contains a build of the same sources. */
export async function buildDashboard(out = join(here, "dist"), ifStale = true): Promise<string> {
  const stamp = stampOf();
  const stampFile = join(out, "stamp.txt");
  const isThere = () => ifStale && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
  if (isThere()) return out;
  const fresh = `${out}.${process.pid}`;
  await bundle(fresh, stamp);
  writeFileSync(join(fresh, "stamp.txt"), stamp);
  // Another process built the same meanwhile. While a folder is replaced, a page that loads a part of it finds none.
  if (isThere()) rmSync(fresh, { recursive: true });
  else replace(out, fresh);
  return out;
}

async function bundle(folder: string, stamp: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [join(here, "src/main.tsx")],
    outdir: join(folder, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    conditions: ["@paneward/source"],
    metafile: true,
    plugins: [styleSheets],
    logLevel: "error",
  });
  const files = Object.entries(metafile.outputs).map(([path, { entryPoint }]) => ({
    name: basename(path),
    entryPoint,
  }));
  const main = files.find(({ name, entryPoint }) => entryPoint?.endsWith("main.tsx") && name.endsWith(".js"));
  const style = files.find(({ name }) => name.startsWith("main-") && name.endsWith(".css"));
  if (!main || !style) throw new Error("the bundle has no main file or no style sheet");
  cpSync(join(here, "static"), folder, { recursive: true });
  const page = join(folder, "index.html");
  writeFileSync(page, readFileSync(page, "utf8").replace("%main%", main.name).replace("%style%", style.name));
  const inRoot = readdirSync(join(here, "static")).filter((name) => name !== "index.html");
  const shell = ["/", ...inRoot.map((name) => `/${name}`), ...files.map(({ name }) => `/assets/${name}`)];
  await bundleWorker(folder, { version: stamp.slice(0, 16), files: shell });
}

// It has a fixed name, by which the browser finds its next version.
async function bundleWorker(
  folder: string,
  built: { readonly version: string; readonly files: readonly string[] },
): Promise<void> {
  await build({
    entryPoints: [join(here, "src/worker/main.ts")],
    outfile: join(folder, "sw.js"),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    conditions: ["@paneward/source"],
    define: { BUILD: JSON.stringify(built) },
    logLevel: "error",
  });
}

// xterm.js creates <style> elements, which our content security policy forbids. Style sheets constructed by a script
// are allowed, so the patch replaces these elements with ones that fill such a sheet.
// docs/decisions/0020-no-inline-styles.md
const styleSheets: Plugin = {
  name: "style sheets instead of style elements",
  setup({ onLoad }) {
    onLoad({ filter: /@xterm\/xterm\/lib\/xterm\.mjs$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const made = /[\w.]+\.createElement\("style"\)/g;
      const places = text.match(made)?.length ?? 0;
      if (places !== 3)
        throw new Error(`xterm.js creates ${places} style elements, not 3: check the patch in build.ts`);
      const sheet = JSON.stringify(join(here, "src/terminal/style-sheet.ts"));
      const patched = text.replace(made, "panewardStyleSheet()");
      return { contents: `import { panewardStyleSheet } from ${sheet};\n${patched}`, loader: "js" };
    });
  },
};

function stampOf(): string {
  const hash = createHash("sha256");
  const add = (path: string) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(path.slice(here.length)).update(readFileSync(path));
  };
  for (const input of inputs) add(join(here, input));
  return hash.digest("hex");
}

// Another process may build, and the daemon may read, at the same time.
function replace(out: string, fresh: string): void {
  const old = `${out}.old.${process.pid}`;
  mkdirSync(join(out, ".."), { recursive: true });
  if (existsSync(out)) renameSync(out, old);
  try {
    renameSync(fresh, out);
  } catch {
    rmSync(fresh, { recursive: true, force: true });
  }
  rmSync(old, { recursive: true, force: true });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: "string" }, "if-stale": { type: "boolean" } } });
  await buildDashboard(values.out ?? join(here, "dist"), values["if-stale"] ?? false);
}
