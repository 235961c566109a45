import type { End } from "@paneward/sdk";
import type { JournalCursor } from "../../src/model/output/cursor.ts";
import type { PanePlace } from "../../src/model/records.ts";
import type { FoundPane, OpenSpec, ReadBytes, Signal, TerminalNews, Terminals } from "../../src/runtime/ports.ts";

interface Pane {
  place: PanePlace;
  readonly host: string;
  readonly sessionName: string;
  end: End | undefined;
  screen: string[];
}

/** Terminals in memory: panes that a test ends, closes and prints into, and a log of what was asked of them. */
export class MemoryTerminals {
  /** Every call that changes something, such as `signal 101 TERM`. */
  readonly log: string[] = [];
  /** Which signal ends a program; by default any. */
  endsWith: (signal: Signal) => boolean = () => true;
  /** Programs that end only by KILL although their terminals have ended. */
  readonly left = new Set<number>();
  /** Called before a pane opens; may throw, or take a while. */
  beforeOpen: (spec: OpenSpec) => void | Promise<void> = () => {};
  /** Called when a pane was opened and the caller does not know it yet. */
  afterOpen: (place: PanePlace) => void = () => {};
  readonly size = { columns: 80, rows: 24 };
  /** The `PANEWARD_TERMINAL` of a session. */
  readonly variables = new Map<string, string>();
  readonly #panes: Pane[] = [];
  readonly #journals = new Map<string, string>();
  readonly #dropped = new Map<string, number>();
  readonly #exitMarks = new Map<string, End>();
  readonly #listeners = new Set<(news: TerminalNews) => void>();
  #server = "server-1";
  #next = 1;

  /** This object as the port. What a test does not use is not there. */
  get port(): Terminals {
    return this as unknown as Terminals;
  }

  /** The clients that people are attached with. */
  attached: Awaited<ReturnType<Terminals["clients"]>> = [];

  clients = async (): ReturnType<Terminals["clients"]> => this.attached;

  // What a test does.

  end(place: PanePlace, end: End = { kind: "exited", code: 0 }): void {
    const pane = this.#pane(place);
    if (pane) pane.end = end;
    this.tell({ kind: "ended", place, end });
  }

  /** The session is closed in tmux. */
  vanish(place: PanePlace): void {
    this.drop(place);
    this.tell({ kind: "closed", place });
  }

  /** The pane is gone, and nothing says so. */
  drop(place: PanePlace): void {
    const at = this.#panes.findIndex((pane) => pane.place === this.#pane(place)?.place);
    if (at >= 0) this.#panes.splice(at, 1);
  }

  /** The tmux server ends and takes its panes along. */
  newServer(name: string): void {
    this.#server = name;
    this.#panes.length = 0;
  }

  /** A pane that nobody opened through the port. */
  has(place: Partial<PanePlace>, sessionName: string, host = "local", end?: End): PanePlace {
    const full = { server: this.#server, pane: "%99", pid: 999, session: "$99", ...place };
    this.#panes.push({ place: full, host, sessionName, end, screen: [] });
    return full;
  }

  print(journal: string, place: PanePlace, text: string): void {
    this.#journals.set(journal, (this.#journals.get(journal) ?? "") + text);
    this.tell({ kind: "output", place, old: false });
  }

  /** The oldest bytes of a journal are no longer kept. */
  dropBytes(journal: string, bytes: number): void {
    this.#dropped.set(journal, bytes);
  }

  /** The journal says that its last program ended so. */
  mark(journal: string, end: End): void {
    this.#exitMarks.set(journal, end);
  }

  show(place: PanePlace, ...lines: readonly string[]): void {
    const pane = this.#pane(place);
    if (pane) pane.screen = [...lines];
  }

  tell(news: TerminalNews): void {
    for (const listener of this.#listeners) listener(news);
  }

  get listening(): number {
    return this.#listeners.size;
  }

  // The port.

  async open(spec: OpenSpec): Promise<PanePlace> {
    this.log.push(`open ${spec.session} ${spec.argv.join(" ")}`);
    const before = this.beforeOpen(spec);
    if (before) await before;
    const number = this.#next++;
    const place = { server: this.#server, pane: `%${number}`, pid: 100 + number, session: `$${number}` };
    this.#panes.push({ place, host: spec.host, sessionName: spec.session, end: undefined, screen: [] });
    this.afterOpen(place);
    return place;
  }

  async respawn(place: PanePlace, spec: OpenSpec): Promise<PanePlace | undefined> {
    this.log.push(`respawn ${place.pane} ${spec.argv.join(" ")}`);
    const pane = this.#pane(place);
    if (!pane) return undefined;
    pane.place = { ...place, pid: place.pid + 1_000 };
    pane.end = undefined;
    this.afterOpen(pane.place);
    return pane.place;
  }

  async follow(place: PanePlace, host: string): Promise<void> {
    this.log.push(`follow ${place.pane} on ${host}`);
  }

  async reopenJournal(place: PanePlace): Promise<void> {
    this.log.push(`reopen journal of ${place.pane}`);
  }

  async sessionVariable(_host: string, session: string): Promise<string | undefined> {
    return this.variables.get(session);
  }

  async signal(_host: string, pid: number, signal: Signal): Promise<void> {
    this.log.push(`signal ${pid} ${signal}`);
    if (signal === "KILL") this.left.delete(pid);
    const pane = this.#panes.find((one) => one.place.pid === pid);
    if (pane && this.endsWith(signal)) this.end(pane.place, { kind: "killed", signal: 15 });
  }

  async isLeft(_host: string, pid: number): Promise<boolean> {
    return this.left.has(pid) || this.#panes.some(({ place, end }) => place.pid === pid && !end);
  }

  async close(_host: string, session: string): Promise<void> {
    this.log.push(`close ${session}`);
    for (const pane of this.#panes.filter(({ sessionName }) => sessionName === session)) this.drop(pane.place);
  }

  async connect(host: string): Promise<readonly FoundPane[]> {
    return this.panes(host);
  }

  async panes(host: string): Promise<readonly FoundPane[]> {
    return this.#panes.filter((pane) => pane.host === host);
  }

  async find(host: string, pane: string) {
    const found = this.#panes.find((one) => one.host === host && one.place.pane === pane && !one.end);
    if (!found) return undefined;
    return { place: found.place, session: found.sessionName, ...this.size, cwd: "/work", command: "claude" };
  }

  async health(_host: string, place: PanePlace) {
    return { available: this.#pane(place) !== undefined, running: true };
  }

  async look(_host: string, place: PanePlace) {
    return { lines: this.#required(place).screen, title: "" };
  }

  async listens() {
    return { reads: "yes", hidden: false, raw: false };
  }

  async screen(_host: string, place: PanePlace) {
    return { lines: this.#required(place).screen, ...this.size };
  }

  async picture(_host: string, place: PanePlace, journal: string) {
    const text = this.#required(place).screen.join("\n");
    return { ...this.size, text, cursor: await this.cursorBeforeEnd("", journal, 0) };
  }

  async read(_host: string, journal: string, from: JournalCursor | undefined, max: number): Promise<ReadBytes> {
    const text = this.#journals.get(journal);
    if (text === undefined) return { ...nothing, cursor: from ?? { epoch: "e0", offset: 0 } };
    const dropped = this.#dropped.get(journal) ?? 0;
    const start = Math.max(from?.offset ?? dropped, dropped);
    const bytes = new TextEncoder().encode(text.slice(start, start + max));
    const cursor = { epoch: "e1", offset: start + bytes.length };
    return { ...nothing, bytes, cursor, missed: start - (from?.offset ?? start), atEnd: cursor.offset === text.length };
  }

  async cursorBeforeEnd(_host: string, journal: string, bytes: number): Promise<JournalCursor | undefined> {
    const text = this.#journals.get(journal);
    return text === undefined ? undefined : { epoch: "e1", offset: Math.max(0, text.length - bytes) };
  }

  async lastEnd(_host: string, journal: string): Promise<End | undefined> {
    return this.#exitMarks.get(journal);
  }

  onNews(listener: (news: TerminalNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #pane({ server, pane }: PanePlace): Pane | undefined {
    return this.#panes.find(({ place }) => place.server === server && place.pane === pane);
  }

  #required(place: PanePlace): Pane {
    const pane = this.#pane(place);
    if (!pane) throw new Error(`there is no pane ${place.pane}`);
    return pane;
  }
}

const nothing = { bytes: new Uint8Array(), missed: 0, hole: false, atEnd: true };
