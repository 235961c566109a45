import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

// One self-contained file per entry, because pi installs the package without dependencies. Usage: node build.ts
// [FOLDER]
const entries = ["tasks", "team", "session-name"].map((name) => join(import.meta.dirname, "src", `${name}.ts`));
const outdir = process.argv[2] ?? join(import.meta.dirname, "dist");

rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: entries,
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  conditions: ["@paneward/source"],
  // pi provides these to extensions.
  external: ["@earendil-works/*", "typebox"],
});
