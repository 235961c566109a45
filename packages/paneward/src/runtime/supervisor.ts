import { type End, freeName, PanewardError, type PanewardEvent, terminalSessionName } from "@paneward/sdk";
import type { PanePlace, TerminalRecord } from "../model/records.ts";
import type { Judged } from "../model/status.ts";
import type { OpenSpec, TerminalNews, Writer } from "./ports.ts";
import type { Runtime } from "./runtime.ts";
import { judgeTask, judgeTerminal } from "./views.ts";

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

/** Keeps what is known of terminals true: starts them, hears of their ends, and tells each change once. */
export class Supervisor {
  readonly #rt: Runtime;
  /** What was told last of each terminal, so that only changes are told. */
  readonly #told = new Map<string, Judged["status"]>();
  /** Ends that came before the start was written down. */
  readonly #early = new Map<string, TerminalNews & { readonly kind: "ended" | "closed" }>();
  /** Running terminals by where they run: output comes often, and must find its terminal without a query. */
  readonly #byPlace = new Map<string, string>();
  readonly #stopNews: () => void;

  constructor(rt: Runtime) {
    this.#rt = rt;
    this.#stopNews = rt.terminals.onNews((news) => this.#hear(news));
    rt.activity.onChange((terminal) => this.#tellStatus(terminal));
  }

  /** Starts a program in a new terminal. When this returns, the terminal is written down and runs. */
  async run(spec: RunSpec): Promise<TerminalRecord> {
    const { store, clock, places, terminals } = this.#rt;
    const planned = store.write((writer): TerminalRecord => {
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
    try {
      const place = await terminals.open(openSpec(planned));
      return this.#started(planned, place, false);
    } catch (error) {
      await this.#abandon(planned);
      throw error;
    }
  }

  /** Runs the same program again: in the same pane if it is still there, else in a new session of the same name. */
  async restart(record: TerminalRecord): Promise<TerminalRecord> {
    const { terminals } = this.#rt;
    if (record.place) this.#byPlace.delete(keyOf(record.place));
    const spec = openSpec(record);
    const again = record.place ? await terminals.respawn(record.place, spec) : undefined;
    if (again) return this.#started(record, again, true);
    await this.#closeSession(record);
    return this.#started(record, await terminals.open(spec), true);
  }

  /** Ends the program: politely, then firmly. False when it had ended before. */
  async stop(record: TerminalRecord, by: string): Promise<boolean> {
    const { store, terminals, clock } = this.#rt;
    if (record.phase !== "running" || !record.place) {
      await this.#closeSession(record);
      if (record.phase === "ended" && record.end?.kind !== "stopped" && record.task !== undefined) {
        this.#end(record, { kind: "stopped", by }, clock.now(), true);
        return true;
      }
      return false;
    }
    store.write((writer) => writer.putTerminal({ ...record, stopAskedBy: by }));
    const ended = this.#whenEnded(record.id);
    for (const [signal, ms] of stopSignals) {
      await terminals.signal(record.host, record.place.pid, signal);
      if (await within(ended.promise, ms)) break;
    }
    ended.cancel();
    await this.#closeSession(record);
    const left = store.terminal(record.id);
    if (left?.phase === "running") this.#end(left, { kind: "stopped", by }, clock.now());
    return true;
  }

  async remove(record: TerminalRecord): Promise<void> {
    await this.#closeSession(record);
    this.#rt.activity.forget(record.id);
    this.#told.delete(record.id);
  }

  /** Compares what is written down with what runs, after the daemon was away. Ends that nobody saw are told now. */
  async reconcile(): Promise<void> {
    const { store, log } = this.#rt;
    const records = store.terminals();
    for (const host of new Set([
      "local",
      ...records.filter(({ phase }) => phase !== "ended").map(({ host }) => host),
    ])) {
      try {
        await this.#reconcileHost(
          host,
          records.filter((record) => record.host === host),
        );
      } catch (error) {
        log.warn("a host does not answer; its terminals are looked at when it does", {
          host,
          error: (error as Error).message,
        });
        if (host === "local") throw error;
      }
    }
  }

  close(): void {
    this.#stopNews();
    this.#rt.activity.stop();
  }

  async #reconcileHost(host: string, records: readonly TerminalRecord[]): Promise<void> {
    const { terminals, store } = this.#rt;
    const found = await terminals.connect(host);
    for (const record of records) {
      if (record.phase === "starting") await this.#abandon(record);
      if (record.phase !== "running" || !record.place) continue;
      const { place } = record;
      const pane = found.find((one) => one.place.server === place.server && one.place.pane === place.pane);
      if (pane && pane.place.pid === place.pid && !pane.end) await this.#adopt(record);
      else
        this.#end(
          record,
          await this.#unseenEnd(
            record,
            pane?.end,
            found.some((one) => one.place.server === place.server),
          ),
          this.#rt.clock.now(),
        );
    }
    const known = new Set(store.terminals().map(({ session }) => session));
    for (const { sessionName } of found) {
      if (!known.has(sessionName)) await terminals.close(host, sessionName).catch(() => {});
    }
  }

  async #adopt(record: TerminalRecord): Promise<void> {
    if (!record.place) return;
    this.#rt.activity.started(record.id, record.startedAt ?? record.createdAt);
    this.#told.set(record.id, this.#judge(record).status);
    this.#byPlace.set(keyOf(record.place), record.id);
    await this.#rt.terminals.follow(record.place, record.host, record.journal);
  }

  // tmux knows, or the journal does; else it depends on whether the server is the same.
  async #unseenEnd(record: TerminalRecord, seen: End | undefined, sameServer: boolean): Promise<End> {
    if (seen && seen.kind !== "unknown") return seen;
    const written = await this.#rt.terminals
      .lastEnd(record.host, record.journal, record.place?.pid ?? 0)
      .catch(() => undefined);
    if (written) return written;
    return sameServer
      ? { kind: "stopped", by: "tmux while the daemon was away" }
      : { kind: "lost", reason: "the tmux server ended while the daemon was away" };
  }

  #started(record: TerminalRecord, place: PanePlace, restarted: boolean): TerminalRecord {
    const { store, clock, activity } = this.#rt;
    const { end: _end, endedAt: _endedAt, stopAskedBy: _by, ...rest } = record;
    const running: TerminalRecord = { ...rest, place, phase: "running", startedAt: clock.now() };
    activity.started(running.id, running.startedAt ?? 0);
    this.#told.set(running.id, "Running");
    this.#byPlace.set(keyOf(place), running.id);
    store.write((writer) => {
      writer.putTerminal(running);
      const { argv, cwd } = running;
      if (running.task === undefined) writer.append("terminal_opened", { ...nameOf(running), argv, cwd, restarted });
      else this.#taskStarted(writer, running);
    });
    const early = this.#early.get(keyOf(place));
    if (early) this.#hear(early);
    return store.terminal(running.id) ?? running;
  }

  #taskStarted(writer: Writer, running: TerminalRecord): void {
    const task = this.#rt.store.task(running.task ?? 0);
    if (!task) return;
    const { completedAt: _completed, ...rest } = task;
    writer.putTask({ ...rest, draft: false, terminal: running.id });
    writer.append("task_started", { task: task.id, slug: task.slug, terminal: running.id });
  }

  // A start that failed half-way leaves nothing behind.
  async #abandon(record: TerminalRecord): Promise<void> {
    await this.#closeSession(record);
    this.#rt.activity.forget(record.id);
    this.#rt.store.write((writer) => writer.removeTerminal(record.id));
  }

  async #closeSession(record: TerminalRecord): Promise<void> {
    try {
      await this.#rt.terminals.close(record.host, record.session);
    } catch (error) {
      const gone = error instanceof PanewardError && (error.code === "wrong_state" || error.code === "unavailable");
      if (!gone) throw error;
    }
  }

  #hear(news: TerminalNews): void {
    switch (news.kind) {
      case "output": {
        const id = this.#byPlace.get(keyOf(news.place));
        if (id !== undefined) this.#rt.activity.output(id);
        return;
      }
      case "ended":
      case "closed": {
        const record = this.#at(news.place);
        if (!record) {
          this.#remember(news);
          return;
        }
        this.#early.delete(keyOf(news.place));
        const end: End = news.kind === "ended" ? news.end : { kind: "stopped", by: "tmux" };
        this.#end(
          record,
          record.stopAskedBy === undefined ? end : { kind: "stopped", by: record.stopAskedBy },
          this.#rt.clock.now(),
        );
        return;
      }
      case "host_lost":
        this.#hostLost(news.host, news.reason).catch((error: Error) =>
          this.#rt.log.error("a lost host could not be handled", { error: error.message }),
        );
        return;
      case "host_status":
        this.#rt.store.write((writer) =>
          writer.append("host_changed", { host: news.host, state: news.transport, reason: news.reason }),
        );
        return;
      default:
        return;
    }
  }

  #remember(news: TerminalNews & { readonly kind: "ended" | "closed" }): void {
    if (this.#early.size > 1_000) this.#early.clear();
    this.#early.set(keyOf(news.place), news);
  }

  #at(place: PanePlace): TerminalRecord | undefined {
    const id = this.#byPlace.get(keyOf(place));
    return id === undefined ? undefined : this.#rt.store.terminal(id);
  }

  async #hostLost(host: string, reason: string): Promise<void> {
    const { store, clock } = this.#rt;
    for (const record of store.terminals()) {
      if (record.host !== host || record.phase !== "running") continue;
      const end = await this.#unseenEnd(record, undefined, false);
      this.#end(record, end.kind === "lost" ? { kind: "lost", reason: `tmux: ${reason}` } : end, clock.now());
    }
  }

  #end(record: TerminalRecord, end: End, now: number, again = false): void {
    const { store, activity } = this.#rt;
    const current = store.terminal(record.id);
    if (!current || (current.phase === "ended" && !again)) return;
    activity.forget(record.id);
    if (current.place) this.#byPlace.delete(keyOf(current.place));
    store.write((writer) => {
      const { stopAskedBy: _by, ...rest } = current;
      const ended: TerminalRecord = { ...rest, phase: "ended", end, endedAt: now };
      writer.putTerminal(ended);
      this.#tellEnd(writer, ended, end);
    });
    this.#told.set(record.id, this.#judge({ ...current, phase: "ended", end, endedAt: now }).status);
  }

  #tellEnd(writer: Writer, record: TerminalRecord, end: End): void {
    const task = record.task === undefined ? undefined : this.#rt.store.task(record.task);
    if (!task) {
      writer.append("terminal_closed", { ...nameOf(record), end });
      return;
    }
    const of = { task: task.id, slug: task.slug };
    if (end.kind === "stopped") writer.append("task_stopped", { ...of, by: end.by });
    else if (end.kind === "lost") writer.append("task_lost", { ...of, reason: end.reason });
    else writer.append("task_exited", { ...of, end });
  }

  // Working and idle, waiting and not: one event for one change.
  #tellStatus(id: string): void {
    const { store } = this.#rt;
    const record = store.terminal(id);
    if (record?.phase !== "running") return;
    const { status, why } = this.#judge(record);
    const before = this.#told.get(id);
    if (before === undefined || before === status) return;
    this.#told.set(id, status);
    const task = record.task === undefined ? undefined : store.task(record.task);
    store.write((writer) => {
      const change = { status, before, why };
      if (task) writer.append("task_status_changed", { task: task.id, slug: task.slug, ...change });
      else writer.append("terminal_status_changed", { ...nameOf(record), ...change });
    });
  }

  #judge(record: TerminalRecord): Judged {
    const task = record.task === undefined ? undefined : this.#rt.store.task(record.task);
    return task ? judgeTask(this.#rt, task) : judgeTerminal(this.#rt, record);
  }

  #whenEnded(id: string): { readonly promise: Promise<void>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (_: readonly PanewardEvent[]) => {
      if (this.#rt.store.terminal(id)?.phase !== "running") resolve();
    };
    const cancel = this.#rt.store.onEvents(look);
    return { promise, cancel };
  }
}

// An interactive shell ignores TERM and obeys HUP.
const stopSignals = [
  ["TERM", 1_500],
  ["HUP", 1_000],
  ["KILL", 2_000],
] as const;

function openSpec(record: TerminalRecord): OpenSpec {
  const { host, session, argv, cwd, env, columns, rows, journal } = record;
  return { host, session, argv, cwd, env, columns, rows, journal };
}

function keyOf({ server, pane, pid }: PanePlace): string {
  return `${server}/${pane}/${pid}`;
}

function nameOf({ id, name, task }: TerminalRecord): {
  readonly terminal: string;
  readonly name: string;
  readonly task?: number;
} {
  return { terminal: id, name, ...(task === undefined ? {} : { task }) };
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
