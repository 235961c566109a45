// Joins the compiled modules of the package paneward, with what they use of our other packages, into a few files: Node needs up to a
// millisecond for each module, and more to find a package. Usage: join-product.ts PACKAGE
import { globSync, readdirSync, readFileSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

const main = "cli/main.js";

/** What every command line loads, and what the most frequent one does: one file. */
const core = ["cli/program.js", "cli/commands/list.js"];

/** What processes and threads of their own begin with: each holds all that it needs. */
const alone = [
  "cli/demo-agent.js",
  "runtime/output/pattern-thread.js",
  "store/backup-thread.js",
  "notify/sender-main.js",
];

/** `folder` holds the package's manifest and its `dist`; our other packages are built. */
export async function joinProduct(folder: string): Promise<void> {
  const dist = realpathSync(join(folder, "dist"));
  const modules = () => globSync("**/*.js", { cwd: dist, exclude: ["web"] }).map((path) => join(dist, path));
  const before = modules();
  const ours = onlyOurs(folder);
  const joined = await built(dist, {
    entryPoints: [join(dist, main)],
    splitting: true,
    chunkNames: `${parts}/[name]-[hash]`,
    plugins: [onePart(dist, await filesOf(dist, ours)), ours],
  });
  const apart = await built(dist, { entryPoints: alone.map((path) => join(dist, path)), plugins: [ours] });
  const made = new Set([...joined, ...apart]);
  for (const path of before) if (!made.has(path)) rmSync(path);
  removeEmptyFolders(dist);
}

const parts = "parts";

/** Returns the paths of the files that were made. */
async function built(dist: string, options: BuildOptions): Promise<readonly string[]> {
  const { metafile } = await build({
    ...form,
    outdir: dist,
    outbase: dist,
    allowOverwrite: true,
    metafile: true,
    ...options,
  });
  return Object.keys(metafile?.outputs ?? {}).map((path) => resolve(path));
}

const form: BuildOptions = { bundle: true, platform: "node", format: "esm", target: "es2024", logLevel: "error" };

/** What the manifest names is installed by npm, with its licence; what only our other packages use is joined, with its own. */
function onlyOurs(folder: string): Plugin {
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const isInstalled = (path: string) =>
    isBuiltin(path) ||
    Object.keys(dependencies).some((name) => !isOurs(name) && (path === name || path.startsWith(`${name}/`)));
  return {
    name: "only-ours",
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path }) => (isInstalled(path) ? { path, external: true } : undefined));
    },
  };
}

const isOurs = (name: string) => name === "paneward" || name.startsWith("@paneward/");

/** The files of the core, with all that it imports at once. */
async function filesOf(dist: string, ours: Plugin): Promise<ReadonlySet<string>> {
  const stdin = { contents: allOf(core), resolveDir: dist };
  const lazyOnes: Plugin = {
    name: "lazy-ones",
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === "dynamic-import" ? { path, external: true } : undefined,
      );
    },
  };
  const { metafile } = await build({ ...form, stdin, write: false, metafile: true, plugins: [lazyOnes, ours] });
  return new Set(Object.keys(metafile.inputs).map((path) => resolve(path)));
}

/**
 * esbuild makes one file of the modules that the same entries need, and each file that is imported later is an entry. So that all of
 * them need all of the core, each imports it, which costs nothing: it is there by then.
 */
function onePart(dist: string, coreFiles: ReadonlySet<string>): Plugin {
  const begins = new Set(core.map((path) => join(dist, path)));
  const name = "core-of-the-product";
  return {
    name,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }));
      onLoad({ filter: /./, namespace: name }, () => ({ contents: allOf(core), resolveDir: dist }));
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const needsCore = path !== join(dist, main) && (begins.has(path) || !coreFiles.has(path));
        const text = withPlaces(readFileSync(path, "utf8"), relative(join(dist, parts), path));
        return { contents: `${licenceOf(path)}${needsCore ? `import "${name}";\n` : ""}${text}` };
      });
    },
  };
}

/** What looks for files beside itself finds them from where it is by then. */
function withPlaces(text: string, file: string): string {
  for (const [, name] of text.matchAll(/`([\w.-]+)\$\{extname\(import\.meta\.filename\)\}`/g)) {
    if ([main, ...alone].some((path) => path.endsWith(`/${name}.js`))) continue;
    throw new Error(`${file} starts ${name}, which would be joined with the rest: name it in scripts/join-product.ts`);
  }
  const from = (path: string) => `\`\${import.meta.dirname}/${path}\``;
  const forms = {
    url: `new URL("${file}", import.meta.url).href`,
    dirname: from(dirname(file)),
    filename: from(file),
  };
  return text.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, what: keyof typeof forms) => forms[what]);
}

const allOf = (modules: readonly string[]) => modules.map((path) => `import "./${path}";\n`).join("");

/** A comment that esbuild keeps, for what others wrote. */
function licenceOf(path: string): string {
  const [folder = "", name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  if (name === undefined || isOurs(name)) return "";
  const [file] = globSync("{LICENSE,LICENCE,license,licence}*", { cwd: folder });
  if (file === undefined) throw new Error(`${folder} has no licence`);
  return `/*! ${name}\n${readFileSync(join(folder, file), "utf8")}*/\n`;
}

function removeEmptyFolders(dist: string): void {
  for (const folder of globSync("**/", { cwd: dist }).toSorted((a, b) => b.length - a.length)) {
    if (readdirSync(join(dist, folder)).length === 0) rmdirSync(join(dist, folder));
  }
}

const [folder] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename && folder !== undefined) await joinProduct(folder);
