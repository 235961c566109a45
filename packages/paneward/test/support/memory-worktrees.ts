import { PanewardError } from "@paneward/sdk";
import type { NamedFile } from "../../src/model/named-files.ts";
import type { Rescue, TaskRecord } from "../../src/model/records.ts";
import type { BootstrapOptions, CommandPlaces, Worktrees } from "../../src/runtime/ports.ts";

/** Worktrees in memory: which exist and with what files, and a log of what was done. */
export class MemoryWorktrees {
  readonly log: string[] = [];
  readonly trees = new Map<string, string[]>();
  readonly branches = new Map([["main", "c0"]]);
  readonly rescued = new Map<string, readonly string[]>();
  repositoryHead: { branch: string | undefined; head: string | undefined } = { branch: "main", head: "c0" };
  setupFails: string | undefined;

  get port(): Worktrees {
    return this as unknown as Worktrees;
  }

  async repository(folder: string) {
    if (!folder.startsWith("/repo")) throw new PanewardError("not_found", `${folder} is no repository`);
    const root = folder.split("/").slice(0, 2).join("/");
    return { root, top: root, gitDirs: { root: `${root}/.git`, common: `${root}/.git` }, ...this.repositoryHead };
  }

  /** Files of every checkout that a command can name. */
  readonly scripts = new Map<string, string>();

  async setupScript() {
    return this.#run(".paneward/setup.sh");
  }

  async namedFiles(_at: CommandPlaces, files: readonly NamedFile[]) {
    return files.flatMap(({ path, surely }) => (surely ? (this.#run(path) ?? []) : []));
  }

  #run(what: string) {
    const text = this.scripts.get(what);
    return text === undefined ? undefined : { what, text, digest: text };
  }

  async branchCommit(_root: object, branch: string): Promise<string | undefined> {
    return this.branches.get(branch);
  }

  async create({ worktree, baseCommit }: TaskRecord, onBegin?: () => void) {
    onBegin?.();
    this.log.push(`create ${worktree} at ${baseCommit}`);
    if (!this.trees.has(worktree)) this.trees.set(worktree, []);
    return { baseCommit: baseCommit ?? "c0", gitDirs: { root: "/repo/.git", common: "/repo/.git" } };
  }

  async exists({ worktree }: TaskRecord): Promise<boolean> {
    return this.trees.has(worktree);
  }

  async bootstrap(
    _task: TaskRecord,
    { cmd, allow }: BootstrapOptions,
    onProgress: (stage: string, text: string) => void,
  ) {
    const script = this.#run(".paneward/setup.sh");
    if (cmd !== undefined) await allow("cmd");
    else if (script) await allow(script);
    this.log.push("bootstrap");
    onProgress("setup", "setting up");
    if (this.setupFails !== undefined) throw new PanewardError("wrong_state", this.setupFails);
    return { copied: [], output: "", emptySubmodules: [] };
  }

  async requireRemovable(): Promise<void> {}

  async rescue({ id, worktree }: TaskRecord, now: number): Promise<Rescue | undefined> {
    const files = this.trees.get(worktree) ?? [];
    if (files.length === 0) return undefined;
    const ref = `refs/paneward/rescue/${id}-${now}-${this.rescued.size}`;
    this.rescued.set(ref, [...files]);
    this.log.push(`rescue ${files.join(" ")}`);
    return { ref, head: "c1" };
  }

  async remove({ worktree }: TaskRecord): Promise<void> {
    this.log.push(`remove ${worktree}`);
    this.trees.delete(worktree);
  }

  async restore({ worktree }: TaskRecord, kept: Partial<Rescue> | undefined, onBegin?: () => void) {
    onBegin?.();
    this.log.push(`restore ${worktree}`);
    this.trees.set(worktree, [...(this.rescued.get(kept?.ref ?? "") ?? [])]);
    return { root: "/repo/.git", common: "/repo/.git" };
  }
}
