import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Known, nothingKnown, type TaskEvent } from "./events.ts";

/** What the next pi of a conversation needs: the known state, and what was not reported yet. */
export interface Remembered {
  readonly known: Known;
  readonly pending: readonly TaskEvent[];
  /** The conversation's title, shown when its tasks are found later. */
  readonly title?: string;
  /** The process that watches, if it still runs. */
  readonly pid: number;
  /** The tmux server of its tasks. */
  readonly socket?: string;
}

/** One file per task session, below pi's own folder. */
export class Memory {
  readonly #folder: string;

  constructor(folder = join(agentFolder(), "paneward", "tasks")) {
    this.#folder = folder;
  }

  load(session: string): Remembered | undefined {
    try {
      const found = JSON.parse(readFileSync(this.#path(session), "utf8")) as Partial<Remembered>;
      return { known: nothingKnown, pending: [], pid: 0, ...found };
    } catch {
      // No file, or a broken one: start from nothing.
      return undefined;
    }
  }

  /** Written to a temporary file and renamed: a crash leaves the old file or the new one. */
  save(session: string, remembered: Remembered): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#path(session);
    const aside = `${path}.${process.pid}`;
    writeFileSync(aside, JSON.stringify(remembered), { mode: 0o600 });
    renameSync(aside, path);
  }

  /** Deletes files of sessions that are gone and were not used for a month. */
  prune(prefix: string, isThere: (session: string) => boolean, now = Date.now()): void {
    const files = (() => {
      try {
        return readdirSync(this.#folder).filter((name) => name.startsWith(prefix) && name.endsWith(".json"));
      } catch {
        return [];
      }
    })();
    for (const name of files) {
      const path = join(this.#folder, name);
      const age = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
      if (age > monthMs && !isThere(name.slice(0, -".json".length))) rmSync(path, { force: true });
    }
  }

  #path(session: string): string {
    return join(this.#folder, `${session}.json`);
  }
}

const monthMs = 30 * 24 * 3_600_000;

function agentFolder(): string {
  const chosen = process.env.PI_CODING_AGENT_DIR;
  return chosen ? chosen.replace(/^~(?=\/|$)/, homedir()) : join(homedir(), ".pi", "agent");
}
