import type { ChannelTraits, Message, Outcome } from "../../model/notify/message.ts";
import type { Send } from "../../model/notify/notice.ts";

/** One attempt to send, change or withdraw one notice on one channel. */
export interface NoticeJob {
  /** Of this attempt; a name for files. */
  readonly id: string;
  /** The channel's name in the configuration. */
  readonly channel: string;
  readonly kind: string;
  readonly does: "send" | "update" | "withdraw";
  readonly message: Message;
  /** What the service named it, when it was sent. */
  readonly ref?: string;
  /** The keys of `[notify.channels.NAME]`; secrets may still be a `KEY_file` or `KEY_command`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** One of the channel's addresses, where it has several, such as a browser's push subscription. */
  readonly address?: unknown;
}

/** What is known of a job that an earlier daemon handed over. */
export type Fate =
  | { readonly kind: "done"; readonly outcome: Outcome }
  /** Its sending began, and how that ended was never recorded. */
  | { readonly kind: "begun" }
  | { readonly kind: "never_begun" };

/** What the sender tells by itself when the daemon is gone without having stopped, and does not come back. */
export interface Absence {
  /** Of the notice that it becomes. */
  readonly tag: string;
  readonly afterMs: number;
  /** When nothing is sent, and where that is so. */
  readonly quiet: readonly string[];
  readonly zone?: string;
  readonly sends: readonly { readonly to: string; readonly job: NoticeJob }[];
}

/** What an earlier sender told of the daemon's absence. Dates are those of the wall clock. */
export interface ToldAbsence {
  readonly tag: string;
  readonly at: number;
  readonly sends: readonly Send[];
}

/** A button was pressed. `reply` shows words where it was pressed, if the channel can. */
export interface Tap {
  readonly channel: string;
  readonly tap: string;
  readonly reply: (words: string) => void;
}

export interface NoticeListener {
  done(job: string, outcome: Outcome): void;
  tapped(tap: Tap): void;
  /** It had ended by itself, and runs again: `fate` says what it did before. */
  again(): void;
}

/** A channel that reports what was pressed, from the outside in. */
export interface ListeningChannel {
  readonly channel: string;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Sends notices in a process of its own, which outlives the daemon until it has done what it was given: each job is attempted
 * once, also when the daemon is killed.
 */
export interface NoticeSender {
  traits(kind: string): ChannelTraits | undefined;
  /** Starts it. Resolves when the one of an earlier daemon has ended; `fate` then says what it did. */
  begin(listener: NoticeListener): Promise<void>;
  fate(job: string): Promise<Fate>;
  hand(job: NoticeJob): void;
  /** What became of a job is stored: the sender may forget it. */
  forget(job: string): void;
  /** From now on, these channels report what is pressed. */
  listen(channels: readonly ListeningChannel[]): void;
  /** Why what is pressed on a channel cannot be heard now. */
  trouble(channel: string): string | undefined;
  /** From now on, it tells this if the daemon is gone; nothing, if the daemon is about to stop, or nobody is to be told. */
  expect(absence: Absence | undefined): void;
  /** What was told of an absence, until it is forgotten. */
  absence(): Promise<ToldAbsence | undefined>;
  forgetAbsence(): void;
  /** Takes no more jobs, and does not wait for those it has. */
  stop(): void;
}
