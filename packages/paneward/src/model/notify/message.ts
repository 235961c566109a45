import type { NoticeKind, Question, TextLevel } from "@paneward/sdk";

/** A notice as one channel gets it: with no more text than the channel may have, and within its limits. */
export interface Message {
  /** Of the notice, and the same for as long as it lives: for tags, topics, sequence ids. Random; reveals nothing. */
  readonly tag: string;
  readonly kind: NoticeKind | "digest" | "test";
  readonly urgency: Urgency;
  readonly title: string;
  readonly body: string;
  readonly buttons: readonly Button[];
  /** A page of the dashboard, if the configuration says where a phone finds it. */
  readonly link?: string;
  /** The same page for a browser that is in the dashboard already, such as `#/question/q17`. */
  readonly page?: string;
  /** The question that it is about, for a channel that shows it by itself. */
  readonly asked?: { readonly question: Question; readonly name: string; readonly mayAnswer: boolean };
  /** Where `POST {"tap": …}` takes a button's capability, if the channel's reader can reach it. */
  readonly answerAt?: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** How it ended; it has no buttons then. */
  readonly over?: string;
}

/** `high` waits for a person and holds work up; `low` is only good to know. */
export type Urgency = "low" | "normal" | "high";

export interface Button {
  readonly label: string;
  /** The capability: gives this answer to this question, once. Its holder needs nothing else. */
  readonly tap: string;
}

/** What a kind of channel can do; the runtime makes messages that fit. */
export interface ChannelTraits {
  readonly kind: string;
  /** How much text leaves, unless the configuration says otherwise. */
  readonly text: TextLevel;
  readonly limits: {
    /** In characters. */
    readonly title: number;
    readonly body: number;
    readonly label: number;
    readonly buttons: number;
  };
  /** What it does with a notice that is over, or has changed. */
  readonly later: "nothing" | "withdraw" | "update";
  /** Sending the same tag again shows it once: an attempt whose outcome is unknown is repeated. */
  readonly idempotent: boolean;
  /** It gets the question itself, where it may have all of its text. */
  readonly showsQuestions?: boolean;
  /** Its buttons answer only the sender that showed them: after a restart they are shown again. */
  readonly bound?: boolean;
}

/** What became of one attempt. */
export type Outcome =
  /** `ref` is the service's own name for it, for a later change. */
  | { readonly kind: "sent"; readonly said: string; readonly ref?: string; readonly delivered?: boolean }
  /**
   * Nothing was sent, and trying again is no use. `gone`: the address will never work again. `nobody`: the channel works, and
   * nobody is there to see it.
   */
  | { readonly kind: "refused"; readonly said: string; readonly gone?: boolean; readonly nobody?: true }
  /** Nothing was sent; the next attempt may succeed. */
  | { readonly kind: "later"; readonly said: string; readonly afterMs?: number }
  /** It may have been sent. */
  | { readonly kind: "unknown"; readonly said: string };
