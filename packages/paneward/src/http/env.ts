import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Caller } from "../runtime/runtime.ts";

/** What every request carries through the app: the way it came, and once it is known, who sent it. */
export interface HttpEnv {
  Bindings: HttpBindings & { readonly via: Via };
  Variables: { caller: Caller; operation: string };
}

/** The listener that a request came in by. */
export type Via = { readonly kind: "unix" } | { readonly kind: "tcp"; readonly port: number };

export type HttpContext = Context<HttpEnv>;
