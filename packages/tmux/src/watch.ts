import { setTimeout as delay } from "node:timers/promises";
import { hasEnded } from "./has-ended.ts";
import { HeldEnds } from "./held-ends.ts";
import { isJournalLost, type Journal, makeJournalAgain, pipeAgainInto } from "./journal.ts";
import { JournalTail, type OnOutput } from "./journal-tail.ts";
import { TmuxError } from "./protocol/errors.ts";
import { parseHints, readingCommands, serialOption, waitingCommands, wakeChannel } from "./protocol/events.ts";
import { type PaneRow, paneFormat, parsePaneRow } from "./protocol/formats.ts";
import { Ledger, type TmuxEvent } from "./protocol/ledger.ts";
import type { PaneId } from "./protocol/names.ts";
import type { Command } from "./protocol/quote.ts";
import type { ExitMark } from "./protocol/wrapper.ts";
import { isSameServer, type Server } from "./server.ts";
import { runChild } from "./transport/child.ts";
import { ControlConnection } from "./transport/control.ts";
import { isLocal } from "./transport/host.ts";
import { Mailbox } from "./transport/mailbox.ts";
import { spawnTransport } from "./transport/spawn.ts";
import { answerLimitMs } from "./transport/transport.ts";

export interface WatchOptions {
  /** Interval of the full listing that finds what hooks missed. */
  readonly repairMs?: number;
}

/** Watches a private server: hooks push, a periodic listing repairs, and each fact is emitted once. */
export async function watchServer(server: Server, options: WatchOptions = {}): Promise<Watcher> {
  if (server.keeper === undefined) {
    throw new TmuxError("send_failed", "only a private server can be watched: watching sets hooks");
  }
  const lines = await server.run([["show-options", "-gqv", serialOption], listing], { readOnly: true });
  const rows = lines.filter((line) => line.startsWith("%")).map(parsePaneRow);
  const serial = lines[0]?.startsWith("%") ? 0 : Number(lines[0]) || 0;
  return new Watcher(server, rows, serial, options);
}

const listing: Command = ["list-panes", "-a", "-F", paneFormat];
/** When tmux missed how a program ended, it is asked again this many times before the exit is "unknown". */
const maxPokes = 5;
/** tmux needs about 20 µs for a pane in a listing. The pause grows with them, so that listings take 0.2 % of a core. */
const pauseMsPerPane = 10;
/** A pipe that breaks at once, as on a full disk, is opened again after ever longer pauses. */
const maxReopenPauseMs = 20_000;

export class Watcher implements AsyncIterable<TmuxEvent> {
  /** The panes when watching began, dead ones included; no events are emitted for these. */
  readonly initial: readonly PaneRow[];
  readonly #server: Server;
  readonly #ledger: Ledger;
  readonly #events = new Mailbox<TmuxEvent>();
  readonly #heldEnds = new HeldEnds((event) => this.#events.put([event]));
  readonly #repairMs: number;
  readonly #journals = new Map<
    PaneId,
    {
      readonly journal: Journal;
      readonly follow: () => JournalTail;
      tail: JournalTail;
      reopened: number;
      notBefore: number;
    }
  >();
  /** By pid: a pane may run other programs later. */
  readonly #pokes = new Map<number, number>();
  /** Processes that are gone although tmux did not say how they ended. */
  readonly #gone = new Set<number>();
  readonly #abort = new AbortController();
  readonly #loop: Promise<void>;
  #connection: ControlConnection | undefined;
  #arrived = false;
  #listingDue = true;
  #nextListingAt = 0;
  #unansweredWakes = 0;

  constructor(server: Server, rows: readonly PaneRow[], serial: number, options: WatchOptions) {
    this.#server = server;
    this.initial = rows.filter((row) => row.sessionName !== server.keeper);
    this.#ledger = new Ledger(rows, serial);
    this.#repairMs = options.repairMs ?? 1_000;
    this.#loop = this.#watch().finally(() => this.#events.end());
  }

  [Symbol.asyncIterator](): AsyncGenerator<TmuxEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  /** Follows a pane's journal: its exit mark arrives first, and a broken pipe is reopened. */
  addJournal(pane: PaneId, journal: Journal, onOutput: OnOutput = () => {}): void {
    this.removeJournal(pane);
    // A pane that existed before may have run, and ended, other programs.
    const program = this.initial.find((row) => row.pane === pane)?.pid;
    const onExit = async ({ pid, exit }: ExitMark, atFirstLook: boolean) => {
      if (atFirstLook && program !== undefined && pid !== program) return;
      if (!(await hasEnded(this.#server, pid)) || this.#abort.signal.aborted) return;
      this.#events.put(this.#ledger.died(pane, pid, exit));
      this.#heldEnds.release(pane);
    };
    const onBytes: OnOutput = (atFirstLook, lastBytes) => {
      // A pipe that works again may break again later.
      const entry = this.#journals.get(pane);
      if (entry) entry.reopened = 0;
      onOutput(atFirstLook, lastBytes);
    };
    const follow = () => new JournalTail(journal, { onExit, onOutput: onBytes });
    this.#journals.set(pane, { journal, follow, tail: follow(), reopened: 0, notBefore: 0 });
  }

  removeJournal(pane: PaneId): void {
    this.#journals.get(pane)?.tail.stop();
    this.#journals.delete(pane);
  }

  /** The pid of the connection that waits for hints; tests kill it. */
  get connectionPid(): number | undefined {
    return this.#connection?.pid;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    this.#heldEnds.releaseAll();
    for (const pane of [...this.#journals.keys()]) this.removeJournal(pane);
    await this.#connection?.close();
    await this.#loop;
  }

  async #watch(): Promise<void> {
    const repair = setInterval(() => this.#repair(), this.#repairMs).unref();
    try {
      while (!this.#abort.signal.aborted) {
        const reason = await this.#listenOnce();
        if (this.#abort.signal.aborted) return;
        if (!(await this.#serverIsThere())) {
          this.#heldEnds.releaseAll();
          this.#events.put([{ kind: "server_lost", reason: `the server process is gone (${reason})` }]);
          return;
        }
      }
    } finally {
      clearInterval(repair);
    }
  }

  // Runs one connection to its end; returns the reason.
  async #listenOnce(): Promise<string> {
    if (!this.#server.controlMode) {
      await this.#lookWithoutConnection();
      return "the server no longer answers";
    }
    let connection: ControlConnection | undefined;
    try {
      connection = await ControlConnection.open(this.#server, this.#server.keeper ?? "");
      this.#connection = connection;
      this.#listingDue = true;
      this.#unansweredWakes = 0;
      while (!this.#abort.signal.aborted) await this.#round(connection);
      return "closed";
    } catch (error) {
      if (!connection) await this.#lookWithoutConnection();
      return (error as Error).message;
    } finally {
      this.#connection = undefined;
      await connection?.close();
    }
  }

  // Reads the hints, and now and then the listing, atomically; then waits for the next hint.
  async #round(connection: ControlConnection): Promise<void> {
    const reading = readingCommands(this.#arrived);
    const between = this.#listingDue ? [listing] : [];
    this.#arrived = false;
    this.#listingDue = false;
    let hints: readonly string[] = [];
    let rows: readonly string[] | undefined;
    await connection.converse([...reading, ...between, ...waitingCommands], { endless: true }, (lines, index) => {
      if (index === reading.length - 1) hints = lines;
      else if (between.length > 0 && index === reading.length) rows = lines;
      else if (index === reading.length + between.length) {
        this.#arrived = true;
        this.#take(hints.join(""), rows?.map(parsePaneRow));
      }
    });
    this.#unansweredWakes = 0;
  }

  #take(hints: string, rows: readonly PaneRow[] | undefined): void {
    this.#emit(this.#ledger.hints(parseHints(hints)));
    if (!rows) return;
    this.#emit(this.#ledger.listing(rows));
    const unanswered = rows.filter((row) => row.dead && !row.exit);
    const pids = new Set(unanswered.map(({ pid }) => pid));
    for (const pid of this.#pokes.keys()) if (!pids.has(pid)) this.#pokes.delete(pid);
    for (const pid of this.#gone) if (!pids.has(pid)) this.#gone.delete(pid);
    for (const row of unanswered) this.#poke(row);
    // The keeper's pane has no pipe, and needs none.
    const followed = rows.filter(({ dead, pane }) => !dead && this.#journals.has(pane));
    const broken = followed.filter((row) => !row.piped || this.#isPipedElsewhere(row.pane));
    for (const row of broken) this.#reopen(row.pane);
    // What is repaired is looked at again soon.
    const isCalm = unanswered.length === 0 && broken.length === 0;
    const pauseMs = isCalm ? Math.max(this.#repairMs, rows.length * pauseMsPerPane) : this.#repairMs;
    this.#nextListingAt = performance.now() + pauseMs - this.#repairMs / 2;
  }

  // Hold an exit reported by tmux until its mark, which follows the last output, is in the journal.
  #emit(events: readonly TmuxEvent[]): void {
    for (const event of events) {
      const followed = event.kind === "pane_died" ? this.#journals.get(event.pane) : undefined;
      if (event.kind !== "pane_died" || !followed) this.#events.put([event]);
      else {
        this.#heldEnds.hold(event, followed.journal.markHashes.size > 0);
        followed.tail.lookNow();
      }
    }
  }

  // Control mode is unavailable: the same reads by a spawned process, once per repair interval.
  async #lookWithoutConnection(): Promise<void> {
    try {
      const lines = await spawnTransport(this.#server).run([...readingCommands(this.#arrived), listing]);
      this.#arrived = true;
      const isRow = (line: string) => /^%\d+\t/.test(line);
      this.#take(lines.filter((line) => !isRow(line)).join(""), lines.filter(isRow).map(parsePaneRow));
    } catch {
      // Spawning failed too; `#serverIsThere` decides whether the server is gone.
      this.#arrived = false;
    }
    await delay(this.#repairMs, undefined, { signal: this.#abort.signal }).catch(() => {});
  }

  #repair(): void {
    if (performance.now() >= this.#nextListingAt) this.#listingDue = true;
    if (!this.#connection) return;
    // A connection that missed several wakes hangs on a dead network: close it and reconnect.
    if (++this.#unansweredWakes > 5) this.#connection.close();
    this.#server.run([["wait-for", "-S", wakeChannel]]).catch(() => {});
  }

  // pane_dead without status or signal means that tmux missed SIGCHLD: another one makes it check again.
  #poke({ pane, pid }: PaneRow): void {
    const pokes = (this.#pokes.get(pid) ?? 0) + 1;
    this.#pokes.set(pid, pokes);
    if (pokes > maxPokes) this.#giveUpOn(pane, pid);
    if (isLocal(this.#server.host)) signal(this.#server.identity.pid, "SIGCHLD");
    else this.#server.run([["run-shell", "true"]]).catch(() => {});
  }

  // A program that closed its terminal and keeps running looks the same, but has not ended.
  async #giveUpOn(pane: PaneId, pid: number): Promise<void> {
    const { host } = this.#server;
    const runs = isLocal(host)
      ? signal(pid, 0)
      : await runChild(host, ["kill", "-0", String(pid)], { timeoutMs: answerLimitMs(host) }).then(
          ({ code }) => code === 0,
          () => true,
        );
    if (runs || !this.#gone.has(pid)) {
      // It may have just ended and tmux may be about to report how: start over, once.
      if (!runs) this.#gone.add(pid);
      this.#pokes.delete(pid);
      return;
    }
    this.#gone.delete(pid);
    this.#events.put(this.#ledger.died(pane, pid, { kind: "unknown" }));
  }

  #reopen(pane: PaneId): void {
    const entry = this.#journals.get(pane);
    if (!entry || performance.now() < entry.notBefore) return;
    entry.notBefore = performance.now() + Math.min(maxReopenPauseMs, (this.#repairMs / 2) * 2 ** entry.reopened);
    entry.reopened += 1;
    this.#pipe(pane).then(
      () => this.#events.put([{ kind: "journal_reopened", pane }]),
      () => {},
    );
  }

  // Others removed the journal's folder: the pipe's files have no names any more.
  #isPipedElsewhere(pane: PaneId): boolean {
    const journal = this.#journals.get(pane)?.journal;
    return journal !== undefined && (journal.place.pipeIsOld || isJournalLost(journal));
  }

  async #pipe(pane: PaneId): Promise<void> {
    const entry = this.#journals.get(pane);
    if (!entry) return;
    const { journal } = entry;
    if (isJournalLost(journal)) await makeJournalAgain(journal);
    const isElsewhere = journal.place.pipeIsOld;
    journal.place.pipeIsOld = false;
    try {
      await this.#server.run([await pipeAgainInto(journal, pane)]);
    } catch (error) {
      journal.place.pipeIsOld = isElsewhere;
      throw error;
    }
    if (!isElsewhere || this.#journals.get(pane) !== entry) return;
    entry.tail.stop();
    entry.tail = entry.follow();
  }

  async #serverIsThere(): Promise<boolean> {
    try {
      return await isSameServer(this.#server);
    } catch {
      // An unreachable host does not prove that the server is gone.
      await delay(this.#repairMs, undefined, { signal: this.#abort.signal }).catch(() => {});
      return true;
    }
  }
}

// Whether the process exists and was signalled.
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
