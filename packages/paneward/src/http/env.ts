import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Caller } from "../runtime/calls.ts";
import type { OnOver } from "./unanswered.ts";

/** What every request carries through the app: its listener, and once authenticated, its caller. */
export interface HttpEnv {
  Bindings: Partial<HttpBindings> & { readonly via: Via; readonly onOver?: OnOver };
  Variables: {
    caller: Caller;
    operation: string;
    /** The address that the request was sent to; undefined on the Unix socket and for other doors. */
    site: Site | undefined;
  };
}

/** An address under which this daemon answers on TCP. Nothing that a request claims makes it another one. */
export interface Site {
  /** As a page names its origin. */
  readonly origin: string;
  readonly host: string;
  /** As in `location.protocol`: known from the configuration, as the daemon itself sees no TLS. */
  readonly protocol: string;
}

/** The listener of a request; `inside` is another door of the daemon, which has authenticated its caller. */
export type Via =
  | { readonly kind: "unix" }
  | {
      readonly kind: "tcp";
      readonly port: number;
      /** The caller is known: while it is, its connection makes no room for those of strangers. */
      readonly keep?: Keep;
      /** Whether a program of this user asks, as far as that can be seen. */
      readonly isOwn?: () => Promise<boolean>;
    }
  | { readonly kind: "inside"; readonly caller: Caller };

export type Keep = (who: string, isAllowed: () => boolean) => void;

export type HttpContext = Context<HttpEnv>;
