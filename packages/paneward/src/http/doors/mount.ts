import type { Door, Scope } from "@paneward/sdk";
import type { Hono } from "hono";
import type { Caller } from "../../runtime/calls.ts";
import type { HttpContext, HttpEnv } from "../env.ts";
import type { InsideCall } from "../operations/inside-call.ts";

/** A door with another protocol, at a path of its own. */
export interface Mount {
  readonly path: `/${string}`;
  readonly door: Door;
  readonly answer: (request: Request, caller: DoorCaller) => Promise<Response>;
}

/** The caller of a door, already admitted, with the same rights as everywhere. */
export interface DoorCaller {
  readonly who: string;
  readonly scope: Scope;
  /** Sends a request to this app as this caller: with the usual scopes, parsing and audit. */
  readonly ask: (request: Request) => Promise<Response>;
  /** Calls an operation as the visitor, with an input that the door has parsed. */
  readonly call: InsideCall;
  /** Ends the connection of a client that does not read its answer. */
  readonly cut: () => void;
  /** Calls back as soon as the caller's token or login is revoked. Returns a function that ends this. */
  readonly onRevoked: (end: () => void) => () => void;
}

export function mountRoute(
  { door, answer }: Mount,
  hono: Hono<HttpEnv>,
  callsOf: (caller: Caller) => InsideCall,
  onRevokedOf: (c: HttpContext) => DoorCaller["onRevoked"],
): (c: HttpContext) => Promise<Response> {
  return (c) => {
    const caller = { ...c.get("caller"), door };
    const { who, scope } = caller;
    const ask = async (request: Request) => hono.fetch(request, { via: { kind: "inside", caller } });
    const cut = () => c.env.outgoing?.destroy();
    return answer(c.req.raw, { who, scope, ask, cut, call: callsOf(caller), onRevoked: onRevokedOf(c) });
  };
}
