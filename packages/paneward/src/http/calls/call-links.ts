import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type OperationName, PanewardError, routes } from "@paneward/sdk";
import type { Caller } from "../../runtime/calls.ts";
import type { Log } from "../../runtime/ports.ts";
import type { Admission, Admit } from "../access/admission.ts";
import type { RequestFacts } from "../access/authenticate.ts";
import { bodyLimit, type Limits, tooLarge } from "../access/limits.ts";
import type { Metrics } from "../access/metrics.ts";
import type { OpenConnections } from "../access/open-connections.ts";
import { type GiveBack, longText, reserveRoom, type Shares } from "../access/shares.ts";
import type { Sites } from "../access/sites.ts";
import type { TakeTurn } from "../access/turns.ts";
import type { Via } from "../env.ts";
import { failureOf, printable, statusFor } from "../operations/answer.ts";
import { badInput } from "../operations/body.ts";
import { parseInput } from "../operations/input.ts";
import { isQueued, type Perform, requireScope } from "../operations/perform.ts";
import { factsOf, refuse } from "../sockets/handshake.ts";
import { type Call, type CallAnswer, type CallLink, openCallLink } from "./call-link.ts";

/** What a client asks to upgrade its connection to. */
export const callsProtocol = "paneward-calls";

const callsPath = "/api/calls";

export interface CallLinksOptions {
  readonly admit: Admit;
  readonly sites: Sites;
  readonly perform: Perform;
  readonly limits: Limits;
  readonly shares: Shares;
  readonly metrics: Pick<Metrics, "request">;
  readonly connections: OpenConnections;
  /** Whether the caller that opened a link would be admitted now. */
  readonly isAllowed: (facts: RequestFacts) => boolean;
  readonly version: string;
  readonly log: Log;
  readonly takeTurn: TakeTurn;
}

export interface CallLinks {
  handle(via: Via, request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Numbers for /metrics. */
  gauges(): Readonly<Record<string, number>>;
  close(): void;
}

/** Connections on which operations are called by name, any number at once; each call is admitted like a request. */
export function createCallLinks(options: CallLinksOptions): CallLinks {
  const { admit, sites, limits, shares, connections, isAllowed, version } = options;
  const open = new Set<CallLink>();
  return {
    handle(via, request, socket, head) {
      // A client that disconnects during the handshake is not an error.
      socket.on("error", () => {});
      const facts = factsOf(request, via);
      const foreign = sites.refusalOf(facts);
      if (foreign) return refuse(socket, foreign);
      const { caller, refused } = admit(facts);
      if (!caller) return refuse(socket, refused);
      const elsewhere = wrongPath(request);
      if (elsewhere) return refuse(socket, elsewhere);
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${callsProtocol}\r\nx-paneward-version: ${version}\r\n\r\n`,
      );
      const takeLongLine = () => (via.kind === "tcp" ? shares.longBody(caller.who) : () => {});
      const link = openCallLink(socket, (call, signal) => answer(options, facts, call, signal), takeLongLine, limits);
      const remove = connections.add({ isAllowed: () => isAllowed(facts), end: link.cut });
      open.add(link);
      socket.on("close", () => {
        open.delete(link);
        remove();
      });
      if (head.length > 0) socket.unshift(head);
    },
    gauges: () => ({ call_links: open.size }),
    close() {
      for (const link of open) link.end();
    },
  };
}

async function answer(
  options: CallLinksOptions,
  facts: RequestFacts,
  call: Call,
  signal: AbortSignal,
): Promise<CallAnswer> {
  const began = performance.now();
  const { status, ...answered } = await performCall(options, facts, call, signal);
  options.metrics.request(isOperation(call.name) ? call.name : "none", status, (performance.now() - began) / 1_000);
  return answered;
}

async function performCall(
  { admit, perform, limits, shares, log, takeTurn }: CallLinksOptions,
  facts: RequestFacts,
  { name, input, bytes }: Call,
  signal: AbortSignal,
): Promise<CallAnswer & { readonly status: number }> {
  const route = isOperation(name) ? routes[name] : { method: "call", path: name };
  const taken: GiveBack[] = [];
  const over = () => {
    for (const giveBack of taken) giveBack();
  };
  try {
    const caller = callerIn(admit(facts));
    const isShared = facts.via.kind === "tcp";
    if (isShared) taken.push(shares.request(caller.who));
    await takeTurn(facts);
    if (signal.aborted) throw cancelled();
    if (!isOperation(name)) throw noSuchOperation(name);
    requireScope(caller, name);
    const maxBytes = bodyLimit(limits, name);
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    const parsed = parseInput(name, objectIn(input));
    const room = isShared ? reserveRoom(shares, caller.who, name, parsed) : undefined;
    if (room) taken.push(room);
    const output = await perform(name, parsed, { ...caller, signal });
    const json = JSON.stringify({ output });
    if (json.length <= longText) room?.();
    else if (isShared && !room) taken.push(shares.longAnswer(caller.who));
    return { json, over, status: isQueued(name, output) ? 202 : 200 };
  } catch (error) {
    const failure = failureOf(route, error, log);
    return { json: JSON.stringify(failure.toBody()), over, status: statusFor(route, failure) };
  }
}

function callerIn(admitted: Admission): Caller {
  if (admitted.caller) return admitted.caller;
  throw admitted.refused;
}

function cancelled(): PanewardError {
  return new PanewardError("unavailable", "the call was cancelled before it began; nothing was done");
}

function wrongPath({ url = "/" }: IncomingMessage): PanewardError | undefined {
  if (url === callsPath) return undefined;
  return new PanewardError("not_found", "there is no call link at this address", {
    hint: `ask for the upgrade at ${callsPath}`,
  });
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(routes, name);
}

function noSuchOperation(name: string): PanewardError {
  return new PanewardError("not_found", printable(`there is no operation ${name}`, 200), {
    hint: "GET /api/openapi.json lists every operation",
  });
}

function objectIn(input: unknown): object {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  throw badInput("the input must be an object");
}
