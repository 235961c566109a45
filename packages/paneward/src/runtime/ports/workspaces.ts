import type { End } from "@paneward/sdk";
import type { PanePlace } from "../../model/records.ts";

/** Where a language model works: one tmux session whose windows and panes keep their addresses. */
export interface Workspaces {
  /** The hosts that may have one. */
  hosts(): readonly string[];
  /** The session as it is; undefined when there is none. */
  find(spec: WorkspaceSpec): Promise<Workspace | undefined>;
  /** The session, made when it is missing. */
  open(spec: WorkspaceSpec, first?: FirstPane): Promise<Workspace>;
  /** The same, and its pane 0.0, made again when that is missing. */
  openWithFirst(spec: WorkspaceSpec): Promise<Workspace>;
  openWindow(spec: WorkspaceSpec, as: NewPane & { readonly name?: string }): Promise<WorkspacePane>;
  /** Splits the window's active pane; undefined when there is no such window. */
  split(spec: WorkspaceSpec, window: number, as: NewPane & Direction): Promise<WorkspacePane | undefined>;
  killPane(spec: WorkspaceSpec, pane: WorkspacePane): Promise<void>;
  killWindow(spec: WorkspaceSpec, window: WorkspaceWindow): Promise<void>;
  /** Starts a new shell in a pane whose shell has ended. */
  revive(spec: WorkspaceSpec, pane: WorkspacePane): Promise<PanePlace>;
  /** Notes at the pane, in tmux, which command begins now: what its journal gets from here on is the command's output. */
  noteCommand(spec: WorkspaceSpec, pane: WorkspacePane, command: string, at: string): Promise<void>;
  /** The last lines of what the pane shows and has scrolled away. */
  lines(spec: WorkspaceSpec, pane: WorkspacePane, maxLines: number): Promise<Lines>;
  /** The command line in the foreground of each pane, or the shell's name; by address. */
  running(spec: WorkspaceSpec, panes: readonly WorkspacePane[]): Promise<ReadonlyMap<string, Running>>;
  synchronize(spec: WorkspaceSpec, window: WorkspaceWindow, on: boolean): Promise<void>;
  arrange(spec: WorkspaceSpec, window: WorkspaceWindow, layout: string): Promise<void>;
  /** What was noted at the pane, in tmux, when a command was typed. */
  noted(spec: WorkspaceSpec, pane: WorkspacePane, name: Note): Promise<string | undefined>;
  /** When the pane's journal had which length: offset and milliseconds, oldest first. */
  times(spec: WorkspaceSpec, pane: WorkspacePane, epoch: string): Promise<readonly (readonly [number, number])[]>;
}

export interface WorkspaceSpec {
  readonly host: string;
  readonly session: string;
  readonly historyLimit: number;
  /** Pause between a text and Enter. */
  readonly enterDelayMs: number;
}

export interface Workspace {
  readonly session: string;
  /** In the order of their numbers. */
  readonly windows: readonly WorkspaceWindow[];
}

export interface WorkspaceWindow {
  readonly number: number;
  /** tmux's own id. */
  readonly window: string;
  readonly name: string;
  readonly active: boolean;
  readonly synchronized: boolean;
  readonly layout: string;
  readonly panes: readonly WorkspacePane[];
}

export interface WorkspacePane {
  /** `window.pane`; belongs to this pane for ever. */
  readonly address: string;
  readonly place: PanePlace;
  /** Its place in the window's layout, which changes when neighbours come and go. */
  readonly index: number;
  readonly title: string;
  readonly cwd: string;
  readonly active: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly journal: string;
  readonly createdAt: string;
  /** Set when the pane's shell has ended. */
  readonly end: End | undefined;
}

export interface NewPane {
  readonly title?: string;
  readonly cwd?: string;
  /** The address that a snapshot remembers; the next free one if it is not given or was taken. */
  readonly address?: string;
  /** The address although it was used before; no pane may have it now. */
  readonly again?: boolean;
}

export interface FirstPane extends NewPane {
  readonly name?: string;
}

export interface Direction {
  readonly direction: "horizontal" | "vertical";
}

export interface Lines {
  readonly lines: readonly string[];
  /** Older lines exist. */
  readonly truncated: boolean;
}

export interface Running {
  readonly command: string;
  /** The shell waits for a command. */
  readonly idle: boolean;
}

/** What is remembered at a pane: its last command, when it was sent, and where the journal ended just before. */
export type Note = "command" | "command_at" | "command_cursor";

/** What must outlive panes and daemons: how far each caller has read, and what was kept by name. */
export interface WorkspaceStore {
  position(journal: string, caller: string): string | undefined;
  putPosition(journal: string, caller: string, cursor: string): void;
  forgetPositions(journal: string): void;
  kept<Kept>(kind: KeptKind, place: string, name: string): Kept | undefined;
  keptNames(kind: KeptKind, place: string): readonly string[];
  keep(kind: KeptKind, place: string, name: string, record: object): void;
  drop(kind: KeptKind, place: string, name: string): void;
}

export type KeptKind = "layout" | "snapshot" | "recording";
