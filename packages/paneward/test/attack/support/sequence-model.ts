import assert from "node:assert/strict";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestDaemon } from "../../support/daemon.ts";
import { blobOf, type Place, tried } from "./sequence-place.ts";
import type { OddRepository } from "./sequence-repository.ts";

/** What the model knows of a task. */
export interface KnownTask {
  readonly id: string;
  readonly branch: string;
  readonly base: string | undefined;
  readonly place: Place;
}

/**
 * Every content that somebody has written, and where it must be. Whatever was committed, or was in a worktree that Paneward
 * removed, must be reachable from refs, HEADs and indexes; what a user has in a checkout must be there, byte for byte.
 */
export class Model {
  readonly repository: OddRepository;
  readonly user: Place;
  readonly tasks = new Map<string, KnownTask>();
  /** Contents that must be reachable for ever, and what they were. */
  readonly #kept = new Map<string, string>();

  constructor(repository: OddRepository, user: Place) {
    this.repository = repository;
    this.user = user;
  }

  /** After an operation: what is no longer where its writer left it must have been saved. */
  settle(): void {
    for (const { place } of this.tasks.values()) {
      for (const [name, content] of [...place.disk]) {
        if (place.read(name) === content) continue;
        this.#kept.set(content, `${JSON.stringify(name)} was in ${place.folder}`);
        place.disk.delete(name);
      }
      const staged = place.isThere() ? stagedBlobs(place) : new Set();
      for (const [name, content] of [...place.staged]) {
        if (staged.has(this.#blob(content))) continue;
        this.#kept.set(content, `${JSON.stringify(name)} was staged in ${place.folder}`);
        place.staged.delete(name);
      }
    }
  }

  /** After git of its owner changed a place: what was replaced is gone by will, what was committed is kept. */
  afterOwnGit(place: Place): void {
    const staged = stagedBlobs(place);
    const committed = new Set(headRows(place).map((row) => row.split(/[ \t]/)[2] ?? ""));
    for (const map of [place.disk, place.staged]) {
      for (const [name, content] of [...map]) {
        const id = this.#blob(content);
        if (committed.has(id)) this.#kept.set(content, `${JSON.stringify(name)} was committed`);
        if (committed.has(id) || (map === place.staged && !staged.has(id))) map.delete(name);
        else if (map === place.disk && staged.has(id)) place.staged.set(name, content);
      }
    }
  }

  check(): void {
    const reachable = new Set(
      this.user.git(["rev-list", "--objects", "--no-object-names", "--all", "--indexed-objects"]).split("\n"),
    );
    const lost = [...this.#kept].filter(([content]) => !reachable.has(this.#blob(content)));
    assert.deepEqual(lost, [], "contents that nothing reaches any more");
    this.#checkUser();
    this.#checkLocks();
  }

  /** git finds no damage, also in what it would throw away later. */
  checkWhole(): void {
    assert.equal(this.user.git(["fsck", "--no-dangling", "--no-progress"]), "");
  }

  #checkUser(): void {
    const { disk, staged, git, read } = {
      ...this.user,
      git: this.user.git,
      read: (name: string) => this.user.read(name),
    };
    for (const [name, content] of disk) assert.equal(read(name), content, `the user's own ${JSON.stringify(name)}`);
    const blobs = stagedBlobs(this.user);
    for (const [name, content] of staged) assert.ok(blobs.has(this.#blob(content)), `staged: ${JSON.stringify(name)}`);
    const status = git(["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"])
      .split("\0")
      .filter(Boolean);
    const others = status.filter((line) => !disk.has(line.slice(3)) && !staged.has(line.slice(3)));
    assert.deepEqual(others, [], "changes in the user's checkout that are not the user's");
  }

  #checkLocks(): void {
    const common = this.user.git(["rev-parse", "--path-format=absolute", "--git-common-dir"]).replace(/\n$/, "");
    const folder = Buffer.from(common, "latin1").toString("utf8");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const locks = names.filter((name) => /\.lock$/.test(name) && lstatSync(join(folder, name)).isFile());
    assert.deepEqual(locks, [], "locks that were left");
  }

  #blob(content: string): string {
    return blobOf(content, this.repository.algorithm);
  }
}

function stagedBlobs({ git }: Place): ReadonlySet<string> {
  const rows = git(["ls-files", "--stage", "-z"]).split("\0");
  return new Set(rows.map((row) => row.split(" ")[1] ?? ""));
}

/** None while the branch has no commit. */
function headRows({ git }: Place): readonly string[] {
  return tried(() => git(["rev-parse", "--verify", "--quiet", "HEAD"]))
    ? git(["ls-tree", "-r", "-z", "HEAD"]).split("\0")
    : [];
}

/** Nothing of a killed daemon is unfinished. */
export function isFinished({ folder }: TestDaemon): boolean {
  const guards = join(folder, "state", "git");
  return !existsSync(guards) || !readdirSync(guards).some((name) => /^(?!objects)\w+-/.test(name));
}
