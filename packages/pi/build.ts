import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

// One self-contained file per entry, because pi installs the package without dependencies. Usage: node build.ts
// [FOLDER]
const entries = ["tasks", "team", "session-name"].map((name) => join(import.meta.dirname, "src", `${name}.ts`));
const outdir = process.argv[2] ?? join(import.meta.dirname, "dist");

const { outputFiles } = await build({
  entryPoints: entries,
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  conditions: ["@paneward/source"],
  // pi provides these to extensions.
  external: ["@earendil-works/*", "typebox"],
  write: false,
});
mkdirSync(outdir, { recursive: true });
for (const { path, contents } of outputFiles) {
  // Another pi may be loading it.
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}
