import { type Door, doors, PanewardError } from "@paneward/sdk";
import type { Logins } from "../../runtime/access/logins.ts";
import { hasHash, tokenId } from "../../runtime/access/tokens.ts";
import type { Caller } from "../../runtime/calls.ts";
import type { Log, Store, WallClock } from "../../runtime/ports.ts";
import type { Via } from "../env.ts";
import { cookieOf } from "./cookie.ts";

/** What is known of a request before its body is read. */
export interface RequestFacts {
  readonly via: Via;
  readonly header: (name: string) => string | undefined;
}

export type Authenticate = (request: RequestFacts) => Caller | PanewardError;

export interface AuthenticateOptions {
  readonly store: Pick<Store, "tokens" | "write">;
  readonly clock: WallClock;
  readonly log: Log;
  readonly uid: number;
  readonly logins: Logins;
}

/** The Unix socket is protected by its file mode; TCP needs a token or a login. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  return (request) => {
    const door = doorOf(request.header("x-paneward-door"));
    if (request.via.kind === "inside") return request.via.caller;
    if (request.via.kind === "unix") return { who: `uid:${options.uid}`, scope: "admin", door };
    const token = bearerToken(request.header("authorization"));
    if (token === undefined) return byCookie(options, request, request.via.port);
    const record = options.store.tokens().find(({ id }) => id === tokenId(token));
    // Compare for an unknown id too, so that the time does not reveal which ids exist.
    const isValid = hasHash(token, record?.hash ?? noHash);
    if (!record || !isValid) return new PanewardError("unauthorized", "this token is not known, or it was revoked");
    noteUse(options, record);
    return { who: `token:${record.id}`, scope: record.scope, door };
  };
}

// For a browser, other ports of this machine are the same site, and requests for images have no Origin.
function byCookie(
  { logins, log }: AuthenticateOptions,
  { header }: RequestFacts,
  port: number,
): Caller | PanewardError {
  const secret = cookieOf(header("cookie"), port);
  if (secret === undefined) return new PanewardError("unauthorized", "this needs a token");
  const site = header("sec-fetch-site") ?? "same-origin";
  const record = logins.find(secret);
  if (!record || !["same-origin", "none"].includes(site)) {
    return new PanewardError("unauthorized", "this browser is not logged in", {
      hint: "log in again: `paneward login link`",
    });
  }
  try {
    logins.used(record);
  } catch (error) {
    log.warn("the use of a login could not be stored", { login: record.id, message: (error as Error).message });
  }
  return { who: `login:${record.id}`, scope: record.scope, door: "web" };
}

/**
 * A page of another origin can make a browser send requests to loopback, even under a name of its own (DNS rebinding).
 * So the Host must be ours, and the Origin if there is one.
 */
export function foreignSite({ via, header }: RequestFacts): PanewardError | undefined {
  if (via.kind !== "tcp") return undefined;
  const ours = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${via.port}`);
  const host = header("host")?.toLowerCase() ?? "";
  if (!ours.includes(host)) return refused("Host", ours);
  const origin = header("origin")?.toLowerCase();
  if (origin !== undefined && !ours.some((name) => origin === `http://${name}`)) return refused("Origin", ours);
  return undefined;
}

type Token = ReturnType<Store["tokens"]>[number];

const noHash = "0".repeat(64);
const noteEveryMs = 60_000;

function noteUse({ store, clock, log }: AuthenticateOptions, record: Token): void {
  const now = clock.now();
  if (now - (record.lastUsedAt ?? 0) < noteEveryMs) return;
  try {
    store.write((writer) => writer.putToken({ ...record, lastUsedAt: now }));
  } catch (error) {
    log.warn("the use of a token could not be stored", { token: record.id, message: (error as Error).message });
  }
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

function doorOf(header: string | undefined): Door {
  return doors.find((door) => door === header) ?? "http";
}

function refused(header: string, ours: readonly string[]): PanewardError {
  return new PanewardError("not_allowed", `requests with this ${header} are refused`, {
    hint: `use ${ours.map((name) => `http://${name}`).join(" or ")}`,
  });
}
