import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { taskBranch } from "@paneward/sdk";
import type { TaskRecord } from "../../../src/model/records.ts";

/** A real repository in the test's own folder, isolated from the developer's git configuration. */
export interface TestRepository {
  /** Contains everything of this test. */
  readonly folder: string;
  readonly root: string;
  readonly git: (...args: readonly string[]) => string;
  readonly write: (files: Files) => void;
  /** Writes files and commits everything; returns the commit. */
  readonly commit: (files: Files, message?: string) => string;
  readonly task: (fields?: Partial<TaskRecord>) => TaskRecord;
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface RepositoryOptions {
  /** The name of the repository's folder. */
  readonly name?: string;
  readonly empty?: boolean;
  readonly bare?: boolean;
  readonly anonymous?: boolean;
}

export function temporaryFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "paneward-worktrees-")));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function testRepository(t: TestContext, options: RepositoryOptions = {}): TestRepository {
  const folder = temporaryFolder(t);
  isolateGit(folder, options.anonymous === true);
  const root = join(folder, options.name ?? "project");
  mkdirSync(root);
  gitIn(root, "init", "--quiet", ...(options.bare ? ["--bare"] : []));
  const repository: TestRepository = {
    folder,
    root,
    git: (...args) => gitIn(root, ...args),
    write: (files) => writeFiles(root, files),
    commit: (files, message) => commitIn(root, files, message),
    task: (fields) => taskIn(folder, root, fields),
  };
  if (!options.empty && !options.bare) repository.commit({ "a.txt": "one\ntwo\nthree\n" }, "first");
  return repository;
}

export function gitIn(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
}

export function commitIn(folder: string, files: Files, message = "more"): string {
  writeFiles(folder, files);
  gitIn(folder, "add", "--all");
  gitIn(folder, "commit", "--quiet", "--message", message);
  return gitIn(folder, "rev-parse", "HEAD");
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function isolateGit(folder: string, anonymous: boolean): void {
  for (const name of Object.keys(process.env)) if (/^GIT_|^EMAIL$/.test(name)) delete process.env[name];
  const config = join(folder, "gitconfig");
  const user = anonymous ? "" : "[user]\n\tname = Ada\n\temail = ada@example.org\n";
  const settings = [
    "[init]",
    "defaultBranch = main",
    "templateDir =",
    "[core]",
    "fsync = none",
    "[maintenance]",
    "auto = false",
  ];
  writeFileSync(config, `${user}${settings.join("\n")}\n`);
  Object.assign(process.env, { HOME: folder, GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: "1" });
}

function taskIn(folder: string, root: string, fields: Partial<TaskRecord> = {}): TaskRecord {
  const { id = 1, slug = "fix" } = fields;
  return {
    id,
    slug,
    root,
    text: "fix it",
    agent: "claude",
    base: "main",
    branch: taskBranch(id, slug),
    worktree: join(folder, "state", "worktrees", `${id}-${slug}`),
    draft: false,
    hasWorktree: false,
    createdAt: 1,
    ...fields,
  };
}
