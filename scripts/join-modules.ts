// Joins the compiled modules of a package into a file for each of its entries and one for what they share: Node needs a quarter of a
// millisecond for every module that it loads, and each command loads this package. Usage: join-modules.ts PACKAGE
import { globSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
}

/** `folder` holds the package's manifest and its `dist`. */
export async function joinModules(folder: string): Promise<void> {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const entries = Object.values(exports).map((entry) => resolve(folder, entry.default));
  const dist = resolve(folder, "dist");
  const before = globSync("**/*.js", { cwd: dist }).map((path) => join(dist, path));
  const { metafile } = await build({
    entryPoints: entries,
    outdir: dist,
    outbase: dist,
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "neutral",
    format: "esm",
    target: "es2024",
    external: ["node:*"],
    chunkNames: "shared/[name]-[hash]",
    allowOverwrite: true,
    metafile: true,
    logLevel: "error",
  });
  const made = new Set(Object.keys(metafile.outputs).map((path) => resolve(path)));
  for (const path of before) if (!made.has(path)) rmSync(path);
}

const [folder] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename && folder !== undefined) await joinModules(folder);
