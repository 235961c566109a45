import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { type AgentRecordFile, sessionIn } from "../../agents/record.ts";
import { isSynthetic } from "../../agents/registry.ts";
import { namesConversation, recordPattern } from "../../model/agents/record-path.ts";
import { type Headline, headOf, promptsIn } from "../../model/agents/record-rows.ts";
import { linesIn, nextRead, type Tail } from "../../model/agents/record-tail.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { printsBeforeStartMs, recordLookMs } from "../../model/timing.ts";
import { agentIn, agentKind } from "../agent-kind.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Prompts } from "../courier/prompts.ts";
import type { Clock, GrowingFiles, Store } from "../ports.ts";

export interface RecordDeps {
  readonly clock: Clock;
  readonly store: Pick<Store, "terminal" | "terminals" | "task">;
  readonly agents: Pick<AgentBook, "of" | "active" | "learned">;
  readonly prompts: Prompts;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: GrowingFiles;
}

/**
 * The records in which agents write what they were given, in their own words: the witness of deliveries. A record is read
 * while a delivery is awaited, and from where it was left; a daemon that begins reads the end of it.
 */
export class Records {
  readonly #deps: RecordDeps;
  readonly #tails = new Map<string, Tail>();
  readonly #heads = new Map<string, Headline>();
  readonly #followed = new Set<string>();
  readonly #stopped = new AbortController();

  constructor(deps: RecordDeps) {
    this.#deps = deps;
    deps.prompts.onExpect((terminal) => {
      this.#follow(terminal).catch((error: unknown) => void Promise.reject(error));
    });
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #follow(id: string): Promise<void> {
    if (this.#followed.has(id)) return;
    this.#followed.add(id);
    const watched = new Watched(this.#deps);
    try {
      for (let found: readonly Candidate[] = [], soughtAt = Number.NEGATIVE_INFINITY; !this.#stopped.signal.aborted; ) {
        const { clock, prompts, store } = this.#deps;
        const terminal = store.terminal(id);
        const awaited = prompts.awaitedMs(id);
        if (awaited === undefined || terminal?.phase !== "running") return;
        const pace = awaited < recordLookMs.hastyFor ? recordLookMs.hasty : recordLookMs.calm;
        if (clock.monotonic() - soughtAt >= Math.max(pace, recordLookMs.seek)) {
          found = await this.#candidates(terminal);
          soughtAt = clock.monotonic();
          watched.only(found.map(({ path }) => dirname(path)));
        }
        for (const one of found) await this.#read(terminal, one);
        if (prompts.awaitedMs(id) === undefined) return;
        await watched.pause(pace);
      }
    } finally {
      watched.stop();
      this.#followed.delete(id);
    }
  }

  async #candidates(terminal: TerminalRecord): Promise<readonly Candidate[]> {
    const { agents, store, env, files } = this.#deps;
    const agent = terminal.host === "local" ? agentIn(store, terminal) : undefined;
    const kept = agents.of(terminal.id);
    const id = kept?.session_id ?? sessionIn(terminal.argv, agent?.session);
    const around = { ...env, ...terminal.env };
    const found: Candidate[] = [];
    for (const [index, record] of (agent?.records ?? []).entries()) {
      const one = (path: string, session: string | undefined) => ({ path, record, session, way: `record ${index}` });
      if (!namesConversation(record.file)) {
        if (id !== undefined) found.push(one(recordPattern(record.file, around, id), id));
        continue;
      }
      const named = id === undefined ? [] : await files.find(recordPattern(record.file, around, id));
      found.push(...named.map(({ path }) => one(path, id)));
      if (record.head === undefined || !this.#isAlone(terminal)) continue;
      const others = (await files.find(recordPattern(record.file, around, undefined))).filter(
        ({ path, changedAt }) => changedAt >= startOf(terminal) && !named.some((known) => known.path === path),
      );
      for (const { path } of others.slice(0, maxOthers)) {
        const head = await this.#headOf(path, record);
        if (head && isOf(head, terminal)) found.push(one(path, head.id));
      }
    }
    return found;
  }

  // A conversation that was begun in the agent itself has an id that was not reported. In a folder with one such agent it is its.
  #isAlone(terminal: TerminalRecord): boolean {
    const { store } = this.#deps;
    const { id, cwd, host } = terminal;
    const kind = agentKind(store, terminal);
    const there = store.terminals().filter((one) => one.phase === "running" && one.host === host && one.cwd === cwd);
    return there.every((one) => one.id === id || agentKind(store, one) !== kind);
  }

  async #headOf(path: string, { head }: AgentRecordFile): Promise<Headline | undefined> {
    const known = this.#heads.get(path);
    if (known || head === undefined) return known;
    const bytes = await this.#deps.files.read(path, ({ size }) => ({
      offset: 0,
      length: Math.min(size, maxHeadBytes),
    }));
    const end = bytes?.indexOf(lineEnd) ?? -1;
    const found = bytes && end > 0 ? headOf(head, new TextDecoder().decode(bytes.subarray(0, end))) : undefined;
    if (found) this.#heads.set(path, found);
    return found;
  }

  async #read(terminal: TerminalRecord, { path, record, session, way }: Candidate): Promise<void> {
    const { files, prompts, agents } = this.#deps;
    const key = `${terminal.id} ${path}`;
    let from: ReturnType<typeof nextRead>;
    const bytes = await files.read(path, (now) => {
      from = nextRead(this.#tails.get(key), now);
      return from;
    });
    if (!bytes || !from) return;
    const { tail, lines } = linesIn(from, bytes);
    this.#tails.set(key, tail);
    const agent = agents.of(terminal.id);
    for (const { text, at, rule } of lines.flatMap((line) => promptsIn(record.rows, line, session))) {
      if (agent && isSynthetic(agent.kind, text)) continue;
      prompts.match(terminal.id, text, at, { way: `${way} ${rule}`, as: "record" });
    }
    // Its conversation is saved from now on, so that it can be resumed later.
    if (agent && agent.endedAt === undefined && agent.session_id === undefined && session !== undefined) {
      agents.learned(agent.id, { session_id: session });
    }
  }
}

interface Candidate {
  readonly path: string;
  readonly record: AgentRecordFile;
  readonly session: string | undefined;
  readonly way: string;
}

/** The folders of the files that are followed now: a change in one of them ends the pause. */
class Watched {
  readonly #deps: Pick<RecordDeps, "clock" | "files">;
  readonly #folders = new Map<string, { stop(): void }>();
  #wake = () => {};
  #hasNews = false;

  constructor(deps: Pick<RecordDeps, "clock" | "files">) {
    this.#deps = deps;
  }

  only(folders: readonly string[]): void {
    for (const [folder, { stop }] of this.#folders) {
      if (folders.includes(folder)) continue;
      stop();
      this.#folders.delete(folder);
    }
    for (const folder of folders) {
      if (this.#folders.has(folder)) continue;
      const onChange = () => {
        this.#hasNews = true;
        this.#wake();
      };
      this.#folders.set(folder, this.#deps.files.watch(folder, onChange));
    }
  }

  async pause(ms: number): Promise<void> {
    const began = this.#deps.clock.monotonic();
    if (!this.#hasNews) await this.#wait(ms);
    this.#wake = () => {};
    // Other programs may write into the folder all the time.
    const left = recordLookMs.min - (this.#deps.clock.monotonic() - began);
    if (left > 0) await this.#deps.clock.sleep(left);
    this.#hasNews = false;
  }

  stop(): void {
    this.only([]);
    this.#wake();
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.timer(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

function isOf({ folder, folderHash, began }: Headline, terminal: TerminalRecord): boolean {
  const isThere = folder === terminal.cwd || folderHash === createHash("sha256").update(terminal.cwd).digest("hex");
  return isThere && began !== undefined && began >= startOf(terminal);
}

function startOf({ startedAt, createdAt }: TerminalRecord): number {
  return (startedAt ?? createdAt) - printsBeforeStartMs;
}

const maxOthers = 20;
const maxHeadBytes = 1_048_576;
const lineEnd = 10;
