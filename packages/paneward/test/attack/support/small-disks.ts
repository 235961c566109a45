import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small file system. It can be filled, byte for byte or file for file, and emptied again. */
export interface SmallDisk {
  readonly path: string;
  fillBytes(): void;
  fillFiles(): void;
  /** Removes what the fills wrote. */
  makeRoom(): void;
}

/** The folder below which file systems can be mounted that only this process and its children see. */
export const mountingIn = process.env.PANEWARD_SMALL_DISK;

/** Why no file system can be mounted here; undefined if that works. */
export function lacksMounts(): string | undefined {
  const { status, stderr } = inNamespace(["mount", "-t", "tmpfs", "tmpfs", tmpdir()], process.env);
  return status === 0 ? undefined : `no file system can be mounted: ${stderr.trim()}`;
}

/** Runs a test file again in a namespace of its own, with a file system of so many megabytes for all its files. */
export function runOnSmallDisk(file: string, megabytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), "pw-disk-"));
  try {
    const mounting = `mount -t tmpfs -o size=${megabytes}m,mode=700 tmpfs "$1" && shift && exec "$@"`;
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const argv = ["sh", "-c", mounting, "sh", folder, process.execPath, "--test", file];
    const { status, stdout, stderr } = inNamespace(argv, { ...env, PANEWARD_SMALL_DISK: folder, TMPDIR: folder });
    const hint = "this mounts a tmpfs: run it as root, or where unprivileged user namespaces are allowed";
    assert.doesNotMatch(stderr, /unshare:|mount:/, `${hint}\n${stderr}`);
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function inNamespace(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const namespaces = process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
  return spawnSync("unshare", [...namespaces, ...argv], { env, encoding: "utf8" });
}

export function mountSmallDisk(path: string, megabytes: number, files: number): SmallDisk {
  mkdirSync(path, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,nr_inodes=${files},mode=700`, "tmpfs", path]);
  const [bytes, many] = [join(path, ".bytes"), join(path, ".files")];
  return {
    path,
    fillBytes() {
      for (const size of [1_048_576, 65_536, 4_096, 1]) {
        untilFull(() => writeFileSync(bytes, Buffer.alloc(size), { flag: "a" }));
      }
    },
    fillFiles() {
      let made = 0;
      untilFull(() => mkdirSync(many, { recursive: true }));
      untilFull(() => writeFileSync(join(many, `${Date.now()}-${made++}`), ""));
    },
    makeRoom() {
      for (const ballast of [bytes, many]) rmSync(ballast, { recursive: true, force: true });
    },
  };
}

function untilFull(write: () => unknown): void {
  try {
    while (write() === undefined);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
  }
}
