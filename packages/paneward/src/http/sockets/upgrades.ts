import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { allows, PanewardError, systemFailure } from "@paneward/sdk";
import { WebSocketServer } from "ws";
import type { Caller } from "../../runtime/calls.ts";
import type { Log } from "../../runtime/ports.ts";
import type { Admit } from "../access/admission.ts";
import { type Authenticate, type RequestFacts, socketProtocol } from "../access/authenticate.ts";
import type { OpenConnections } from "../access/open-connections.ts";
import type { Sites } from "../access/sites.ts";
import type { Via } from "../env.ts";
import { type ClientSocket, clientSocket } from "./client-socket.ts";
import { factsOf, refuse } from "./handshake.ts";

/** A WebSocket's address and its handler. The socket is closed when `open` resolves. */
export interface SocketRoute {
  readonly path: RegExp;
  readonly open: (socket: ClientSocket, request: SocketRequest) => Promise<void>;
}

export interface SocketRequest {
  /** The groups of the path's pattern, decoded. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** Authenticates again, as a login may have been revoked since. */
  readonly caller: () => Caller;
}

export interface UpgradesOptions {
  readonly admit: Admit;
  readonly authenticate: Authenticate;
  readonly sites: Sites;
  readonly routes: readonly SocketRoute[];
  readonly heartbeatMs: number;
  readonly connections: OpenConnections;
  readonly log: Log;
}

export interface Upgrades {
  handle(via: Via, request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Numbers for /metrics. */
  gauges(): Readonly<Record<string, number>>;
  close(): void;
}

/** WebSockets, admitted by the same rules as requests. */
export function createUpgrades({
  admit,
  authenticate,
  sites,
  routes,
  heartbeatMs,
  connections,
  log,
}: UpgradesOptions): Upgrades {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: 262_144,
    perMessageDeflate: false,
    autoPong: false,
    // Never the offer that holds a secret.
    handleProtocols: (offered) => (offered.has(socketProtocol) ? socketProtocol : false),
  });
  const open = new Set<ClientSocket>();
  return {
    handle(via, request, socket, head) {
      // A client that disconnects during the handshake is not an error.
      socket.on("error", () => {});
      const facts = factsOf(request, via);
      const refused = refusalOf(facts, sites, admit);
      if (refused) return refuse(socket, refused);
      // Not every request target is a URL: `//` is not.
      const url = URL.parse(request.url ?? "/", "http://localhost");
      const route = url && routes.find(({ path }) => path.test(url.pathname));
      if (!route) return refuse(socket, new PanewardError("not_found", "there is no WebSocket at this address"));
      const caller = () => {
        const found = authenticate(facts);
        if (found instanceof PanewardError) throw found;
        return found;
      };
      server.handleUpgrade(request, socket, head, (accepted) => {
        const isAllowed = () => !(authenticate(facts) instanceof PanewardError);
        const client = clientSocket(accepted, heartbeatMs, isAllowed);
        const remove = connections.add({ isAllowed, end: () => client.close(4_401, "no longer logged in") });
        open.add(client);
        client.signal.addEventListener("abort", () => {
          open.delete(client);
          remove();
        });
        const parts = (route.path.exec(url.pathname) ?? []).slice(1).map(decoded);
        route.open(client, { parts, query: url.searchParams, caller }).then(
          () => client.close(1_000, "that is all"),
          (error: unknown) => sendFailure(client, error, log),
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

function refusalOf(facts: RequestFacts, sites: Sites, admit: Admit): PanewardError | undefined {
  const foreign = sites.refusalOf(facts);
  if (foreign) return foreign;
  const { caller, refused } = admit(facts);
  if (!caller) return refused;
  if (caller.door === "web" && facts.via.kind === "tcp" && facts.header("origin") === undefined) {
    return new PanewardError("not_allowed", "a browser's login is valid only for pages of this origin");
  }
  return allows(caller.scope, "read") ? undefined : new PanewardError("not_allowed", "this needs the scope read");
}

/** A plain request where a WebSocket is: nginx leaves `Upgrade` out unless it is configured to pass it on. */
export function noUpgrade(): PanewardError {
  return new PanewardError("bad_input", "this address is for WebSockets, and the request arrived without `Upgrade`", {
    hint: "a proxy must pass it on; nginx: proxy_http_version 1.1, and proxy_set_header for Upgrade and Connection: docs/remote.md",
  });
}

function sendFailure(client: ClientSocket, error: unknown, log: Log): void {
  const known = error instanceof PanewardError ? error : systemFailure(error);
  if (!known) log.error("a WebSocket failed unexpectedly", { message: String(error), stack: (error as Error)?.stack });
  const failure = known ?? new PanewardError("unexpected", "the daemon failed unexpectedly");
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
