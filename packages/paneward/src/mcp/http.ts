import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { clientOf, type McpCaller } from "./caller.ts";
import type { McpEndpoint, McpEndpointOptions } from "./endpoint.ts";
import { createMcpServer } from "./server.ts";
import { openSessions } from "./sessions.ts";
import { soundRefusal } from "./well-formed-messages.ts";

/** Serves both kinds of clients: with sessions (protocol of 2025), and stateless (protocol of 2026). */
export function openEndpoint({ version, idleMs = hourMs }: McpEndpointOptions): McpEndpoint {
  const serverFor = (caller: McpCaller, persistent: boolean) =>
    createMcpServer(clientOf(caller), { version, scope: caller.scope, persistent });
  const sessions = openSessions({ serverFor: (caller) => serverFor(caller, true), idleMs, maxRequestBodySize });
  const single = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.caller as McpCaller, false), {
    legacy: "reject",
    maxRequestBodySize,
  });
  return {
    async answer(request, caller) {
      if (await needsSession(request)) return soundRefusal(await sessions.answer(request, caller));
      const { who, scope } = caller;
      const authInfo = { token: "", clientId: who, scopes: [scope], extra: { caller } };
      return soundRefusal(await single.fetch(request, { authInfo }));
    },
    async close() {
      await Promise.all([sessions.close(), single.close()]);
    },
  };
}

const hourMs = 3_600_000;
// Two million characters of text may be six million bytes.
const maxRequestBodySize = 8 * 1_048_576;

async function needsSession(request: Request): Promise<boolean> {
  if (request.method !== "POST" || request.headers.has("mcp-session-id")) return true;
  return isLegacyRequest(request, undefined, { maxRequestBodySize });
}
