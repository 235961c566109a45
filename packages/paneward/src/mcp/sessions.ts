import { randomUUID } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Visitor } from "./visitor.ts";

export interface SessionsOptions {
  readonly serverFor: (visitor: Visitor) => McpServer;
  readonly idleMs: number;
  readonly maxRequestBodySize: number;
}

interface Session {
  readonly who: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Streams on which the client listens; a session is not idle while there is one. */
  listening: number;
  timer: NodeJS.Timeout | undefined;
}

/** Sessions of MCP over HTTP: each belongs to the caller who opened it and is closed when it is no longer used. */
export function openSessions(options: SessionsOptions) {
  const sessions = new Map<string, Session>();

  /** The session was used just now: it is the last in line to be closed. */
  const touch = (id: string, session: Session) => {
    sessions.delete(id);
    sessions.set(id, session);
    clearTimeout(session.timer);
    if (session.listening > 0) return;
    session.timer = setTimeout(() => session.server.close(), options.idleMs).unref();
  };

  const open = async (visitor: Visitor): Promise<Session> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: options.maxRequestBodySize,
      onsessioninitialized: async (id) => {
        touch(id, session);
        await makeRoom(sessions, visitor.who);
      },
    });
    const server = options.serverFor(visitor);
    const session: Session = { who: visitor.who, server, transport, listening: 0, timer: undefined };
    await server.connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
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
    async answer(request: Request, visitor: Visitor): Promise<Response> {
      const id = request.headers.get("mcp-session-id");
      if (id === null) {
        const { transport, server } = await open(visitor);
        const response = await transport.handleRequest(request);
        if (transport.sessionId === undefined) await server.close();
        return response;
      }
      const session = sessions.get(id);
      // Somebody else's session is as unknown as one that never was.
      if (session?.who !== visitor.who) return unknownSession();
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

const mostPerCaller = 64;

async function makeRoom(sessions: ReadonlyMap<string, Session>, who: string): Promise<void> {
  const own = [...sessions.values()].filter((session) => session.who === who);
  for (const { server } of own.slice(0, -mostPerCaller)) await server.close();
}

/** The status by which the protocol tells a client to open a new session. */
function unknownSession(): Response {
  const error = { code: -32_001, message: "there is no such session; send initialize to open one" };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
}
