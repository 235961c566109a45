import assert from "node:assert/strict";
import type { CallToolResult, Client } from "@modelcontextprotocol/client";

type Data = Readonly<Record<string, unknown>>;

/** The result of one call: structured data, and the text for the model. */
export interface Answer {
  readonly data: Data;
  readonly text: string;
}

/** Calls a tool and expects it to work. */
export async function call(
  client: Client,
  name: string,
  input: Data,
  options?: Parameters<Client["callTool"]>[1],
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: { ...input } }, options);
  assert.notEqual(result.isError, true, textOf(result));
  return { data: result.structuredContent as Data, text: textOf(result) };
}

/** Calls a tool and expects it to fail in a way that a model can act on. */
export async function refused(client: Client, name: string, input: Data): Promise<Answer & { readonly code: string }> {
  const result = await client.callTool({ name, arguments: { ...input } });
  assert.equal(result.isError, true, textOf(result));
  const data = result.structuredContent as { readonly error: { readonly code: string } };
  return { data: { ...data }, text: textOf(result), code: data.error.code };
}

/** Makes the call that a result suggests next. */
export function callNext(client: Client, { data }: Answer): Promise<Answer> {
  const [, name = "", input = "{}"] = /^(\w+) (\{.*\})$/s.exec(String(data.next)) ?? [];
  return call(client, name, JSON.parse(input));
}

/** Runs a shell script in a terminal and returns the terminal's id. */
export async function startScript(client: Client, script: string): Promise<string> {
  const { data } = await call(client, "terminal_start", { argv: ["sh", "-c", script] });
  return String(data.id);
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
