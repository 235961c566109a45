import type { Proposal, Question, QuestionOption } from "@paneward/sdk";
import type { Detail, Says } from "../model/attention/evidence.ts";

/** One witness's word. */
export interface Reading {
  readonly says: Says;
  readonly rule: string;
  readonly detail?: Detail;
}

/** A question as it stands on the screen or in a hook, before it is written down. */
export interface AskedNow {
  readonly kind: Question["kind"];
  readonly text: string;
  readonly options: readonly QuestionOption[];
  readonly freeText: boolean;
  readonly proposal?: Proposal;
  /** The lines that are the question, without what blinks or counts; hashed to know it again. Empty when a hook tells. */
  readonly region: string;
  /** `COLUMNSxLINE` for a program that prints line after line: the same words on another line are another question. */
  readonly at?: string;
  /** The agent's own id of it, where it can be answered without keys. */
  readonly request?: string;
}

export type HookPayload = Readonly<Record<string, unknown>>;
