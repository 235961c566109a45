import { type Door, doors, PanewardError } from "@paneward/sdk";
import type { Logins } from "../../runtime/access/logins.ts";
import { isSession, loginHint, type Sessions } from "../../runtime/access/sessions.ts";
import { hasHash, tokenId } from "../../runtime/access/tokens.ts";
import type { Caller } from "../../runtime/calls.ts";
import type { Log, Store, WallClock } from "../../runtime/ports.ts";
import type { Via } from "../env.ts";
import { addressOf } from "./address.ts";

/** What is known of a request before its body is read. */
export interface RequestFacts {
  readonly via: Via;
  readonly header: (name: string) => string | undefined;
}

export type Authenticate = (request: RequestFacts) => Caller | PanewardError;

export interface AuthenticateOptions {
  readonly store: Pick<Store, "tokens" | "keep">;
  readonly clock: WallClock;
  readonly log: Log;
  readonly uid: number;
  readonly logins: Logins;
  readonly sessions: Sessions;
}

/** The Unix socket is protected by its file mode; TCP needs a token or the session of a logged-in browser. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const identify = createIdentify(options);
  return (request) => {
    const caller = identify(request);
    if (request.via.kind === "tcp" && !(caller instanceof PanewardError)) {
      request.via.keep?.(caller.who, () => !(identify(request) instanceof PanewardError));
    }
    return caller;
  };
}

function createIdentify(options: AuthenticateOptions): Authenticate {
  return (request) => {
    const door = doorOf(request.header("x-paneward-door"));
    if (request.via.kind === "inside") return request.via.caller;
    if (request.via.kind === "unix") return { who: `uid:${options.uid}`, scope: "admin", door };
    const token = bearerToken(request.header("authorization")) ?? offeredToken(request.header(protocolHeader));
    if (token === undefined) return new PanewardError("unauthorized", "this needs a token");
    if (isSession(token)) return bySession(options, token, request);
    const record = options.store.tokens().find(({ id }) => id === tokenId(token));
    // Compare for an unknown id too, so that the time does not reveal which ids exist.
    const isValid = hasHash(token, record?.hash ?? noHash);
    if (!record || !isValid) return new PanewardError("unauthorized", "this token is not known, or it was revoked");
    noteUse(options, record);
    return { who: `token:${record.id}`, scope: record.scope, door };
  };
}

function bySession(
  { logins, sessions, log }: AuthenticateOptions,
  session: string,
  request: RequestFacts,
): Caller | PanewardError {
  const record = logins.find(sessions.loginOf(session, request.header("host")?.toLowerCase() ?? "") ?? "");
  if (!record) return new PanewardError("unauthorized", "this browser is not logged in", { hint: loginHint });
  try {
    logins.used(record, addressOf(request));
  } catch (error) {
    log.warn("the use of a login could not be stored", { login: record.id, message: (error as Error).message });
  }
  return { who: `login:${record.id}`, device: record.name, scope: record.scope, door: "web" };
}

type Token = ReturnType<Store["tokens"]>[number];

const noHash = "0".repeat(64);
const noteEveryMs = 60_000;

function noteUse({ store, clock, log }: AuthenticateOptions, record: Token): void {
  const now = clock.now();
  if (now - (record.lastUsedAt ?? 0) < noteEveryMs) return;
  try {
    store.keep((writer) => writer.putToken({ ...record, lastUsedAt: now }));
  } catch (error) {
    log.warn("the use of a token could not be stored", { token: record.id, message: (error as Error).message });
  }
}

/** A page cannot set headers of a WebSocket; it offers the session beside the protocol that it speaks. */
export const socketProtocol = "paneward.v1";
const protocolHeader = "sec-websocket-protocol";

function offeredToken(protocols: string | undefined): string | undefined {
  const offered = (protocols ?? "").split(",").map((name) => name.trim());
  return offered.find((name) => name.startsWith("bearer."))?.slice("bearer.".length);
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

function doorOf(header: string | undefined): Door {
  return doors.find((door) => door === header) ?? "http";
}
