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
  readonly proposal?: Proposal;
  /** The lines of the question, without what blinks or counts; hashed to recognise it. Empty when it comes from a hook. */
  readonly region: string;
  /** `COLUMNSxLINE` for a program that prints line by line: the same text on another line is another question. */
  readonly at?: string;
  /** The agent's own id of the question, where it can be answered without keys. */
  readonly request?: string;
}

export type HookPayload = Readonly<Record<string, unknown>>;
