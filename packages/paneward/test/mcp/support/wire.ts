import assert from "node:assert/strict";
import type { TestDaemon } from "../../support/daemon.ts";
import { mcpUrl } from "./doors.ts";

export interface Post {
  readonly token?: string;
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Sends one raw message, without an MCP client. */
export function post(daemon: TestDaemon, { token, session, headers = {}, body }: Post): Promise<Response> {
  return fetch(mcpUrl(daemon), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

export const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
} as const;

/** Opens a session and returns what later messages need. */
export async function openSession(
  daemon: TestDaemon,
  token: string,
): Promise<{ readonly token: string; readonly session: string }> {
  const answer = await post(daemon, { token, body: initialize });
  assert.equal(answer.status, 200, await answer.text());
  const session = answer.headers.get("mcp-session-id");
  assert.ok(session);
  await post(daemon, { token, session, body: { jsonrpc: "2.0", method: "notifications/initialized" } });
  return { token, session };
}
