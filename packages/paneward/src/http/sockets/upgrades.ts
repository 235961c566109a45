import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { allows, PanewardError } from "@paneward/sdk";
import { WebSocketServer } from "ws";
import type { Caller } from "../../runtime/calls.ts";
import type { Log } from "../../runtime/ports.ts";
import { type Authenticate, foreignSite, type RequestFacts } from "../access/authenticate.ts";
import type { OpenConnections } from "../access/open-connections.ts";
import type { Via } from "../env.ts";
import { type ClientSocket, clientSocket } from "./client-socket.ts";
import { factsOf, refuse } from "./handshake.ts";

/** A WebSocket's address, and what is done with it. `open` ends when the conversation does. */
export interface SocketRoute {
  readonly path: RegExp;
  readonly open: (socket: ClientSocket, visit: Visit) => Promise<void>;
}

export interface Visit {
  /** What the groups of the path caught. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** Who it is, asked anew: a login may have been revoked since. */
  readonly caller: () => Caller;
}

export interface UpgradesOptions {
  readonly authenticate: Authenticate;
  readonly routes: readonly SocketRoute[];
  readonly heartbeatMs: number;
  readonly visits: OpenConnections;
  readonly log: Log;
}

export interface Upgrades {
  handle(via: Via, request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Numbers for /metrics. */
  gauges(): Readonly<Record<string, number>>;
  close(): void;
}

/** WebSockets, admitted by the same rules as requests. */
export function createUpgrades({ authenticate, routes, heartbeatMs, visits, log }: UpgradesOptions): Upgrades {
  const server = new WebSocketServer({ noServer: true, maxPayload: 262_144, perMessageDeflate: false });
  const open = new Set<ClientSocket>();
  return {
    handle(via, request, socket, head) {
      // Whoever leaves during the handshake makes an error that is nobody's business.
      socket.on("error", () => {});
      const facts = factsOf(request, via);
      const admitted = admit(facts, authenticate);
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const route = routes.find(({ path }) => path.test(pathname));
      if (admitted) return refuse(socket, admitted);
      if (!route) return refuse(socket, new PanewardError("not_found", "there is no WebSocket at this address"));
      const caller = () => {
        const found = authenticate(facts);
        if (found instanceof PanewardError) throw found;
        return found;
      };
      server.handleUpgrade(request, socket, head, (accepted) => {
        const isAllowed = () => !(authenticate(facts) instanceof PanewardError);
        const client = clientSocket(accepted, heartbeatMs, isAllowed);
        const left = visits.begin({ isAllowed, end: () => client.close(4_401, "not logged in any more") });
        open.add(client);
        client.signal.addEventListener("abort", () => {
          open.delete(client);
          left();
        });
        const parts = (route.path.exec(pathname) ?? []).slice(1).map(decoded);
        route.open(client, { parts, query: searchParams, caller }).then(
          () => client.close(1_000, "that is all"),
          (error: unknown) => sayWhy(client, error, log),
        );
      });
    },
    gauges: () => ({
      websocket_clients: open.size,
      websocket_unsent_bytes: [...open].reduce((sum, client) => sum + client.unsent(), 0),
    }),
    close() {
      for (const client of open) client.close(1_001, "the daemon is stopping");
    },
  };
}

function admit(facts: RequestFacts, authenticate: Authenticate): PanewardError | undefined {
  const foreign = foreignSite(facts);
  if (foreign) return foreign;
  const caller = authenticate(facts);
  if (caller instanceof PanewardError) return caller;
  if (caller.door === "web" && facts.via.kind === "tcp" && facts.header("origin") === undefined) {
    return new PanewardError("not_allowed", "a browser's login is good for pages of this origin alone");
  }
  return allows(caller.scope, "read") ? undefined : new PanewardError("not_allowed", "this needs the scope read");
}

function sayWhy(client: ClientSocket, error: unknown, log: Log): void {
  const known = error instanceof PanewardError ? error : undefined;
  if (!known) log.error("a WebSocket failed unexpectedly", { message: String(error), stack: (error as Error)?.stack });
  const failure = known ?? new PanewardError("unexpected", "the daemon failed in a way it did not foresee");
  void client
    .send(JSON.stringify({ type: "failed", ...failure.toBody() }))
    .then(() => client.close(4_400, failure.code));
}

function decoded(part: string | undefined): string {
  try {
    return decodeURIComponent(part ?? "");
  } catch {
    return "";
  }
}
