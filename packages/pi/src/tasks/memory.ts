import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Known, nothingKnown, type TaskEvent } from "./events.ts";

/** What the next pi of a conversation must know: what was seen, and what was not told yet. */
export interface Remembered {
  readonly known: Known;
  readonly pending: readonly TaskEvent[];
  /** The conversation's title, for people who meet its tasks later. */
  readonly title?: string;
  /** The process that watches, if it still lives. */
  readonly pid: number;
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
      // No file, or one that was torn by a full disk: as if nobody had watched.
      return undefined;
    }
  }

  /** Written aside and renamed: a crash leaves the old file or the new one. */
  save(session: string, remembered: Remembered): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#path(session);
    const aside = `${path}.${process.pid}`;
    writeFileSync(aside, JSON.stringify(remembered), { mode: 0o600 });
    renameSync(aside, path);
  }

  /** Forgets sessions that are gone and were not looked at for a month. */
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
