import type { Proposal, Question, QuestionOption } from "@paneward/sdk";
import type { Detail, Says } from "../model/attention/evidence.ts";

/** What one witness says. */
export interface Reading {
  readonly says: Says;
  readonly rule: string;
  readonly detail?: Detail;
}

/** A question as a screen or a hook shows it, before it is stored. */
export interface ShownQuestion {
  readonly kind: Question["kind"];
  readonly text: string;
  readonly options: readonly QuestionOption[];
  readonly freeText: boolean;
  /** Only printed, by a program that is not a known agent: any output can ask so. */
  readonly unverified?: boolean;
  readonly proposal?: Proposal;
  /** Whether the proposal is proved to be all that would be done, and by what; absent when nothing is to be approved. */
  readonly whole?: Question["whole"];
  readonly proof?: Question["proof"];
  /** Why it is not, for people. */
  readonly doubt?: Question["doubt"];
  /** The command, or what a tool is given, row by row as it is drawn: behind what, and how wide a row may be. */
  readonly rows?: { readonly lines: readonly string[]; readonly width: number; readonly lead?: string };
  /** Which end of the command the screen does not show, or may not. */
  readonly cut?: "begin" | "end";
  /** What the agent itself reported, where its screen shows something else. */
  readonly reported?: Question["reported"];
  /** The lines of the question, without what blinks or counts; hashed to recognise it. Empty when it comes from a hook. */
  readonly region: string;
  /**
   * The same lines as they are drawn, without a pointer that arrows move: at one width, two dialogs that differ in a blank
   * are two dialogs. Absent for a program that prints line by line.
   */
  readonly drawn?: { readonly columns: number; readonly text: string };
  /** `COLUMNSxLINE` for a program that prints line by line: the same text on another line is another question. */
  readonly at?: string;
  /** The agent's own id of the question, where it can be answered without keys. */
  readonly request?: string;
}

export type HookPayload = Readonly<Record<string, unknown>>;
