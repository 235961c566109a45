import type { ChannelTraits, Message, Outcome } from "../model/notify/message.ts";

/**
 * A kind of channel: data, and functions that make one attempt each. They run in the sender's process, never in the daemon. One
 * file each in channels/, listed in channels.ts; its keys in the configuration are in the sdk's notice-channels.ts.
 */
export interface ChannelKind {
  readonly traits: ChannelTraits;
  send(message: Message, to: Target, tools: Tools): Promise<Outcome>;
  /** The notice is over or has changed; for channels whose `traits.later` says so. */
  change?(
    change: "update" | "withdraw",
    message: Message,
    to: Target & { readonly ref: string },
    tools: Tools,
  ): Promise<Outcome>;
  /** Reports buttons until it is stopped, and whether it can. */
  listen?(to: Target, tapped: Tapped, tools: Tools, signal: AbortSignal, heard: Heard): Promise<void>;
}

export interface Target {
  /** The channel's keys. Secrets are resolved: `KEY` holds the secret itself, wherever it came from. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** One of several addresses, such as a browser's push subscription. */
  readonly address?: unknown;
}

/** Why buttons cannot be heard now; undefined when they can. */
export type Heard = (trouble: string | undefined) => void;

/** The answer's words are to be shown where the button was pressed. */
export type Tapped = (tap: string) => Promise<string>;

/** Whether a text that came from outside may be one. */
export function isCapability(text: string): boolean {
  return /^[\w-]{20,64}$/.test(text);
}

export interface Tools {
  /** One request; resolves with what came back, however bad. */
  fetch(url: string, request: OutgoingRequest): Promise<Answered>;
  /** Runs a program without a shell. */
  run(argv: readonly string[], options: { readonly input?: string; readonly limitMs: number }): Promise<Ran>;
  /** Writes to a terminal, if it takes that at once. */
  show(tty: string, text: string): void;
  /** The variables of the daemon's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The socket of Paneward's own tmux server. */
  readonly tmuxSocket: string;
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Gets the text of a good answer as it arrives: some services keep a request open and say more later. */
  readonly arriving?: (piece: string) => void;
}

export type Answered =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly text: string;
      readonly header: (name: string) => string | undefined;
    }
  /** There can be no such request: an address or a secret is wrong. */
  | { readonly kind: "unusable"; readonly reason: string }
  /** No byte of the request can have arrived. */
  | { readonly kind: "unreached"; readonly reason: string }
  /** It may have arrived. `status`: it has, and the rest of the answer is missing. */
  | { readonly kind: "lost"; readonly reason: string; readonly status?: number };

export type Ran =
  | { readonly kind: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: "missing"; readonly reason: string }
  | { readonly kind: "silent" };
