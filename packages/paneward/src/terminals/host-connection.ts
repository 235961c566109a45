import { createHash } from "node:crypto";
import { join } from "node:path/posix";
import type { HostConfig } from "@paneward/sdk";
import { type End, PanewardError } from "@paneward/sdk";
import {
  askHost,
  type Exit,
  type HostFacts,
  isJournalLost,
  type Journal,
  type Launcher,
  makeJournalAgain,
  openForeignServer,
  openJournal,
  openPrivateServer,
  type PaneId,
  type PaneRow,
  type Server,
  snapshot,
  type TmuxEvent,
  type Watcher,
  watchServer,
} from "@paneward/tmux";
import { endsInOpenLine } from "../model/output/open-line.ts";
import type { PanePlace } from "../model/records.ts";
import type { FoundPane, TerminalNews } from "../runtime/ports.ts";
import { claim, killStaleClients } from "./claim.ts";
import { statusLine } from "./status-line.ts";

export interface HostSettings extends HostConfig {
  readonly name: string;
  /** Absent on a host behind a prefix: there it is the default socket of `tmux`. */
  readonly socketPath?: string;
  /** The environment of the local tmux server; a host behind a prefix has its own. */
  readonly env: Readonly<Record<string, string>>;
  readonly journalSegments: number;
  /** Timeout for tmux commands; three times as long for starting something or connecting. */
  readonly patienceMs?: number;
  /** The user's own server: read and typed into on request, never watched, configured or stopped. */
  readonly foreign?: boolean;
  /** Through what a tmux server is started on this machine, where that is more than starting it. */
  readonly launchers?: () => readonly Launcher[];
  /** The daemon's state folder. A daemon with another one must not use the same server. */
  readonly owner: string;
}

type Watching = Pick<Watcher, "initial" | "addJournal" | "removeJournal" | "close"> & AsyncIterable<TmuxEvent>;

// Hooks and pipes would change the user's server, so there is only the initial listing.
function unwatched(initial: Watcher["initial"]): Watching {
  const nothing = () => {};
  return {
    initial,
    addJournal: nothing,
    removeJournal: nothing,
    close: async () => {},
    async *[Symbol.asyncIterator]() {},
  };
}

/** A connected host: its tmux server and the events from it. */
export class HostConnection {
  readonly server: Server;
  readonly home: string;
  readonly shell: string;
  readonly #folder: (path: string) => string;
  readonly #name: string;
  readonly #watcher: Watching;
  readonly #segments: number;
  readonly #emit: (news: TerminalNews) => void;
  readonly #places = new Map<PaneId, PanePlace>();
  readonly #journals = new Map<string, Journal>();

  private constructor(
    settings: HostSettings,
    facts: HostFacts | undefined,
    server: Server,
    watcher: Watching,
    emit: (news: TerminalNews) => void,
  ) {
    this.#name = settings.name;
    this.home = facts?.home ?? settings.env.HOME ?? "/";
    this.shell = facts?.shell ?? settings.env.SHELL ?? "/bin/sh";
    this.#folder = facts ? (path) => folderThere(settings, facts, path) : (path) => path;
    this.#segments = settings.journalSegments;
    this.server = server;
    this.#watcher = watcher;
    this.#emit = emit;
    this.#listen();
  }

  static async open(settings: HostSettings, emit: (news: TerminalNews) => void): Promise<HostConnection> {
    if (settings.foreign) {
      const server = await openForeignServer({
        socketPath: settings.socketPath ?? "",
        host: { env: settings.env, ...patienceOf(settings) },
      });
      return new HostConnection(settings, undefined, server, unwatched(await snapshot(server)), emit);
    }
    const facts = settings.prefix.length > 0 ? await askHost(settings) : undefined;
    const server = await openPrivateServer({
      socketPath: settings.socketPath ?? facts?.defaultSocket ?? "",
      host: {
        prefix: settings.prefix,
        quoting: settings.quoting,
        env: facts?.env ?? settings.env,
        ...patienceOf(settings),
      },
      ...(facts ? {} : { launchers: settings.launchers?.() ?? [] }),
      options: { "escape-time": "10", "focus-events": "on", mouse: "on", ...(facts ? {} : statusLine) },
      onStatus: (status) => {
        const reason = status.transport === "control" ? "" : status.reason;
        emit({ kind: "host_status", host: settings.name, transport: status.transport, reason });
      },
    });
    await claim(server, settings.owner);
    await killStaleClients(server);
    return new HostConnection(settings, facts, server, await watchServer(server), emit);
  }

  /** Identifies the server process: pane ids are unique only within one. */
  get serverId(): string {
    return `${this.server.identity.pid}.${this.server.identity.startTime}`;
  }

  found(): readonly FoundPane[] {
    return this.#watcher.initial.map((row) => this.#foundPane(row));
  }

  async panes(): Promise<readonly FoundPane[]> {
    return (await snapshot(this.server)).map((row) => this.#foundPane(row));
  }

  /** The journal of a terminal that has run; made again if others removed it. */
  journal(folder: string): Promise<Journal> {
    return this.#journal(folder, true);
  }

  newJournal(folder: string): Promise<Journal> {
    return this.#journal(folder, false);
  }

  async #journal(folder: string, expected: boolean): Promise<Journal> {
    const known = this.#journals.get(folder);
    if (known && isJournalLost(known)) await makeJournalAgain(known);
    if (known) return known;
    const options = { maxSegments: this.#segments, expected };
    const journal = await openJournal(this.server.files, this.#folder(folder), options);
    this.#journals.set(folder, journal);
    return journal;
  }

  /** Journals in a folder to which nothing was added for so many days. */
  async oldJournals(folder: string, days: number): Promise<readonly string[]> {
    const names = await this.server.files.oldFolders(this.#folder(folder), days);
    return names.map((name) => join(folder, name));
  }

  async removeJournal(folder: string): Promise<void> {
    for (const known of this.#journals.keys()) {
      if (known === folder || known.startsWith(`${folder}/`)) this.#journals.delete(known);
    }
    await this.server.files.remove(this.#folder(folder));
  }

  /** The round trip of one tmux command, in milliseconds. */
  async latency(): Promise<number> {
    const began = performance.now();
    await this.server.run([["display-message", "-p", "here"]], { readOnly: true });
    return Math.round((performance.now() - began) * 100) / 100;
  }

  /** tmux's id of a pane, if it is still a pane of this server process. */
  pane(place: Pick<PanePlace, "server" | "pane">): PaneId {
    if (place.server === this.serverId) return place.pane as PaneId;
    throw new PanewardError("wrong_state", "the tmux server that this terminal ran in is gone", {
      hint: "`paneward restart ID` runs the program again",
    });
  }

  follows(pane: string): boolean {
    return this.#places.has(pane as PaneId);
  }

  unfollow(pane: string): void {
    this.#places.delete(pane as PaneId);
    this.#watcher.removeJournal(pane as PaneId);
  }

  follow(place: PanePlace, journal: Journal): void {
    const pane = place.pane as PaneId;
    this.#places.set(pane, place);
    const wasThere = this.#watcher.initial.some((row) => row.pane === pane && row.pid === place.pid);
    this.#watcher.addJournal(pane, journal, (atFirstLook, lastBytes) => {
      const now = this.#places.get(pane);
      const isOpenLine = endsInOpenLine(lastBytes.toString("latin1"));
      if (now) this.#emit({ kind: "output", place: now, old: wasThere && atFirstLook, isOpenLine });
    });
  }

  /** The pane now runs another program. */
  moved(place: PanePlace): void {
    this.#places.set(place.pane as PaneId, place);
  }

  async close(): Promise<void> {
    await this.#watcher.close();
    await this.server.close();
  }

  #foundPane(row: PaneRow): FoundPane {
    return {
      place: { server: this.serverId, pane: row.pane, pid: row.pid, session: row.session },
      sessionName: row.sessionName,
      end: row.exit && endOf(row.exit),
    };
  }

  async #listen(): Promise<void> {
    for await (const event of this.#watcher) this.#onEvent(event);
  }

  // tmux reports the window; a terminal is the pane in it.
  async #emitBell(window: string, count: number): Promise<void> {
    const listing = ["list-panes", "-t", window, "-F", "#{pane_id}"];
    const panes = await this.server.run([listing], { readOnly: true }).catch(() => []);
    for (const pane of panes) {
      const place = this.#places.get(pane as PaneId);
      if (place) this.#emit({ kind: "bell", place, count });
    }
  }

  #onEvent(event: TmuxEvent): void {
    switch (event.kind) {
      case "pane_died": {
        const place = this.#places.get(event.pane);
        if (place) this.#emit({ kind: "ended", place: { ...place, pid: event.pid }, end: endOf(event.exit) });
        return;
      }
      case "session_closed": {
        for (const [pane, place] of this.#places) {
          if (place.session !== event.session) continue;
          this.#places.delete(pane);
          this.#watcher.removeJournal(pane);
          this.#emit({ kind: "closed", place });
        }
        return;
      }
      case "bell":
        this.#emitBell(event.window, event.count);
        return;
      case "server_lost":
        this.#emit({ kind: "host_lost", host: this.#name, reason: event.reason });
        return;
      default:
        return;
    }
  }
}

function patienceOf({ patienceMs }: HostSettings) {
  return patienceMs === undefined ? {} : { patienceMs };
}

// The daemon's folders do not exist behind a prefix. Two daemons on one host must not share a folder.
function folderThere({ owner }: HostSettings, { stateFolder }: HostFacts, path: string): string {
  const daemon = createHash("sha256").update(owner).digest("hex").slice(0, 8);
  const inside = path.startsWith(`${owner}/`) ? path.slice(owner.length + 1) : path;
  return join(stateFolder, daemon, inside);
}

export function endOf(exit: Exit): End {
  return exit.kind === "exited"
    ? { kind: "exited", code: exit.code }
    : exit.kind === "killed"
      ? { kind: "killed", signal: exit.signal }
      : { kind: "unknown" };
}
