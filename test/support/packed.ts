import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { testCache } from "../../packages/paneward/test/support/compile-cache.ts";
import { root } from "./repository.ts";

export const published = ["claude-code", "paneward", "pi", "sdk", "tmux"] as const;

/**
 * Packs a copy of the repository without build results; returns a folder with one folder per package. The same files are
 * packed only once.
 */
export function packAll(folder: string): string {
  const made = join(testCache, `packed-${contentKey()}`);
  if (existsSync(made)) return made;
  const packed = packedIn(folder, freshCopy(folder));
  mkdirSync(testCache, { recursive: true });
  for (const old of globSync("packed-*", { cwd: testCache })) rmSync(join(testCache, old), { recursive: true });
  const unfinished = `${made}.${process.pid}`;
  cpSync(packed, unfinished, { recursive: true });
  try {
    renameSync(unfinished, made);
  } catch (error) {
    // Another process packed the same.
    if (!existsSync(made)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return made;
}

function packedIn(folder: string, clone: string): string {
  const packed = join(folder, "packed");
  mkdirSync(packed);
  const names = published.flatMap((name) => ["-w", `packages/${name}`]);
  // The compiler is written in Go: while it lives for seconds, collecting its garbage is a fifth of its work.
  const env = { ...process.env, GOGC: "off" };
  execFileSync("npm", ["pack", "--silent", "--pack-destination", packed, ...names], { cwd: clone, env, stdio: "pipe" });
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

const copied = ["packages", "scripts"];
const isCopied = (path: string) => !/\/(node_modules|dist|test)$/.test(path);
const filesAtRoot = () => readdirSync(root, { withFileTypes: true }).flatMap((at) => (at.isFile() ? [at.name] : []));

/** Of all that is copied, and of the installed packages by their versions. */
function contentKey(): string {
  const hash = createHash("sha256").update(process.version);
  const add = (path: string) => {
    if (!isCopied(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(path.slice(root.length)).update("\0").update(readFileSync(path));
  };
  for (const name of [...copied, ...filesAtRoot()].sort()) add(join(root, name));
  return hash.digest("hex").slice(0, 32);
}

function freshCopy(folder: string): string {
  const clone = join(folder, "clone");
  for (const name of copied) cpSync(join(root, name), join(clone, name), { recursive: true, filter: isCopied });
  for (const name of filesAtRoot()) cpSync(join(root, name), join(clone, name));
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
