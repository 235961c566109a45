import { type End, PanewardError } from "@paneward/sdk";
import { byPerson, isLost } from "../../model/lost.ts";
import type { AgentRecord, PanePlace, TaskRecord, TerminalRecord } from "../../model/records.ts";
import { grouped } from "../grouped.ts";
import { placeKey } from "../places.ts";
import type { Cancel, FoundPane, TerminalNews } from "../ports.ts";
import type { Running } from "../running.ts";
import { reportBell } from "../witnesses/bell.ts";
import { bringBack, type Resumption } from "./bring-back.ts";
import { openSpec, planTerminal, planTerminals, type RunSpec } from "./plan-terminal.ts";
import { endWithServer, reconcile } from "./reconcile.ts";
import { endReplaced, stopProgram } from "./stop-program.ts";
import { type BookDeps, TerminalBook } from "./terminal-book.ts";

interface Opened {
  readonly record: TerminalRecord;
  readonly place: PanePlace;
}

type EndNews = TerminalNews & { readonly kind: "ended" | "closed" };

/** Starts and ends programs in terminals, and records what the hosts report about them. */
export class Supervisor {
  readonly #deps: BookDeps;
  readonly #book: TerminalBook;
  /** Ends that arrived before the start was recorded. */
  readonly #early = new Map<string, EndNews>();
  /** Failed starts whose session could not be closed yet, because tmux does not answer. */
  readonly #unfinished = new Set<string>();
  readonly #stopNews: () => void;
  /** Many are often started at once: each turn of the loop takes two transactions for all of them. */
  readonly #plan: (spec: RunSpec) => Promise<TerminalRecord>;
  readonly #openedNow: (opened: Opened) => Promise<TerminalRecord | undefined>;
  #cancelCleanup: Cancel = () => {};

  constructor(deps: BookDeps) {
    this.#deps = deps;
    this.#book = new TerminalBook(deps);
    this.#plan = grouped((specs) => planTerminals(deps, specs));
    this.#openedNow = grouped((opened) => this.#recordOpened(opened));
    this.#stopNews = deps.terminals.onNews((news) => this.#receive(news));
  }

  /** Starts a program in a new terminal. When this returns, the terminal is recorded and runs. */
  async run(spec: RunSpec): Promise<TerminalRecord> {
    const planned = await this.#plan(spec);
    try {
      const place = await this.#deps.terminals.open(openSpec(planned));
      const started = await this.#openedNow({ record: planned, place });
      if (!started) throw stoppedAtStart(planned);
      return started;
    } catch (error) {
      await this.#abandon(planned, mayHaveOpened(error)).catch(() => this.#abandonLater(planned.id));
      throw error;
    }
  }

  /** Takes over a program that was started on a host of ours by other means: from now on it is a normal terminal. */
  async adopt(spec: RunSpec, { place }: FoundPane): Promise<TerminalRecord> {
    const taken = this.#started(planTerminal(this.#deps, spec), place, false);
    await this.#deps.terminals.follow(place, taken.host, taken.journal);
    // It may have ended before its journal was followed.
    const now = (await this.#deps.terminals.panes(taken.host)).find(
      (pane) => pane.place.pane === place.pane && pane.place.pid === place.pid,
    );
    if (now?.end) this.#book.ended(taken.id, now.end);
    return this.#deps.store.terminal(taken.id) ?? taken;
  }

  /** Runs the same program again: in the same pane if there still is one, else in a new session of the same name. */
  async restart(record: TerminalRecord, resumed?: Resumption): Promise<TerminalRecord> {
    requireOwn(record);
    requireCommand(record, resumed);
    if (isLost(record)) return this.restore(byPerson(record), resumed);
    const { terminals } = this.#deps;
    const spec = { ...openSpec(record), argv: resumed?.argv ?? record.argv };
    if (record.place) this.#book.leave(record.place);
    await this.#deps.attention.restarts(record);
    if (record.phase === "running" && record.place) await endReplaced(this.#deps, record.host, record.place.pid);
    const again = record.place ? await terminals.respawn(record.place, spec) : undefined;
    if (again) return this.#started(record, again, true, resumed?.agent);
    await this.#closeSession(record);
    return this.#started(record, await terminals.open(spec), true, resumed?.agent);
  }

  /** Starts a lost program again, at most once; what of it is found to run is taken back instead. */
  restore(record: TerminalRecord, resumed?: Resumption): Promise<TerminalRecord> {
    return bringBack(this.#deps, this.#book, this.#again, record, resumed);
  }

  /** A program that the user started in a tmux server of their own. */
  watchAdopted(record: TerminalRecord): void {
    if (record.place) this.#book.found(record, record.place);
  }

  /** An adopted program is gone. */
  adoptedEnded(id: string, end: End): void {
    this.#book.ended(id, end);
  }

  /** Ends the program, with the mildest signal first. False when it had ended before. */
  async stop(record: TerminalRecord, by: string): Promise<boolean> {
    requireOwn(record);
    if (record.phase === "starting") {
      await this.#abandon(record, true);
      return true;
    }
    if (record.phase !== "running" || !record.place) return this.#stopEnded(record, by);
    this.#deps.store.keep((writer) => writer.putTerminal({ ...record, stopAskedBy: by }));
    await stopProgram(this.#deps, record as Running);
    await this.#closeSession(record);
    this.#book.ended(record.id, { kind: "stopped", by });
    return true;
  }

  /** Marks a task as completed. Its program keeps running. */
  complete(task: TaskRecord, by: string): TaskRecord {
    return this.#book.completed(task, by);
  }

  /** Ends the tmux session and forgets the terminal. The caller removes its record. */
  async remove(record: TerminalRecord): Promise<void> {
    await this.#closeSession(record);
    this.#book.forget(record);
  }

  /** Call once, before anything else: finds what runs, and records what ended meanwhile. Returns what had no record. */
  reconcile(): Promise<number> {
    return reconcile(this.#deps, this.#book, {
      abandon: (record) => this.#abandon(record, true),
      again: this.#again,
    });
  }

  close(): void {
    this.#stopNews();
    this.#cancelCleanup();
    this.#deps.attention.stop();
  }

  readonly #again = (record: TerminalRecord, place: PanePlace, resumed: AgentRecord | undefined) =>
    this.#started(record, place, true, resumed);

  #started(record: TerminalRecord, place: PanePlace, restarted: boolean, resumed?: AgentRecord): TerminalRecord {
    return this.#withEarlyEnd(this.#book.started(record, place, restarted, resumed));
  }

  /** Undefined for a terminal that was stopped while it started. */
  #recordOpened(opened: readonly Opened[]): readonly (TerminalRecord | undefined)[] {
    const { store } = this.#deps;
    const wanted = opened.filter(({ record }) => store.terminal(record.id));
    const started = this.#book.startedTogether(wanted.map((one) => ({ ...one, restarted: false })));
    return opened.map((one) => {
      const running = started[wanted.indexOf(one)];
      return running && this.#withEarlyEnd(running);
    });
  }

  #withEarlyEnd(running: TerminalRecord): TerminalRecord {
    const early = running.place && this.#early.get(placeKey(running.place));
    if (early) this.#receiveEnd(early);
    return this.#deps.store.terminal(running.id) ?? running;
  }

  // The program has ended already. Stopping its task still closes the session and makes the status Stopped.
  async #stopEnded(record: TerminalRecord, by: string): Promise<boolean> {
    await this.#closeSession(record);
    // A lost one that is stopped is not restored any more.
    const changes = record.end?.kind === "lost" || (record.task !== undefined && record.end?.kind !== "stopped");
    if (!changes) return false;
    this.#book.ended(record.id, { kind: "stopped", by }, true);
    return true;
  }

  // A failed start leaves nothing behind. A session of the same name that existed before is not ours.
  async #abandon(record: TerminalRecord, opened: boolean): Promise<void> {
    if (opened) await this.#closeSession(record);
    this.#unfinished.delete(record.id);
    this.#book.forget(record);
    this.#deps.store.keep((writer) => writer.removeTerminal(record.id));
  }

  // Its session may open as soon as tmux answers again. Until then its record stays, so that it is not unknown then.
  #abandonLater(id: string): void {
    this.#unfinished.add(id);
    this.#cancelCleanup();
    this.#cancelCleanup = this.#deps.clock.timer(cleanUpEveryMs, () => this.#cleanUp());
  }

  async #cleanUp(): Promise<void> {
    for (const id of [...this.#unfinished]) {
      const record = this.#deps.store.terminal(id);
      if (record?.phase !== "starting") this.#unfinished.delete(id);
      else await this.#abandon(record, true).catch(() => this.#abandonLater(id));
    }
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

  #receive(news: TerminalNews): void {
    const { attention, terminalPlaces } = this.#deps;
    if (news.kind === "output") {
      attention.output(terminalPlaces.runningAt(news.place) ?? "", news);
    } else if (news.kind === "bell") reportBell(this.#deps, terminalPlaces.runningAt(news.place), news.count);
    else if (news.kind === "ended" || news.kind === "closed") this.#receiveEnd(news);
    else if (news.kind === "host_lost") this.#hostLost(news.host);
    else if (news.kind === "host_status") {
      const { host, transport: state, reason } = news;
      this.#deps.store.keep((writer) => writer.append("host_changed", { host, state, reason }));
    }
  }

  #receiveEnd(news: EndNews): void {
    const id = this.#deps.terminalPlaces.runningAt(news.place);
    const record = id === undefined ? undefined : this.#deps.store.terminal(id);
    if (!record) {
      if (this.#early.size > maxEarly) this.#early.clear();
      this.#early.set(placeKey(news.place), news);
      return;
    }
    this.#early.delete(placeKey(news.place));
    if (record.stopAskedBy !== undefined) this.#book.ended(record.id, { kind: "stopped", by: record.stopAskedBy });
    else if (news.kind === "ended") this.#book.ended(record.id, news.end);
    else this.#book.disappeared(record.id, "tmux");
  }

  async #hostLost(host: string): Promise<void> {
    const { store, log } = this.#deps;
    for (const record of store.terminals()) {
      if (record.host !== host || record.phase !== "running") continue;
      try {
        const end = await endWithServer(this.#deps, record, lostReason(host));
        // It may have been restarted on a new server while the journal was read.
        if (isSameProgram(store.terminal(record.id), record)) this.#book.ended(record.id, end);
      } catch (error) {
        log.error("an end with the tmux server could not be recorded", { terminal: record.id, error: String(error) });
      }
    }
  }
}

function isSameProgram(now: TerminalRecord | undefined, { place }: TerminalRecord): boolean {
  return now?.place !== undefined && place !== undefined && placeKey(now.place) === placeKey(place);
}

const cleanUpEveryMs = 5_000;

/** Other panes of the host end too; limits how many of their ends are kept. */
const maxEarly = 1_000;

function requireOwn({ adopted, name }: TerminalRecord): void {
  if (!adopted) return;
  throw new PanewardError("wrong_state", `${name} runs in your own tmux; Paneward only reads and answers it`, {
    hint: "end it where you started it",
  });
}

function requireCommand({ found, name, argv, id }: TerminalRecord, resumed: Resumption | undefined): void {
  if (!found || resumed) return;
  const message = `${name} was found without its record: only its program is known, ${argv[0]}, not its arguments`;
  throw new PanewardError("wrong_state", message, {
    hint: `start it with \`paneward run\`, then \`paneward rm ${id}\``,
  });
}

function stoppedAtStart({ name }: TerminalRecord): PanewardError {
  // Not known to have opened: the session is closed.
  return new PanewardError("outcome_unknown", `${name} was stopped while it started; it does not run`, {
    hint: "start it again if it is still wanted",
  });
}

function mayHaveOpened(error: unknown): boolean {
  return !(error instanceof PanewardError) || error.code === "outcome_unknown";
}

/** The event `host_changed` has the details of the connection. */
function lostReason(host: string): string {
  return host === "local" ? "the tmux server is gone" : `the tmux server of host ${host} is gone`;
}
