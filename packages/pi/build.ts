import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

// One file per entry, with everything of ours inside: pi installs the package alone. Usage: node build.ts [FOLDER]
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
  // pi gives extensions its own copies of these.
  external: ["@earendil-works/*", "typebox"],
});
