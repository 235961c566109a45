import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Random } from "../../../../tmux/test/support/random.ts";

/** Names that break quoting, lists of lines, options and globs; as latin1. One is not UTF-8, some stand in each other's way. */
export const names = [
  ...["a.txt", "-dash", "sp ace", "new\nline", 'quo"te', "tab\there", "back\\slash", ":(top)x", "*", "\xff\xfe.txt"],
  ...["deep", "deep/er/file", "deep/er", "HEAD", "Case", "case", "x".repeat(200), " ", "refs/heads/main"],
  ...["\u00c3\u00bcn\u00c3\u00af", "build", "build/x", ".gitattributes", "lib.lock", "end\r"],
];

export type Git = (args: readonly string[], input?: string) => string;

/** Runs git in a folder; input is latin1. */
export function gitAt(folder: string, env: Readonly<Record<string, string>>): Git {
  return (args, input) =>
    execFileSync("git", ["-C", folder, ...args], {
      env,
      encoding: "latin1",
      stdio: "pipe",
      maxBuffer: 64 * 1024 * 1024,
      ...(input === undefined ? {} : { input: Buffer.from(input, "latin1") }),
    });
}

/** A checkout, and what of it is nowhere else yet: contents by path, on the disk and in the index. */
export class Place {
  readonly folder: string;
  readonly git: Git;
  readonly disk = new Map<string, string>();
  readonly staged = new Map<string, string>();

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.git = gitAt(folder, env);
  }

  /** Writes a file, a program or a link; false if something is in the way. */
  write(name: string, content: string, { pick }: Random): boolean {
    const path = this.#at(name);
    try {
      mkdirSync(this.#at(name.slice(0, Math.max(0, name.lastIndexOf("/")))), { recursive: true });
      rmSync(path, { force: true });
      const kind = pick(["file", "file", "file", "program", "link"]);
      if (kind === "link") symlinkSync(content, path);
      else writeFileSync(path, content, { mode: kind === "program" ? 0o755 : 0o644 });
    } catch (error) {
      if (/^(ENOENT|ENOTDIR|EISDIR|EEXIST|ERR_FS_EISDIR)$/.test((error as NodeJS.ErrnoException).code ?? ""))
        return false;
      throw error;
    }
    this.disk.set(name, content);
    return true;
  }

  remove(name: string): void {
    rmSync(this.#at(name), { force: true });
    this.disk.delete(name);
  }

  /** What is at a path now; undefined for nothing or a folder. */
  read(name: string): string | undefined {
    try {
      const stats = lstatSync(this.#at(name));
      if (stats.isSymbolicLink()) return readlinkSync(this.#at(name), "latin1");
      return stats.isFile() ? readFileSync(this.#at(name), "latin1") : undefined;
    } catch {
      return undefined;
    }
  }

  stage(name: string): void {
    const content = this.disk.get(name);
    const isStaged = tried(() => this.git(["add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"], name));
    if (isStaged && content !== undefined) this.staged.set(name, content);
  }

  /** Whether it is a checkout now. */
  isThere(): boolean {
    return existsSync(join(this.folder, ".git"));
  }

  #at(name: string): Buffer {
    return Buffer.concat([Buffer.from(`${this.folder}/`), Buffer.from(name, "latin1")]);
  }
}

export function tried(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** The name that git gives to a content. */
export function blobOf(content: string, algorithm: "sha1" | "sha256"): string {
  const bytes = Buffer.from(content, "latin1");
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
