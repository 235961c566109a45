import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { joinModules } from "../scripts/join-modules.ts";
import { joinProduct } from "../scripts/join-product.ts";

const root = resolve(import.meta.dirname, "..");
const packages = { paneward: "paneward", "@paneward/sdk": "sdk", "@paneward/tmux": "tmux" } as const;

/** The product as installed: compiled, its packages side by side. The checkout is not changed. */
export async function installedProduct(folder: string): Promise<{ readonly cli: string }> {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@paneward"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".") && !name.includes("paneward")) {
      symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
  }
  for (const [name, from] of Object.entries(packages)) compile(join(root, "packages", from), join(modules, name));
  await joinModules(join(modules, "@paneward/sdk"));
  await joinProduct(join(modules, "paneward"));
  return { cli: join(modules, "paneward", "dist", "cli", "main.js") };
}

/** The command line as run from source. */
export const sourceCli = join(root, "packages", "paneward", "src", "cli", "main.ts");

// Types are checked elsewhere; this only compiles.
function compile(from: string, to: string): void {
  mkdirSync(to);
  cpSync(join(from, "package.json"), join(to, "package.json"));
  const options = ["--noCheck", "--declaration", "false", "--sourceMap", "false", "--outDir", join(to, "dist")];
  const { status, signal, stdout, stderr } = spawnSync("tsc", ["-p", join(from, "tsconfig.build.json"), ...options]);
  if (status !== 0) throw new Error(`${from} cannot be compiled (${signal ?? status}): ${stdout}${stderr}`);
}
