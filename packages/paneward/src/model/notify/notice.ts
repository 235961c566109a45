import type { NoticeKind } from "@paneward/sdk";

/** Something that happened, or that is still so, and that a person may need to know. */
export interface Fact {
  /** What it is about, such as `question q17`: as long as it lasts, it is not reported twice. */
  readonly key: string;
  readonly kind: NoticeKind;
  readonly subject: Subject;
  /** The id of the question that it is. */
  readonly question?: string;
  /** Channels that need no notice of it, because an earlier one there shows it. */
  readonly shownBy?: readonly string[];
  /** What happened, in a few words without any content, such as `failed with code 3`. */
  readonly words: string;
}

export interface Subject {
  readonly task?: number;
  readonly terminal?: string;
  /** How people know it: a task's slug, a terminal's name, a host. */
  readonly name: string;
  /** How notices call it, if its name may hold something that must not leave. */
  readonly shown?: string;
  /** The repository's folder. */
  readonly project?: string;
  readonly agent?: string;
}

/** A fact on its way to a person. Times are monotonic; see runtime/steady-time.ts. */
export interface NoticeRecord {
  readonly id: string;
  /** A random name for services outside, the same for the notice's whole life. */
  readonly tag: string;
  readonly fact: Fact;
  /** When it began. */
  readonly at: number;
  readonly state: "waiting" | "told" | "over";
  /** Why it is sent, not yet sent, or was never sent. */
  readonly why: string;
  readonly toldAt?: number;
  readonly escalatedAt?: number;
  readonly overAt?: number;
  /** It ended because a person answered. */
  readonly answered?: boolean;
  /** The notice that told this one together with others. */
  readonly digest?: string;
  /** What a digest tells. */
  readonly members?: readonly string[];
  readonly sends: readonly Send[];
}

/** A notice on one channel, and on one address of it. */
export interface Send {
  /** The channel's name, followed by `/` and the address where it has several. */
  readonly to: string;
  readonly kind: string;
  readonly state: SendState;
  readonly attempts: number;
  /** When it came into this state. */
  readonly at: number;
  readonly reason?: string;
  /** When a queued one is tried again; absent: at once. */
  readonly nextAt?: number;
  /** It is queued again, and may be shown somewhere nevertheless. */
  readonly perhaps?: true;
  /** It failed because nobody was there to see it; the channel works. */
  readonly nobody?: true;
  /** What the service named it. */
  readonly ref?: string;
  /** What is to be done with one that was sent: it is over, or has changed. */
  readonly change?: Change;
  /** How many changes were on their way so far. */
  readonly changes?: number;
  /** The answers that its buttons give. */
  readonly taps?: readonly TapRecord[];
  /** A fingerprint of its channel's settings at the last attempt. */
  readonly settings?: string;
  /** How often it began anew because these were changed. */
  readonly anew?: number;
  /** It was told because nobody had answered on the channels before. */
  readonly escalated?: true;
}

/**
 * `handed`: the sender has it, so it may have been sent. `unknown`: it may have been sent, and will not be repeated. `withdrawn`:
 * it was over before it was sent, or it was sent and taken back.
 */
export type SendState = "queued" | "handed" | "sent" | "delivered" | "failed" | "unknown" | "withdrawn";

export interface Change {
  readonly does: "update" | "withdraw";
  readonly state: "queued" | "handed";
  readonly attempts: number;
  readonly nextAt?: number;
  /** What the notice says above its text, such as why a press of a button answered nothing. */
  readonly note?: string;
  /** What became necessary while it is on its way, and its note. */
  readonly next?: Change["does"];
  readonly nextNote?: string;
}

/** The right to give one answer to one question, once. The capability itself is only in the message. */
export interface TapRecord {
  readonly hash: string;
  readonly question: string;
  /** Of all that the person was shown of the question. */
  readonly shown: string;
  readonly option: number;
  readonly endsAt: number;
  /** One of the notice's buttons was pressed: none of them answers any more. */
  readonly used?: true;
}

/** The notice of `paneward notify test`: it holds up no other. */
export const testKey = "test";

export function isSent({ state }: Pick<Send, "state">): boolean {
  return state === "sent" || state === "delivered";
}

/** Whether something is still to be done or expected for it. */
export function isUnfinished({ state, change }: Send): boolean {
  return state === "queued" || state === "handed" || change !== undefined;
}

/** One that is on its way is not overtaken: the next change follows it. A note that nobody has seen yet is kept. */
export function withChange(send: Send, does: Change["does"], note?: string): Send {
  const { change } = send;
  if (change?.state === "handed") return { ...send, change: { ...change, next: does, ...noted("nextNote", note) } };
  return { ...send, change: { does, state: "queued", attempts: 0, ...noted("note", note ?? change?.note) } };
}

function noted<Key extends string>(key: Key, note: string | undefined): { readonly [key in Key]?: string } {
  return note === undefined ? {} : ({ [key]: note } as { readonly [key in Key]: string });
}

/** The same notice with one of its sends replaced. */
export function withSend(notice: NoticeRecord, send: Send): NoticeRecord {
  return { ...notice, sends: notice.sends.map((one) => (one.to === send.to ? send : one)) };
}
