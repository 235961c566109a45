import { McpServer } from "@modelcontextprotocol/server";
import type { Scope } from "@paneward/sdk";
import { serveChanges } from "./changes.ts";
import { guide, instructions } from "./guide.ts";
import { serveResources } from "./resources.ts";
import type { ToolClient } from "./tool-client.ts";
import { serveTools } from "./tools.ts";
import { sendWellFormed } from "./well-formed-messages.ts";

export interface McpServerOptions {
  readonly version: string;
  /** Tools beyond this scope are neither listed nor called. */
  readonly scope: Scope;
  /** The default folder; without it every call has to name one. */
  readonly folder?: string;
  /** Only a persistent connection can receive notifications. */
  readonly persistent: boolean;
}

/** The daemon as an MCP server: tools, resources and the guide, all through the typed client. */
export function createMcpServer(
  client: ToolClient,
  { version, scope, folder, persistent }: McpServerOptions,
): McpServer {
  const server = new McpServer({ name: "paneward", title: "Paneward", version }, { instructions });
  sendWellFormed(server);
  serveTools(server, { client, scope, folder });
  if (persistent) serveChanges(server, client);
  else server.server.registerCapabilities({ resources: { listChanged: false } });
  serveResources(server, client);
  server.server.registerCapabilities({ prompts: { listChanged: false } });
  server.registerPrompt("paneward_guide", { description: "How to work with terminals and tasks" }, () => ({
    messages: [{ role: "user", content: { type: "text", text: guide } }],
  }));
  return server;
}
