import { createServer, type Server, type ServerOptions } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { PanewardError } from "@paneward/sdk";
import type { OwnPeers } from "../runtime/ports.ts";
import { boundPieces } from "./access/body-pieces.ts";
import type { HttpApp } from "./app.ts";
import { type ConnectionLimits, connectionLimits } from "./connection-limits.ts";
import type { Keep, Via } from "./env.ts";
import { keepSocket } from "./kept-socket.ts";
import { createOwnConnections, noConnectionsOfOthers } from "./own-connections.ts";
import { createSlots, type Slots } from "./slots.ts";
import { createUnanswered, type Unanswered } from "./unanswered.ts";
import { listenOnSocket } from "./unix-socket.ts";

export interface ListenOptions {
  readonly app: HttpApp;
  /** The path of the Unix socket. */
  readonly socket?: string;
  /** A port on loopback; 0 takes a free one. */
  readonly port?: number;
  readonly timeouts?: Partial<Timeouts>;
  readonly limits?: ConnectionLimits;
  readonly ownPeers?: OwnPeers;
}

interface Timeouts {
  /** How long a client may take to send its headers, and the whole request. Answers have no limit. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly checkEveryMs: number;
  readonly keepAliveMs: number;
  /** How long a client on loopback may take to read a response that is complete. */
  readonly takenMs: number;
  /** How long close() waits for pending answers. */
  readonly graceMs: number;
}

export interface Listening {
  /** Undefined without a port, and when the one asked for cannot be used: then the Unix socket serves alone. */
  readonly port: number | undefined;
  readonly portRefused: PanewardError | undefined;
  readonly socket: string | undefined;
  close(): Promise<void>;
}

const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 60_000,
  checkEveryMs: 2_000,
  // Longer than clients keep idle connections, so that none sends on one that is being closed.
  keepAliveMs: 75_000,
  takenMs: 60_000,
  graceMs: 1_000,
};

/** Serves the same app on a Unix socket and on loopback. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { app, socket, port, limits = connectionLimits(), ownPeers = nobody } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const servers: Served[] = [];
  let kept: { stop(): Promise<void> } | undefined;
  const close = async () => {
    await kept?.stop();
    app.endStreams();
    return closeAll(servers, timeouts.graceMs);
  };
  try {
    // The port first: when the socket is there, so is everything else.
    const tcp = port === undefined ? undefined : onLoopback(app, timeouts, limits, ownPeers);
    const portRefused = tcp && (await refusalOf(listenOnLoopback(tcp.server, port ?? 0)));
    if (portRefused && socket === undefined) throw portRefused;
    if (tcp && !portRefused) servers.push(tcp);
    if (socket !== undefined) {
      // Closing a socket removes the file at its path, even if another process made it: all stay open until the end.
      const listenThere = async () => {
        const served = serverFor(app, timeouts, ownersConnections(limits), () => ({ kind: "unix" }));
        await listenOnSocket(served.server, socket);
        servers.push(served);
      };
      await listenThere();
      kept = keepSocket(socket, timeouts.checkEveryMs, listenThere, app.report);
    }
    return { port: tcp && !portRefused ? portOf(tcp.server) : undefined, portRefused, socket, close };
  } catch (error) {
    await kept?.stop();
    await closeAll(servers, timeouts.graceMs);
    throw error;
  }
}

const nobody: OwnPeers = async () => new Set();

// Browsers and our clients send the next request when the last one is answered.
const maxUnanswered = 16;

interface Connections extends Pick<ConnectionLimits, "maxConnections"> {
  readonly slots: Slots;
  /** Undefined where nothing bounds what a client leaves unread. */
  readonly unanswered?: Unanswered;
}

interface Served extends Pick<Connections, "slots"> {
  readonly server: Server;
}

// A client of the Unix socket is its owner; strangers come only over TCP.
function ownersConnections({ maxConnections }: ConnectionLimits): Connections {
  const none = Number.POSITIVE_INFINITY;
  return {
    maxConnections,
    slots: createSlots({ maxStrangers: none, maxKept: none }, noConnectionsOfOthers),
  };
}

function onLoopback(app: HttpApp, timeouts: Timeouts, limits: ConnectionLimits, ownPeers: OwnPeers): Served {
  const own = createOwnConnections(ownPeers, () => portOf(served.server));
  const isOwn = async (connection: Socket) => {
    if (own.known(connection) === undefined) await own.look();
    return own.known(connection) ?? false;
  };
  const connections = {
    maxConnections: limits.maxConnections,
    slots: createSlots(limits, own),
    unanswered: createUnanswered({ maxPerConnection: maxUnanswered, takenMs: timeouts.takenMs }),
  };
  const served: Served = serverFor(app, timeouts, connections, (connection) => ({
    kind: "tcp",
    port: portOf(served.server),
    keep: keeperOf(app, connections.slots, connection),
    isOwn: () => isOwn(connection),
  }));
  return served;
}

async function refusalOf(listening: Promise<void>): Promise<PanewardError | undefined> {
  try {
    await listening;
    return undefined;
  } catch (error) {
    if (error instanceof PanewardError) return error;
    throw error;
  }
}

function serverFor(
  app: HttpApp,
  timeouts: Timeouts,
  { maxConnections, slots, unanswered }: Connections,
  viaOf: (connection: Socket) => Via,
): Served {
  const serverOptions: ServerOptions = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkEveryMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    // Otherwise the first Host or Origin counts here, and perhaps another one for a proxy in between.
    joinDuplicateHeaders: true,
  };
  const server = createAdaptorServer({
    createServer,
    serverOptions,
    // The adaptor could also serve HTTP/2; this server is HTTP/1.
    fetch(request, env) {
      const { incoming, outgoing } = env as HttpBindings;
      const { socket } = incoming;
      boundPieces(incoming);
      const via = viaOf(socket);
      if (!unanswered) return app.hono.fetch(request, { incoming, outgoing, via });
      const onOver = unanswered.begin(socket, outgoing);
      if (onOver) return app.hono.fetch(request, { incoming, outgoing, onOver, via });
      socket.destroy();
      return new Response(null, { status: 429 });
    },
  }) as Server;
  server.maxConnections = maxConnections;
  server.on("connection", (connection) => slots.add(connection));
  // Before that, the caller of `listen` gets the error.
  server.once("listening", () => server.on("error", (error) => app.report("a listener failed", error)));
  server.on("upgrade", (request, connection, head) => {
    try {
      app.upgrade(viaOf(connection as Socket), request, connection, head);
    } catch (error) {
      app.report("an upgrade failed", error);
      connection.destroy();
    }
  });
  return { server, slots };
}

/** Called when the caller of a connection is known. */
function keeperOf(app: HttpApp, slots: Slots, connection: Socket): Keep {
  return (who, isAllowed) => {
    if (!slots.keep(connection, who)) return;
    const forget = app.connections.add({ isAllowed, end: () => giveUp() });
    const giveUp = () => {
      forget();
      connection.off("close", forget);
      slots.giveUp(connection);
    };
    connection.once("close", forget);
  };
}

function listenOnLoopback(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => reject(cannotListen(port, cause)));
    server.listen({ host: "127.0.0.1", port }, () => resolve());
  });
}

function cannotListen(port: number, cause: NodeJS.ErrnoException): PanewardError {
  const why = cause.code === "EADDRINUSE" ? "another program uses it" : cause.message;
  return new PanewardError("unavailable", `port ${port} on 127.0.0.1 cannot be used: ${why}`, {
    hint: "set another `port` under [web] in config.toml",
    cause,
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

// Node's server forgets connections that were upgraded; until they end, it is not closed.
async function closeAll(servers: readonly Served[], graceMs: number): Promise<void> {
  const closed = servers.map(({ server }) => new Promise<void>((resolve) => server.close(() => resolve())));
  for (const { server } of servers) server.closeIdleConnections();
  const cut = setTimeout(() => {
    for (const { slots } of servers) slots.endAll();
  }, graceMs);
  await Promise.all(closed);
  clearTimeout(cut);
}
