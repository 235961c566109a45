import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { McpEndpoint, McpEndpointOptions } from "./endpoint.ts";
import { createMcpServer } from "./server.ts";
import { openSessions } from "./sessions.ts";
import { clientOf, type Visitor } from "./visitor.ts";

/** Serves both kinds of clients: those that open a session, and since 2026 those whose every request stands alone. */
export function openEndpoint({ version, idleMs = anHour }: McpEndpointOptions): McpEndpoint {
  const serverFor = (visitor: Visitor, lasting: boolean) =>
    createMcpServer(clientOf(visitor), { version, scope: visitor.scope, lasting });
  const sessions = openSessions({ serverFor: (visitor) => serverFor(visitor, true), idleMs, maxRequestBodySize });
  const single = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.visitor as Visitor, false), {
    legacy: "reject",
    maxRequestBodySize,
  });
  return {
    async answer(request, visitor) {
      if (await wantsSession(request)) return sessions.answer(request, visitor);
      const { who, scope } = visitor;
      return single.fetch(request, { authInfo: { token: "", clientId: who, scopes: [scope], extra: { visitor } } });
    },
    async close() {
      await Promise.all([sessions.close(), single.close()]);
    },
  };
}

const anHour = 3_600_000;
// A text of two million characters may be six million bytes.
const maxRequestBodySize = 8 * 1_048_576;

async function wantsSession(request: Request): Promise<boolean> {
  if (request.method !== "POST" || request.headers.has("mcp-session-id")) return true;
  return isLegacyRequest(request, undefined, { maxRequestBodySize });
}
