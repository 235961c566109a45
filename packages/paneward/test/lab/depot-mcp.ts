import { createInterface } from "node:readline";

// The smallest MCP server: one tool, over stdio.
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string };
}

const inputSchema = { type: "object", properties: { part: { type: "string" }, amount: { type: "number" } } };

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as Message;
  if (id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: result(method, params) })}\n`);
}

function result(method: string | undefined, params: Message["params"]): object {
  if (method === "initialize") {
    const { protocolVersion } = params ?? {};
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "depot", version: "1.0.0" } };
  }
  if (method === "tools/list") return { tools: [{ name: "order", description: "Orders parts", inputSchema }] };
  if (method === "tools/call") return { content: [{ type: "text", text: "ordered" }] };
  return {};
}
