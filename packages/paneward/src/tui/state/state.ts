import type { Question, Scope } from "@paneward/sdk";
import { type Arrangement, emptyView, plainArrangement, type Row, type View } from "@paneward/sdk/view";
import type { Line } from "./line-editor.ts";

/** The whole state of the interface. Drawn by `draw`; changed only by input and by the daemon. */
export interface State {
  readonly view: View;
  readonly arrangement: Arrangement;
  /** The key of the selected row. */
  readonly selected: string | undefined;
  /** The last known table line of that row. */
  readonly at: number;
  /** The first visible line of the table. */
  readonly top: number;
  readonly mode: Mode;
  readonly log: readonly LogLine[];
  readonly logShown: boolean;
  readonly logRows: number;
  /** The list takes the whole width; the screen is hidden. */
  readonly isListAlone: boolean;
  readonly access: Access;
  readonly live: Live | undefined;
  readonly message: Message | undefined;
  readonly size: Size;
  readonly now: number;
}

/** What the interface may do: the token's scope, and whether the daemon is on this machine. */
export interface Access {
  /** The daemon's URL; undefined when connected by its socket. */
  readonly address: string | undefined;
  /** Undefined until the daemon has answered. */
  readonly scope: Scope | undefined;
  readonly isHere: boolean;
}

/** The socket gives full access. */
export const localAccess: Access = { address: undefined, scope: "admin", isHere: true };

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Message {
  readonly text: string;
  readonly isFailure: boolean;
}

/** One line of the command log. */
export interface LogLine {
  readonly at: number;
  readonly text: string;
  readonly isFailure: boolean;
}

/** The last known screen of the selected terminal. */
export interface Live {
  readonly terminal: string;
  readonly lines: readonly string[];
}

/** Decides what keys mean. */
export type Mode =
  | { readonly kind: "list" }
  | { readonly kind: "filter"; readonly line: Line }
  | {
      readonly kind: "write";
      readonly purpose: Purpose;
      /** The target's id, or the folder of a new task; empty for the folder that the interface was started in. */
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
      /** The numbers of the ticked options, in a multiple choice. */
      readonly ticked: readonly number[];
      /** How far the question is scrolled. */
      readonly top: number;
      readonly line: Line;
      /** The lines of the question that were on the screen so far. */
      readonly shown: ReadonlySet<string>;
      /** The answer would allow what is not proved whole, and a person is asked whether all of it was read. */
      readonly asksRead?: boolean;
    }
  | Pages;

export type Purpose = "new" | "new-and-start" | "send" | "command";

/** The pager: a journal, a diff or the help. */
export interface Pages {
  readonly kind: "pages";
  readonly of: "journal" | "diff" | "help";
  readonly title: string;
  readonly lines: readonly string[];
  readonly top: number;
  /** The search text; `isTyped` while it is being typed. */
  readonly search: Line | undefined;
  readonly isTyped: boolean;
}

export const listMode: Mode = { kind: "list" };

export function firstState(size: Size, now: number, access = localAccess): State {
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
    access,
    live: undefined,
    message: undefined,
    size,
    now,
  };
}

/** The id to call operations with. */
export function idOf(row: Row): string {
  return row.kind === "agent" ? (row.terminal ?? row.id) : row.id;
}

/** Whether its program is running. */
export function isAlive({ status }: Row): boolean {
  return status === "Running" || status === "Idle" || status === "Waiting";
}
