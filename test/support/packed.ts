import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "./repository.ts";

export const published = ["claude-code", "paneward", "pi", "sdk", "tmux"] as const;

/** Packs a copy of the repository without build results; returns a folder with one folder per package. */
export function packAll(folder: string): string {
  const clone = freshCopy(folder);
  const packed = join(folder, "packed");
  mkdirSync(packed);
  const names = published.flatMap((name) => ["-w", `packages/${name}`]);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", packed, ...names], { cwd: clone, stdio: "pipe" });
  for (const tarball of globSync("*.tgz", { cwd: packed })) {
    const place = join(packed, tarball.replace(/-\d.*$/, ""));
    mkdirSync(place);
    execFileSync("tar", ["-xzf", join(packed, tarball), "-C", place, "--strip-components=1"]);
  }
  return packed;
}

/** A folder with what `npm install paneward` installs: the packages, and only the dependencies that they name. */
export function installed(folder: string, packed: string): string {
  const modules = join(folder, "installed", "node_modules");
  const ours = { paneward: "paneward", "@paneward/sdk": "paneward-sdk", "@paneward/tmux": "paneward-tmux" };
  mkdirSync(join(modules, "@paneward"), { recursive: true });
  for (const [name, place] of Object.entries(ours))
    cpSync(join(packed, place), join(modules, name), { recursive: true });
  const named = Object.keys(ours).flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
    return Object.keys(manifest.dependencies ?? {});
  });
  for (const name of new Set(named)) if (!(name in ours)) link(join(root, "node_modules", name), join(modules, name));
  return join(modules, "paneward");
}

function freshCopy(folder: string): string {
  const clone = join(folder, "clone");
  const made = /\/(node_modules|dist|test)$/;
  for (const name of ["packages", "scripts"])
    cpSync(join(root, name), join(clone, name), { recursive: true, filter: (path) => !made.test(path) });
  for (const entry of readdirSync(root, { withFileTypes: true }))
    if (entry.isFile()) cpSync(join(root, entry.name), join(clone, entry.name));
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@paneward") link(join(root, "node_modules", name), join(clone, "node_modules", name));
  }
  for (const name of readdirSync(join(root, "node_modules/@paneward")))
    link(join(clone, "packages", name), join(clone, "node_modules/@paneward", name));
  return clone;
}

function link(target: string, path: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  symlinkSync(target, path);
}
