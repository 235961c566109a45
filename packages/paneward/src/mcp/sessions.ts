import { randomUUID } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { McpCaller } from "./caller.ts";

export interface SessionsOptions {
  readonly serverFor: (caller: McpCaller) => McpServer;
  readonly idleMs: number;
  readonly maxRequestBodySize: number;
}

interface Session {
  readonly who: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
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
    const session: Session = { who: caller.who, server, transport, listening: 0, timer: undefined };
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

  const listen = (id: string, session: Session, request: Request) => {
    session.listening++;
    clearTimeout(session.timer);
    request.signal.addEventListener("abort", () => {
      session.listening--;
      if (sessions.has(id)) touch(id, session);
    });
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
      const response = await session.transport.handleRequest(request);
      if (request.method === "GET" && response.ok) listen(id, session, request);
      return response;
    },
    async close(): Promise<void> {
      await Promise.all([...sessions.values()].map(({ server }) => server.close()));
    },
  };
}

const maxPerCaller = 64;

async function closeOldest(sessions: ReadonlyMap<string, Session>, who: string): Promise<void> {
  const own = [...sessions.values()].filter((session) => session.who === who);
  for (const { server } of own.slice(0, -maxPerCaller)) await server.close();
}

/** The protocol uses 404 to make a client open a new session. */
function unknownSession(): Response {
  const error = { code: -32_001, message: "unknown session; send initialize to open one" };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
}
