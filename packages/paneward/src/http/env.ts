import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Caller } from "../runtime/calls.ts";

/** What every request carries through the app: the way it came, and once it is known, who sent it. */
export interface HttpEnv {
  Bindings: Partial<HttpBindings> & { readonly via: Via };
  Variables: { caller: Caller; operation: string };
}

/** The listener that a request came in by; `inside` is another door of the daemon, which knows who calls. */
export type Via =
  | { readonly kind: "unix" }
  | { readonly kind: "tcp"; readonly port: number }
  | { readonly kind: "inside"; readonly caller: Caller };

export type HttpContext = Context<HttpEnv>;
