import type { WorkAmount } from "@paneward/sdk";
import type { NamedFile } from "../../model/named-files.ts";
import type { GitDirsRecord, Kept, Rescue, TaskRecord } from "../../model/records.ts";
import type { Run } from "../../model/runs.ts";

export interface Repository {
  readonly root: string;
  /** The top folder of the checkout that was asked for: the root, or a task's worktree. */
  readonly top: string;
  /** The branch that is checked out; absent with a detached HEAD. */
  readonly branch: string | undefined;
  /** Absent while the repository has no commit. */
  readonly head: string | undefined;
  readonly gitDirs: GitDirsRecord;
}

export interface MergeResult {
  readonly base: string;
  readonly commits: number;
  readonly head: string;
}

/** Where a command of a repository works, and what it knows as `<root>`. */
export interface CommandPlaces {
  readonly folder: string;
  readonly root: string;
}

/** Branches and worktrees of a user's repository. */
export interface Worktrees {
  /** Throws `not_found` outside a repository. */
  repository(folder: string): Promise<Repository>;
  branchCommit(at: Pick<TaskRecord, "root" | "gitDirs">, branch: string): Promise<string | undefined>;
  /**
   * Makes branch and worktree; returns the commit it begins at, where git keeps the worktree, and what to tell of it. Calls back
   * before it makes anything.
   */
  create(
    task: TaskRecord,
    onBegin?: () => void,
  ): Promise<{ readonly baseCommit: string; readonly gitDirs: GitDirsRecord; readonly note?: string }>;
  /** Whether the worktree is there and an agent's git finds its repository. */
  exists(task: TaskRecord): Promise<boolean>;
  work(task: TaskRecord): Promise<WorkAmount | undefined>;
  merge(task: TaskRecord, base: string): Promise<MergeResult>;
  /** At most so many characters of it. */
  diff(task: TaskRecord, stat: boolean, maxLength: number): Promise<string>;
  /** Throws what `rescue` and `remove` would refuse, and changes no work. */
  requireRemovable(task: TaskRecord): Promise<void>;
  /** Keeps dirty files and unmerged commits under refs/paneward/rescue/; undefined when there is nothing to keep. */
  rescue(task: TaskRecord, now: number): Promise<Rescue | undefined>;
  remove(task: TaskRecord): Promise<void>;
  /** Calls back when it refuses nothing any more, before it makes anything. */
  restore(task: TaskRecord, kept: Kept | undefined, onBegin?: () => void): Promise<GitDirsRecord>;
  /** The setup script of a checkout, if it has one. */
  setupScript(folder: string): Promise<Run | undefined>;
  /** Those of the files that a command names which are there and can run. */
  namedFiles(at: CommandPlaces, files: readonly NamedFile[]): Promise<readonly Run[]>;
  /** Copies files of the root that git ignores, and what include names; then runs the setup script. */
  bootstrap(
    task: TaskRecord,
    options: BootstrapOptions,
    onProgress: (stage: string, text: string) => void,
  ): Promise<{
    readonly copied: readonly string[];
    readonly ran?: string;
    readonly output: string;
    /** Submodules that have no files in the end. */
    readonly emptySubmodules: readonly string[];
  }>;
}

export interface BootstrapOptions {
  readonly cmd?: string;
  /** Throws unless `cmd`, or this script in its absence, may run. */
  readonly allow: (run: "cmd" | Run) => Promise<void>;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A folder of the daemon's own for the copy of the script that runs; made and removed. */
  readonly scratch: string;
}
