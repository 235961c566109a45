import { randomUUID } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { boundedStream } from "./bounded-stream.ts";
import type { McpCaller } from "./caller.ts";
import { readMessages } from "./read-messages.ts";
import { RequestsUnderWay } from "./requests-under-way.ts";

export interface SessionsOptions {
  readonly serverFor: (caller: McpCaller) => McpServer;
  readonly idleMs: number;
  readonly maxRequestBodySize: number;
}

interface Session {
  readonly who: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly underWay: RequestsUnderWay;
  /** Open streams of the client; while there is one, the session is not idle. */
  listening: number;
  timer: NodeJS.Timeout | undefined;
}

/** Sessions of MCP over HTTP: each belongs to the caller that opened it and is closed when idle. */
export function openSessions(options: SessionsOptions) {
  const sessions = new Map<string, Session>();

  /** Marks the session as most recently used and restarts its idle timer. */
  const touch = (id: string, session: Session) => {
    sessions.delete(id);
    sessions.set(id, session);
    clearTimeout(session.timer);
    if (session.listening > 0) return;
    session.timer = setTimeout(() => session.server.close(), options.idleMs).unref();
  };

  const open = async (caller: McpCaller): Promise<Session> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: options.maxRequestBodySize,
      onsessioninitialized: async (id) => {
        touch(id, session);
        await closeOldest(sessions, caller.who);
      },
    });
    const server = options.serverFor(caller);
    const underWay = new RequestsUnderWay();
    const session: Session = { who: caller.who, server, transport, underWay, listening: 0, timer: undefined };
    const send = transport.send.bind(transport);
    transport.send = (message, sending) => {
      underWay.sent(message);
      return send(message, sending);
    };
    await server.connect(transport);
    const forgetCaller = caller.onRevoked(() => void server.close());
    const { onclose } = transport;
    transport.onclose = () => {
      forgetCaller();
      clearTimeout(session.timer);
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
      onclose?.();
    };
    return session;
  };

  /** The stream of notifications. A client that does not read it loses it, and may open another. */
  const listen = async (id: string, session: Session, request: Request, cut: () => void) => {
    const response = await session.transport.handleRequest(request);
    if (!response.ok || !response.body) return response;
    session.listening++;
    clearTimeout(session.timer);
    request.signal.addEventListener("abort", () => {
      session.listening--;
      if (sessions.has(id)) touch(id, session);
    });
    return new Response(boundedStream(response.body, { maxWaiting, cut }), response);
  };

  const take = async ({ transport, underWay }: Session, request: Request): Promise<Response> => {
    const body = await readMessages(request, options.maxRequestBodySize);
    // What cannot be read is refused by the transport, which says why.
    if (body === undefined) return transport.handleRequest(request);
    const messages = [body].flat();
    const refusal = underWay.begin(messages);
    if (refusal) return Response.json(refusal, { status: 400 });
    const response = await transport.handleRequest(request, { parsedBody: body });
    if (!response.ok) underWay.refused(messages);
    else underWay.cancelled(messages);
    return response;
  };

  return {
    async answer(request: Request, caller: McpCaller): Promise<Response> {
      const id = request.headers.get("mcp-session-id");
      if (id === null) {
        const { transport, server } = await open(caller);
        const response = await transport.handleRequest(request);
        if (transport.sessionId === undefined) await server.close();
        return response;
      }
      const session = sessions.get(id);
      // Do not reveal that another caller's session exists.
      if (session?.who !== caller.who) return unknownSession();
      touch(id, session);
      if (request.method === "GET") return listen(id, session, request, caller.cut);
      return request.method === "POST" ? take(session, request) : session.transport.handleRequest(request);
    },
    async close(): Promise<void> {
      await Promise.all([...sessions.values()].map(({ server }) => server.close()));
    },
  };
}

const maxPerCaller = 64;
/** Bytes of notifications: about 2,500 of them. */
const maxWaiting = 262_144;

async function closeOldest(sessions: ReadonlyMap<string, Session>, who: string): Promise<void> {
  const own = [...sessions.values()].filter((session) => session.who === who);
  for (const { server } of own.slice(0, -maxPerCaller)) await server.close();
}

/** The protocol uses 404 to make a client open a new session. */
function unknownSession(): Response {
  const error = { code: -32_001, message: "unknown session; send initialize to open one" };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
}
