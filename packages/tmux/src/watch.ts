import { setTimeout as delay } from "node:timers/promises";
import { HeldEnds } from "./held-ends.ts";
import { type Journal, pipeInto } from "./journal.ts";
import { JournalTail } from "./journal-tail.ts";
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
  /** How often the full listing checks what hooks may have missed. */
  readonly repairMs?: number;
}

/** Watches a private server: pushed by its hooks, repaired by a listing, each fact told once. */
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
/** tmux lost the news of an end; it is asked again this often before the answer is "unknown". */
const mostPokes = 5;
const mostReopenings = 5;

export class Watcher implements AsyncIterable<TmuxEvent> {
  /** The panes when watching began, dead ones included: these are not told as events. */
  readonly initial: readonly PaneRow[];
  readonly #server: Server;
  readonly #ledger: Ledger;
  readonly #events = new Mailbox<TmuxEvent>();
  readonly #heldEnds = new HeldEnds((event) => this.#events.put([event]));
  readonly #repairMs: number;
  readonly #journals = new Map<PaneId, { readonly journal: Journal; readonly tail: JournalTail; reopened: number }>();
  /** By pid: a pane runs other programs later. */
  readonly #pokes = new Map<number, number>();
  /** Processes that were found gone while tmux did not say how they ended. */
  readonly #gone = new Set<number>();
  readonly #abort = new AbortController();
  readonly #loop: Promise<void>;
  #connection: ControlConnection | undefined;
  #arrived = false;
  #listingDue = true;
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

  /** Follows a pane's journal: its exit mark is the fastest witness, and a broken pipe is opened again. */
  addJournal(pane: PaneId, journal: Journal, onOutput: (atFirstLook: boolean) => void = () => {}): void {
    this.removeJournal(pane);
    // A pane that was there before us may have run, and ended, other programs.
    const program = this.initial.find((row) => row.pane === pane)?.pid;
    const onExit = ({ pid, exit }: ExitMark, atFirstLook: boolean) => {
      if (atFirstLook && program !== undefined && pid !== program) return;
      this.#events.put(this.#ledger.died(pane, pid, exit));
      this.#heldEnds.release(pane);
    };
    const heard = (atFirstLook: boolean) => {
      // A pipe that works again may break again later; only one that never works is given up.
      const entry = this.#journals.get(pane);
      if (entry) entry.reopened = 0;
      onOutput(atFirstLook);
    };
    this.#journals.set(pane, { journal, tail: new JournalTail(journal, { onExit, onOutput: heard }), reopened: 0 });
  }

  removeJournal(pane: PaneId): void {
    this.#journals.get(pane)?.tail.stop();
    this.#journals.delete(pane);
  }

  /** The process of the connection that waits for news; a test ends it to see what happens. */
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

  // One connection's life; the reason of its end.
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

  // Hints, and now and then the listing, are read in one instant; then the line waits for the next hint.
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
    this.#tell(this.#ledger.hints(parseHints(hints)));
    if (!rows) return;
    this.#tell(this.#ledger.listing(rows));
    const unanswered = rows.filter((row) => row.dead && !row.exit);
    const pids = new Set(unanswered.map(({ pid }) => pid));
    for (const pid of this.#pokes.keys()) if (!pids.has(pid)) this.#pokes.delete(pid);
    for (const pid of this.#gone) if (!pids.has(pid)) this.#gone.delete(pid);
    for (const row of unanswered) this.#poke(row);
    for (const row of rows) if (!row.dead && !row.piped) this.#reopen(row.pane);
  }

  // An end that tmux tells before its mark is in the journal waits for the mark, which stands behind the last output.
  #tell(events: readonly TmuxEvent[]): void {
    for (const event of events) {
      const followed = event.kind === "pane_died" ? this.#journals.get(event.pane) : undefined;
      if (event.kind !== "pane_died" || !followed) this.#events.put([event]);
      else {
        this.#heldEnds.hold(event);
        followed.tail.lookNow();
      }
    }
  }

  // Control mode cannot be had: the same reading by a process of its own, at the pace of the repair.
  async #lookWithoutConnection(): Promise<void> {
    try {
      const lines = await spawnTransport(this.#server).run([...readingCommands(this.#arrived), listing]);
      this.#arrived = true;
      const isRow = (line: string) => /^%\d+\t/.test(line);
      this.#take(lines.filter((line) => !isRow(line)).join(""), lines.filter(isRow).map(parsePaneRow));
    } catch {
      // No answer this way either: whether the server is gone is decided by asking for it.
      this.#arrived = false;
    }
    await delay(this.#repairMs, undefined, { signal: this.#abort.signal }).catch(() => {});
  }

  #repair(): void {
    this.#listingDue = true;
    if (!this.#connection) return;
    // A connection that slept through several wakes hangs on a dead network: end it and connect anew.
    if (++this.#unansweredWakes > 5) this.#connection.close();
    this.#server.run([["wait-for", "-S", wakeChannel]]).catch(() => {});
  }

  // pane_dead without status or signal means that tmux missed SIGCHLD: a second one makes it look again.
  #poke({ pane, pid }: PaneRow): void {
    const pokes = (this.#pokes.get(pid) ?? 0) + 1;
    this.#pokes.set(pid, pokes);
    if (pokes > mostPokes) this.#giveUpOn(pane, pid);
    if (isLocal(this.#server.host)) signal(this.#server.identity.pid, "SIGCHLD");
    else this.#server.run([["run-shell", "true"]]).catch(() => {});
  }

  // A program that closed its terminal and runs on looks just the same: it has not ended, so nothing is told.
  async #giveUpOn(pane: PaneId, pid: number): Promise<void> {
    const { host } = this.#server;
    const runs = isLocal(host)
      ? signal(pid, 0)
      : await runChild(host, ["kill", "-0", String(pid)], { timeoutMs: answerLimitMs(host) }).then(
          ({ code }) => code === 0,
          () => true,
        );
    if (runs || !this.#gone.has(pid)) {
      // It may have ended a moment ago, and tmux be about to say how: the asking begins anew, once.
      if (!runs) this.#gone.add(pid);
      this.#pokes.delete(pid);
      return;
    }
    this.#gone.delete(pid);
    this.#events.put(this.#ledger.died(pane, pid, { kind: "unknown" }));
  }

  #reopen(pane: PaneId): void {
    const entry = this.#journals.get(pane);
    if (!entry || entry.reopened >= mostReopenings) return;
    entry.reopened += 1;
    this.#server.run([pipeInto(entry.journal, pane)]).then(
      () => this.#events.put([{ kind: "journal_reopened", pane }]),
      () => {},
    );
  }

  async #serverIsThere(): Promise<boolean> {
    try {
      return await isSameServer(this.#server);
    } catch {
      // The host does not answer: that is no proof that the server is gone.
      await delay(this.#repairMs, undefined, { signal: this.#abort.signal }).catch(() => {});
      return true;
    }
  }
}

// Is there such a process, and did it get the signal?
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
