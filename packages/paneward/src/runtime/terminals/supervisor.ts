import { type End, freeName, PanewardError, terminalSessionName } from "@paneward/sdk";
import type { AgentRecord, PanePlace, TerminalRecord } from "../../model/records.ts";
import { placeKey } from "../places.ts";
import type { FoundPane, OpenSpec, TerminalNews } from "../ports.ts";
import { hearBell } from "../witnesses/bell.ts";
import { reconcile, unseenEnd } from "./reconcile.ts";
import { type BookDeps, TerminalBook } from "./terminal-book.ts";

export interface RunSpec {
  readonly name: string;
  readonly host: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly keep: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly session?: string;
  readonly task?: number;
}

/** An agent whose earlier conversation goes on, and the command that does it. */
export interface GoesOn {
  readonly agent: AgentRecord;
  readonly argv: readonly string[];
}

type EndNews = TerminalNews & { readonly kind: "ended" | "closed" };

/** Starts and ends programs in terminals, and hears from the hosts what became of them. */
export class Supervisor {
  readonly #deps: BookDeps;
  readonly #book: TerminalBook;
  /** Ends that came before the start was written down. */
  readonly #early = new Map<string, EndNews>();
  readonly #stopNews: () => void;

  constructor(deps: BookDeps) {
    this.#deps = deps;
    this.#book = new TerminalBook(deps);
    this.#stopNews = deps.terminals.onNews((news) => this.#hear(news));
  }

  /** Starts a program in a new terminal. When this returns, the terminal is written down and runs. */
  async run(spec: RunSpec): Promise<TerminalRecord> {
    const planned = this.#plan(spec);
    try {
      return this.#started(planned, await this.#deps.terminals.open(openSpec(planned)), false);
    } catch (error) {
      await this.#abandon(planned, mayHaveOpened(error));
      throw error;
    }
  }

  /** Takes over a program that somebody started on a host of ours: from now on it is a terminal like others. */
  async adopt(spec: RunSpec, { place }: FoundPane): Promise<TerminalRecord> {
    const taken = this.#started(this.#plan(spec), place, false);
    await this.#deps.terminals.follow(place, taken.host, taken.journal);
    // It may have ended before anybody listened.
    const now = (await this.#deps.terminals.panes(taken.host)).find(
      (pane) => pane.place.pane === place.pane && pane.place.pid === place.pid,
    );
    if (now?.end) this.#book.ended(taken.id, now.end);
    return this.#deps.store.terminal(taken.id) ?? taken;
  }

  /** Runs the same program again: in the same pane if it is still there, else in a new session of the same name. */
  async restart(record: TerminalRecord, goesOn?: GoesOn): Promise<TerminalRecord> {
    requireOwn(record);
    const { terminals } = this.#deps;
    const spec = { ...openSpec(record), argv: goesOn?.argv ?? record.argv };
    if (record.place) this.#book.leave(record.place);
    await this.#deps.attention.restarts(record);
    const again = record.place ? await terminals.respawn(record.place, spec) : undefined;
    if (again) return this.#started(record, again, true, goesOn?.agent);
    await this.#closeSession(record);
    return this.#started(record, await terminals.open(spec), true, goesOn?.agent);
  }

  /** A program that the user started in a server of their own. */
  adopted(record: TerminalRecord): void {
    if (record.place) this.#book.found(record, record.place);
  }

  /** An adopted program is gone. */
  left(id: string, end: End): void {
    this.#book.ended(id, end);
  }

  /** Ends the program: politely, then firmly. False when it had ended before. */
  async stop(record: TerminalRecord, by: string): Promise<boolean> {
    requireOwn(record);
    if (record.phase !== "running" || !record.place) return this.#stopEnded(record, by);
    this.#deps.store.write((writer) => writer.putTerminal({ ...record, stopAskedBy: by }));
    const ended = this.#whenEnded(record.id);
    for (const [signal, ms] of stopSignals) {
      await this.#deps.terminals.signal(record.host, record.place.pid, signal);
      if (await within(ended.promise, ms)) break;
    }
    ended.cancel();
    await this.#closeSession(record);
    this.#book.ended(record.id, { kind: "stopped", by });
    return true;
  }

  /** Ends the tmux session and forgets the terminal; its record is the caller's to remove. */
  async remove(record: TerminalRecord): Promise<void> {
    await this.#closeSession(record);
    this.#book.forget(record);
  }

  /** To be called once, before anything else: finds what runs, and tells what ended meanwhile. */
  reconcile(): Promise<void> {
    return reconcile(this.#deps, this.#book, (record) => this.#abandon(record, true));
  }

  close(): void {
    this.#stopNews();
    this.#deps.attention.stop();
  }

  // Written down before tmux is asked, so that a crash in between leaves no session that nobody knows.
  #plan(spec: RunSpec): TerminalRecord {
    const { store, clock, places } = this.#deps;
    return store.write((writer) => {
      const id = writer.nextTerminalId();
      const taken = new Set(store.terminals().map(({ name }) => name));
      const name = freeName(spec.name, (candidate) => taken.has(candidate));
      const record: TerminalRecord = {
        ...spec,
        id,
        name,
        session: spec.session ?? terminalSessionName(id, name),
        env: { ...spec.env, PANEWARD_TERMINAL: id },
        journal: `${places.journals}/${id}`,
        phase: "starting",
        createdAt: clock.now(),
      };
      writer.putTerminal(record);
      return record;
    });
  }

  #started(record: TerminalRecord, place: PanePlace, restarted: boolean, goesOn?: AgentRecord): TerminalRecord {
    const running = this.#book.started(record, place, restarted, goesOn);
    const early = this.#early.get(placeKey(place));
    if (early) this.#hearEnd(early);
    return this.#deps.store.terminal(running.id) ?? running;
  }

  // A task whose agent ended by itself becomes Stopped when somebody stops it: its session is gone then.
  async #stopEnded(record: TerminalRecord, by: string): Promise<boolean> {
    await this.#closeSession(record);
    if (record.task === undefined || record.end?.kind === "stopped") return false;
    this.#book.ended(record.id, { kind: "stopped", by }, true);
    return true;
  }

  // A start that failed half-way leaves nothing behind. A session of the same name that was there before is not ours.
  async #abandon(record: TerminalRecord, opened: boolean): Promise<void> {
    if (opened) await this.#closeSession(record);
    this.#book.forget(record);
    this.#deps.store.write((writer) => writer.removeTerminal(record.id));
  }

  async #closeSession(record: TerminalRecord): Promise<void> {
    if (record.adopted) return;
    try {
      await this.#deps.terminals.close(record.host, record.session);
    } catch (error) {
      const gone = error instanceof PanewardError && (error.code === "wrong_state" || error.code === "unavailable");
      if (!gone) throw error;
    }
  }

  #hear(news: TerminalNews): void {
    const { attention, terminalPlaces } = this.#deps;
    if (news.kind === "output") attention.output(terminalPlaces.terminalAt(news.place) ?? "", news.old);
    else if (news.kind === "bell") hearBell(this.#deps, terminalPlaces.terminalAt(news.place), news.count);
    else if (news.kind === "ended" || news.kind === "closed") this.#hearEnd(news);
    else if (news.kind === "host_lost") this.#hostLost(news.host);
    else if (news.kind === "host_status") {
      const { host, transport: state, reason } = news;
      this.#deps.store.write((writer) => writer.append("host_changed", { host, state, reason }));
    }
  }

  #hearEnd(news: EndNews): void {
    const id = this.#deps.terminalPlaces.terminalAt(news.place);
    const record = id === undefined ? undefined : this.#deps.store.terminal(id);
    if (!record) {
      if (this.#early.size > 1_000) this.#early.clear();
      this.#early.set(placeKey(news.place), news);
      return;
    }
    this.#early.delete(placeKey(news.place));
    const end: End = news.kind === "ended" ? news.end : { kind: "stopped", by: "tmux" };
    this.#book.ended(record.id, record.stopAskedBy === undefined ? end : { kind: "stopped", by: record.stopAskedBy });
  }

  async #hostLost(host: string): Promise<void> {
    for (const record of this.#deps.store.terminals()) {
      if (record.host !== host || record.phase !== "running") continue;
      const end = await unseenEnd(this.#deps, record, undefined, false);
      this.#book.ended(record.id, end.kind === "lost" ? { kind: "lost", reason: lostWords(host) } : end);
    }
  }

  #whenEnded(id: string): { readonly promise: Promise<void>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#deps.store.onEvents(() => {
      if (this.#deps.store.terminal(id)?.phase !== "running") resolve();
    });
    return { promise, cancel };
  }
}

// An interactive shell ignores TERM and obeys HUP.
const stopSignals = [
  ["TERM", 1_500],
  ["HUP", 1_000],
  ["KILL", 2_000],
] as const;

function requireOwn({ adopted, name }: TerminalRecord): void {
  if (!adopted) return;
  throw new PanewardError("wrong_state", `${name} runs in your own tmux; Paneward reads and answers it, no more`, {
    hint: "end it where you started it",
  });
}

function mayHaveOpened(error: unknown): boolean {
  return !(error instanceof PanewardError) || error.code === "outcome_unknown";
}

/** What came of the connection is in the event `host_changed`. */
function lostWords(host: string): string {
  return host === "local" ? "the tmux server is gone" : `the tmux server of host ${host} is gone`;
}

function openSpec(record: TerminalRecord): OpenSpec {
  const { host, session, argv, cwd, env, columns, rows, journal } = record;
  return { host, session, argv, cwd, env, columns, rows, journal };
}

function within(promise: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
