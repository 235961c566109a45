import type { End, EventData, EventType, PanewardEvent, Question, Turn, WorkAmount } from "@paneward/sdk";
import type {
  AgentRecord,
  AuditRecord,
  DeliveryRecord,
  LoginRecord,
  PanePlace,
  Rescue,
  TaskRecord,
  TerminalRecord,
  TokenRecord,
  UndoRecord,
} from "../model/records.ts";
import type { TeamStore, TeamWriter } from "./team-port.ts";
import type { WorkspaceStore } from "./workspaces-port.ts";

/** The world, as the runtime sees it. Adapters implement these; tests may too. */

export interface Clock {
  now(): number;
}

export interface Log {
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}

/** What can be changed together. Nothing of it is kept when the work throws. */
export interface Writer {
  append<Type extends EventType>(type: Type, data: EventData[Type]): void;
  nextTerminalId(): string;
  nextTaskId(): number;
  putTerminal(record: TerminalRecord): void;
  removeTerminal(id: string): void;
  putTask(record: TaskRecord): void;
  removeTask(id: number): void;
  putDelivery(record: DeliveryRecord): void;
  nextAgentId(): string;
  putAgent(record: AgentRecord): void;
  /** With everything that was said in it. */
  removeAgent(id: string): void;
  nextQuestionId(): string;
  putQuestion(question: Question): void;
  removeQuestion(id: string): void;
  nextTurnId(): string;
  putTurn(turn: Turn): void;
  putToken(record: TokenRecord): void;
  removeToken(id: string): void;
  putLogin(record: LoginRecord): void;
  removeLogin(id: string): void;
  putUndo(record: Omit<UndoRecord, "id">): void;
  removeUndo(id: number): void;
  audit(record: AuditRecord): void;
  readonly team: TeamWriter;
}

export interface Store {
  /** All or nothing; events are told to listeners after everything is kept. */
  write<Result>(work: (writer: Writer) => Result): Result;
  onEvents(listener: (events: readonly PanewardEvent[]) => void): () => void;
  events(after: number, limit: number): readonly PanewardEvent[];
  /** The number of the oldest event that is kept, and of the newest. */
  eventRange(): { readonly oldest: number; readonly newest: number };
  trimEvents(keep: number): number;
  trimAudit(keep: number): void;
  terminals(): readonly TerminalRecord[];
  terminal(id: string): TerminalRecord | undefined;
  tasks(): readonly TaskRecord[];
  task(id: number): TaskRecord | undefined;
  delivery(terminal: string, key: string): DeliveryRecord | undefined;
  /** The last deliveries to a terminal, newest last. */
  deliveries(terminal: string, limit: number): readonly DeliveryRecord[];
  agents(): readonly AgentRecord[];
  agent(id: string): AgentRecord | undefined;
  /** Open ones, and closed ones until they are forgotten. */
  questions(): readonly Question[];
  question(id: string): Question | undefined;
  turns(agent: string, limit: number): readonly Turn[];
  deliveryById(id: string): DeliveryRecord | undefined;
  /** Deliveries whose end was never written down, oldest first. */
  unfinishedDeliveries(): readonly DeliveryRecord[];
  tokens(): readonly TokenRecord[];
  logins(): readonly LoginRecord[];
  undos(): readonly UndoRecord[];
  audits(limit: number): readonly AuditRecord[];
  readonly workspaces: WorkspaceStore;
  readonly team: TeamStore;
  close(): void;
}

/** What a host's terminals tell. */
export type TerminalNews =
  | { readonly kind: "ended"; readonly place: PanePlace; readonly end: End }
  | { readonly kind: "closed"; readonly place: PanePlace }
  | { readonly kind: "bell"; readonly place: PanePlace; readonly count: number }
  | { readonly kind: "output"; readonly place: PanePlace }
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
  readonly cursor: string;
  readonly missed: number;
  readonly hole: boolean;
  readonly atEnd: boolean;
}

/** A screen as text that paints it again in an empty terminal of the same size. */
export interface Picture {
  readonly columns: number;
  readonly rows: number;
  readonly text: string;
  readonly cursor: string | undefined;
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
  readonly state: "connected" | "unavailable" | "not_used";
  readonly transport: string;
  readonly reason?: string;
  readonly tmux?: string;
  /** One question to tmux and its answer; only of a connected host. */
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

/** How deep to look: the pane is there; its foreground is that program; any process below it is. */
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
}

/** Programs in panes, on any host. */
export interface Terminals {
  /** Connects to a host if need be and lists what runs there. */
  connect(host: string): Promise<readonly FoundPane[]>;
  /** What runs there now. */
  panes(host: string): Promise<readonly FoundPane[]>;
  open(spec: OpenSpec): Promise<PanePlace>;
  /** Runs a program in an existing pane; undefined when the pane is gone. */
  respawn(place: PanePlace, spec: OpenSpec): Promise<PanePlace | undefined>;
  /** Follows a pane's journal, so that its output and its end are told. */
  follow(place: PanePlace, host: string, journal: string): Promise<void>;
  signal(host: string, pid: number, signal: "TERM" | "HUP" | "KILL"): Promise<void>;
  close(host: string, session: string): Promise<void>;
  isAlive(place: PanePlace, host: string): Promise<boolean>;
  /** Types text, or pastes even one line, and leaves the mark in the pane together with it: both happen, or neither. */
  type(host: string, place: PanePlace, text: string, mark: string, paste?: boolean): Promise<void>;
  /** Presses keys one after the other; the mark is left with each. */
  press(host: string, place: PanePlace, keys: readonly string[], delayMs: number, mark: string): Promise<void>;
  /** The mark of what was typed or pressed last. */
  lastMark(host: string, place: PanePlace): Promise<string | undefined>;
  screen(
    host: string,
    place: PanePlace,
    escapes: boolean,
  ): Promise<{ readonly lines: readonly string[]; readonly columns: number; readonly rows: number }>;
  /** A living pane of a host by tmux's id. */
  find(host: string, pane: string): Promise<FoundProgram | undefined>;
  /** Whether a pane is there, and what runs in it; never throws. */
  health(host: string, place: PanePlace, level: HealthLevel, names: readonly string[]): Promise<PaneHealth>;
  /** The screen with its cursor, the pane's title and whether a person scrolls in it. */
  look(host: string, place: PanePlace): Promise<ScreenLook>;
  read(host: string, journal: string, cursor: string | undefined, max: number): Promise<ReadBytes>;
  /** The cursor that lies this many bytes before the journal's end. */
  cursorBeforeEnd(host: string, journal: string, bytes: number): Promise<string | undefined>;
  /** How the journal says that its last program ended, if it does. */
  lastEnd(host: string, journal: string, pid: number): Promise<End | undefined>;
  /** What the pane shows, with as many lines above it, and the cursor of the first byte that is not in the picture. */
  picture(host: string, place: PanePlace, journal: string, above: number): Promise<Picture>;
  /** Keys as a terminal sends them, escape sequences and all. */
  typeRaw(host: string, place: PanePlace, bytes: string): Promise<void>;
  /** When the journal had which length, per epoch, oldest first. */
  times(host: string, journal: string): Promise<readonly JournalTimes[]>;
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
  attachArgv(host: string, session: string): readonly string[];
  /** The folder that a program on the host starts in when none is named. */
  home(host: string): Promise<string>;
  hosts(): Promise<readonly HostInfo[]>;
  onNews(listener: (news: TerminalNews) => void): () => void;
  stop(): Promise<void>;
}

export interface Repository {
  readonly root: string;
  /** The branch that is checked out; absent with a detached HEAD. */
  readonly branch: string | undefined;
  /** Absent while the repository has no commit. */
  readonly head: string | undefined;
}

export interface MergeResult {
  readonly base: string;
  readonly commits: number;
  readonly head: string;
}

/** Branches and worktrees of a user's repository. */
export interface Worktrees {
  /** Throws `not_found` outside a repository. */
  repository(folder: string): Promise<Repository>;
  branchCommit(root: string, branch: string): Promise<string | undefined>;
  /** Makes branch and worktree; returns the commit it begins at. */
  create(task: TaskRecord): Promise<{ readonly baseCommit: string }>;
  exists(task: TaskRecord): Promise<boolean>;
  work(task: TaskRecord): Promise<WorkAmount | undefined>;
  merge(task: TaskRecord, base: string): Promise<MergeResult>;
  diff(task: TaskRecord, stat: boolean): Promise<string>;
  /** Keeps dirty files and unmerged commits under refs/paneward/rescue/; undefined when there is nothing to keep. */
  rescue(task: TaskRecord, now: number): Promise<Rescue | undefined>;
  remove(task: TaskRecord): Promise<void>;
  restore(task: TaskRecord, rescue: Rescue | undefined): Promise<void>;
  /** Copies files of the root that git ignores, and what include names; then runs the setup script. */
  bootstrap(
    task: TaskRecord,
    options: BootstrapOptions,
    onProgress: (stage: string, text: string) => void,
  ): Promise<{ readonly copied: readonly string[]; readonly ran?: string; readonly output: string }>;
}

export interface BootstrapOptions {
  readonly cmd?: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What can be seen of the machine the daemon runs on. */
export interface Machine {
  /** What a program prints; undefined when it cannot be run. */
  printed(program: string, args: readonly string[]): Promise<string | undefined>;
  /** The permission bits of a file or folder. */
  mode(path: string): Promise<number | undefined>;
  freeBytes(path: string): Promise<number>;
  /** The CPU time that a process and all below it have used, in milliseconds; undefined where that cannot be seen. */
  cpuTime(pid: number): number | undefined;
  /** Whether there is such a process. */
  runs(pid: number): boolean;
}

/** Small files of the daemon's own, such as a task's prompt. */
export interface Files {
  writePrivate(path: string, text: string): Promise<void>;
  /** The whole file at once: nobody sees half of it. Folders that are there keep their mode. */
  replacePrivate(path: string, text: string): Promise<void>;
  /** Undefined when there is no such file. */
  text(path: string): Promise<string | undefined>;
  /** The folders inside a folder. */
  folders(path: string): Promise<readonly { readonly path: string; readonly changedAt: number }[]>;
  remove(path: string): Promise<void>;
}

/** Files that programs write about themselves, one per process. */
export interface StateFiles {
  /** Tells a file's name and text whenever it changes, until stopped. A folder that is not there yet is waited for. */
  follow(
    folder: string,
    onChange: (name: string, text: string) => void,
  ): {
    /** Tells every file as it is now. */
    lookAgain(): Promise<void>;
    stop(): void;
  };
}
