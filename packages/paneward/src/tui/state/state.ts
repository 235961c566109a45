import type { Question, Scope } from "@paneward/sdk";
import { type Arrangement, emptyView, plainArrangement, type Row, type View } from "@paneward/sdk/view";
import type { Line } from "./line-editor.ts";

/** All that the interface knows. Drawn by `draw`, changed by keys, by the daemon and by nothing else. */
export interface State {
  readonly view: View;
  readonly arrangement: Arrangement;
  /** The key of the row that the cursor is on. */
  readonly selected: string | undefined;
  /** The line of the table where that row was seen last. */
  readonly at: number;
  /** The first line of the table that is shown. */
  readonly top: number;
  readonly mode: Mode;
  readonly log: readonly LogLine[];
  readonly logShown: boolean;
  readonly logRows: number;
  /** The list has the whole width, and the screen is not shown. */
  readonly isListAlone: boolean;
  readonly reach: Reach;
  readonly live: Live | undefined;
  readonly message: Message | undefined;
  readonly size: Size;
  readonly now: number;
}

/** How far this interface reaches: what the daemon lets it do, and whether the daemon's programs are on this machine. */
export interface Reach {
  /** Absent for HTTP: the daemon is reached by its socket. */
  readonly address: string | undefined;
  /** Absent until the daemon said so. */
  readonly scope: Scope | undefined;
  readonly isHere: boolean;
}

/** By the socket everything can be done. */
export const ownReach: Reach = { address: undefined, scope: "admin", isHere: true };

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Message {
  readonly text: string;
  readonly isFailure: boolean;
}

/** One line of the command log: what was asked, and what came of it. */
export interface LogLine {
  readonly at: number;
  readonly text: string;
  readonly isFailure: boolean;
}

/** The screen of the selected terminal, as the daemon showed it last. */
export interface Live {
  readonly terminal: string;
  readonly lines: readonly string[];
}

/** What keys mean now. */
export type Mode =
  | { readonly kind: "list" }
  | { readonly kind: "filter"; readonly line: Line }
  | {
      readonly kind: "write";
      readonly purpose: Purpose;
      /** Who it is for; empty for a new task in the folder that the interface was started in. */
      readonly id: string;
      readonly title: string;
      readonly line: Line;
    }
  | { readonly kind: "confirm"; readonly question: string; readonly id: string }
  | {
      readonly kind: "answer";
      readonly row: string;
      readonly question: Question;
      readonly at: number;
      /** The numbers of the options that are ticked, where several can be chosen. */
      readonly ticked: readonly number[];
      /** How far what is asked is scrolled, where it is longer than its room. */
      readonly top: number;
      readonly line: Line;
    }
  | Pages;

export type Purpose = "new" | "new-and-start" | "send";

/** Long text to look through: a journal, a diff, the help. */
export interface Pages {
  readonly kind: "pages";
  readonly of: "journal" | "diff" | "help";
  readonly title: string;
  readonly lines: readonly string[];
  readonly top: number;
  /** What is searched for; `isTyped` while it is being written. */
  readonly search: Line | undefined;
  readonly isTyped: boolean;
}

export const listMode: Mode = { kind: "list" };

export function firstState(size: Size, now: number, reach = ownReach): State {
  return {
    view: emptyView,
    arrangement: plainArrangement,
    selected: undefined,
    at: 0,
    top: 0,
    mode: listMode,
    log: [],
    logShown: true,
    logRows: 4,
    isListAlone: false,
    reach,
    live: undefined,
    message: undefined,
    size,
    now,
  };
}

/** What an operation is called with: the daemon says which row an id means. */
export function idOf(row: Row): string {
  return row.kind === "agent" ? (row.terminal ?? row.id) : row.id;
}

/** Whether its program runs. */
export function isAlive({ status }: Row): boolean {
  return status === "Running" || status === "Idle" || status === "Waiting";
}
