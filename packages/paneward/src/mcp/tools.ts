import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import { PanewardError, type Scope } from "@paneward/sdk";
import { catalogue, missingScope, toolsFor } from "./catalogue.ts";
import { failureResult } from "./failures.ts";
import type { Tool, ToolCall, ToolResult } from "./tool.ts";
import type { ToolClient } from "./tool-client.ts";

export interface ToolsOptions {
  readonly client: ToolClient;
  readonly scope: Scope;
  readonly folder: string | undefined;
}

/** Lists and calls tools. A failed call is a result, not a protocol error: models see results, clients see errors. */
export function serveTools({ server }: McpServer, options: ToolsOptions): void {
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler("tools/list", () => ({ tools: toolsFor(options.scope).map((tool) => ({ ...tool })) }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    try {
      const tool = toolNamed(params.name, options.scope);
      return resultOf(await tool.answer(params.arguments, callFor(options, context)));
    } catch (error) {
      return failureResult(error, params.name);
    }
  });
}

function toolNamed(name: string, scope: Scope): Tool {
  const found = catalogue.find((tool) => tool.name === name);
  if (!found) {
    const names = toolsFor(scope).map((tool) => tool.name);
    throw new PanewardError("bad_input", `unknown tool ${name}`, { hint: `tools: ${names.join(", ")}` });
  }
  const needed = missingScope(scope, found);
  if (needed === undefined) return found;
  throw new PanewardError("not_allowed", `${name} needs the scope ${needed}; this caller has ${scope}`, {
    hint: `a person can create a wider token: \`paneward token create --scope ${needed}\``,
  });
}

function resultOf({ data, text, next, failed }: ToolResult): CallToolResult {
  return {
    content: [{ type: "text", text: next === undefined ? text : `${text}\nNext: ${next}` }],
    structuredContent: { ...data, ...(next === undefined ? {} : { next }) },
    ...(failed ? { isError: true } : {}),
  };
}

function callFor({ client, folder }: ToolsOptions, { mcpReq }: ServerContext): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  const progress = (seconds: number, of: number, message: string) => {
    const params = { progressToken: progressToken ?? "", progress: seconds, total: of, message };
    // The client may have disconnected.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  return { client, folder, signal: mcpReq.signal, progress: progressToken === undefined ? undefined : progress };
}
