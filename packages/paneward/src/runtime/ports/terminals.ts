import type { End } from "@paneward/sdk";
import type { JournalCursor } from "../../model/output/cursor.ts";
import type { PanePlace } from "../../model/records.ts";

export type { JournalCursor };

/** News about a host's terminals. */
export type TerminalNews =
  | { readonly kind: "ended"; readonly place: PanePlace; readonly end: End }
  | { readonly kind: "closed"; readonly place: PanePlace }
  | { readonly kind: "bell"; readonly place: PanePlace; readonly count: number }
  /** `old`: it was printed before its journal was followed. `isOpenLine`: its last line has text and no end, as a prompt. */
  | { readonly kind: "output"; readonly place: PanePlace; readonly old: boolean; readonly isOpenLine?: boolean }
  | { readonly kind: "host_lost"; readonly host: string; readonly reason: string }
  | { readonly kind: "host_status"; readonly host: string; readonly transport: string; readonly reason: string };

export interface OpenSpec {
  readonly host: string;
  readonly session: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  readonly journal: string;
}

export interface ReadBytes {
  readonly bytes: Uint8Array;
  /** Behind the bytes: where the next read begins. */
  readonly cursor: JournalCursor;
  readonly missed: number;
  readonly hole: boolean;
  readonly atEnd: boolean;
}

/** A screen as text that paints it again in an empty terminal of the same size. */
export interface Picture {
  readonly columns: number;
  readonly rows: number;
  readonly text: string;
  readonly cursor: JournalCursor | undefined;
}

export interface JournalTimes {
  readonly epoch: string;
  readonly from: number;
  readonly to: number;
  readonly times: readonly (readonly [number, number])[];
}

/** A pane as a host shows it when the daemon begins. */
export interface FoundPane {
  readonly place: PanePlace;
  readonly sessionName: string;
  readonly end: End | undefined;
}

export interface HostInfo {
  readonly name: string;
  readonly prefix: readonly string[];
  readonly socket: string;
  readonly state: "connected" | "connecting" | "silent" | "unavailable" | "not_used";
  readonly transport: string;
  readonly reason?: string;
  readonly tmux?: string;
  /** The time of one command to tmux and its reply; only for a connected host. */
  readonly latency_ms?: number;
}

export interface FoundProgram {
  readonly place: PanePlace;
  readonly session: string;
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  readonly command: string;
}

/**
 * How much to check:
 * - `exists`: the pane exists
 * - `command`: its foreground program has one of the names
 * - `process_tree`: any process below the pane has one of the names
 */
export type HealthLevel = "exists" | "command" | "process_tree";

export interface PaneHealth {
  readonly available: boolean;
  readonly running: boolean;
  readonly pid?: number;
  readonly errorType?: string;
}

export interface ScreenLook {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly cursor: { readonly row: number; readonly column: number };
  readonly title: string;
  /** Copy mode or the like: keys do not reach the program. */
  readonly inMode: boolean;
  /** Lines that have left the screen at its top. */
  readonly scrolled: number;
  /** A full-screen program has the alternate screen. */
  readonly alternate: boolean;
}

/** How a pane's terminal takes input now. The kernel says so; nothing that is printed can change it. */
export interface Listening {
  /** Whether a program in the foreground reads the terminal; "unknown" where that cannot be seen. */
  readonly reads: "yes" | "no" | "unknown";
  /** Whole lines are read and not echoed: what is typed now is a secret. */
  readonly hidden: boolean;
  /** The program takes every key itself, as full-screen programs do. */
  readonly raw: boolean;
  /** A program was seen to wait for the terminal, and for nothing else. */
  readonly waits?: boolean;
}

export type Signal = "TERM" | "HUP" | "KILL";

/** Programs in panes, on any host. */
export interface Terminals {
  /** Connects to a host if need be and lists what runs there. */
  connect(host: string): Promise<readonly FoundPane[]>;
  /** What runs there now. */
  panes(host: string): Promise<readonly FoundPane[]>;
  open(spec: OpenSpec): Promise<PanePlace>;
  /** Runs a program in an existing pane; undefined when the pane is gone. */
  respawn(place: PanePlace, spec: OpenSpec): Promise<PanePlace | undefined>;
  /** Follows a pane's journal, so that its output and its end are reported. */
  follow(place: PanePlace, host: string, journal: string): Promise<void>;
  /** Pipes a pane into its journal again; readers see that output may be missing before. */
  reopenJournal(place: PanePlace, host: string, journal: string): Promise<void>;
  /** Signals a program with all processes of its group. */
  signal(host: string, pid: number, signal: Signal): Promise<void>;
  /** Whether any process of the program's group is left, also when the program itself has ended. */
  isLeft(host: string, pid: number): Promise<boolean>;
  close(host: string, session: string): Promise<void>;
  /** The same keys, each by the one name that it has. Throws when one is not a key name; does not touch any pane. */
  checkKeys(keys: readonly string[]): readonly string[];
  /** The mark of what was typed or pressed last. */
  lastMark(host: string, place: PanePlace): Promise<string | undefined>;
  screen(
    host: string,
    place: PanePlace,
    escapes: boolean,
  ): Promise<{ readonly lines: readonly string[]; readonly columns: number; readonly rows: number }>;
  /** A variable with which a session was opened. */
  sessionVariable(host: string, session: string, name: string): Promise<string | undefined>;
  /** A pane of a host whose program runs, by tmux's id. */
  find(host: string, pane: string): Promise<FoundProgram | undefined>;
  /** Whether a pane is there, and what runs in it; never throws. */
  health(host: string, place: PanePlace, level: HealthLevel, names: readonly string[]): Promise<PaneHealth>;
  /** The screen with its cursor, the pane's title and whether a person scrolls in it. */
  look(host: string, place: PanePlace): Promise<ScreenLook>;
  /** Makes the program redraw its whole screen; not in the user's own tmux, nor while a person is attached. */
  redraw(host: string, place: PanePlace): Promise<void>;
  /** How the pane's terminal takes input; never throws. */
  listens(host: string, place: PanePlace): Promise<Listening>;
  read(host: string, journal: string, cursor: JournalCursor | undefined, max: number): Promise<ReadBytes>;
  /** The cursor that lies this many bytes before the journal's end. */
  cursorBeforeEnd(host: string, journal: string, bytes: number): Promise<JournalCursor | undefined>;
  /** How the last program ended, if the journal has its exit mark. */
  lastEnd(host: string, journal: string, pid: number): Promise<End | undefined>;
  /** What the pane shows, with as many lines above it, and the cursor of the first byte that is not in the picture. */
  picture(host: string, place: PanePlace, journal: string, above: number): Promise<Picture>;
  /** When the journal had which length, per epoch, oldest first. */
  times(host: string, journal: string): Promise<readonly JournalTimes[]>;
  /** Journals in a folder to which nothing was added for so many days. None of a host that is not connected. */
  oldJournals(host: string, folder: string, days: number): Promise<readonly string[]>;
  /** Does nothing on a host that is not connected. */
  removeJournal(host: string, journal: string): Promise<void>;
  sessions(host: string): Promise<
    readonly {
      readonly name: string;
      readonly session: string;
      readonly windows: number;
      readonly attached: number;
      readonly createdAt: number;
    }[]
  >;
  /** The terminals in which people are attached to a host's server, and look at it. None of a host that is not connected. */
  clients(host: string): Promise<
    readonly {
      readonly client: string;
      readonly session: string;
      readonly pane: string;
      /** When something was typed in it last, in milliseconds since 1970. */
      readonly usedAt: number;
    }[]
  >;
  /** `target` is as tmux takes it: `=session`, or a pane, which is then the one that is shown. */
  attachArgv(host: string, target: string): readonly string[];
  /** The folder that a program on the host starts in when none is named. */
  home(host: string): Promise<string>;
  hosts(): Promise<readonly HostInfo[]>;
  onNews(listener: (news: TerminalNews) => void): () => void;
  stop(): Promise<void>;
}
