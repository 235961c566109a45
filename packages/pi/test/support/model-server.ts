import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the model answers: text, tool calls, or an error. */
export interface Step {
  /** Only for a request whose last message matches. */
  readonly match?: RegExp;
  readonly text?: string;
  readonly tools?: readonly { readonly tool: string; readonly args: object }[];
  /** The answer waits for this. */
  readonly after?: Promise<unknown>;
}

export interface ModelRequest {
  /** The text of every message, in order, with its role. */
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly tools: readonly string[];
}

/** A scripted model that speaks OpenAI's streaming chat completions on loopback. */
export interface ModelServer {
  readonly port: number;
  readonly requests: readonly ModelRequest[];
  /** Adds steps; the first unused one that matches answers the next request. */
  readonly plan: (...steps: readonly Step[]) => void;
  readonly close: () => Promise<void>;
}

export async function startModelServer(...script: readonly Step[]): Promise<ModelServer> {
  const steps = [...script];
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method !== "POST" || !request.url?.endsWith("/chat/completions")) {
      response.writeHead(404).end();
      return;
    }
    const asked = requestOf(body);
    requests.push(asked);
    const last = asked.messages.at(-1)?.text ?? "";
    const at = steps.findIndex(({ match }) => !match || match.test(last));
    const [step] = at < 0 ? [] : steps.splice(at, 1);
    await step?.after;
    answer(response, step ?? { text: "NOTHING-PLANNED" }, requests.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    plan: (...more) => steps.push(...more),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function requestOf(body: string): ModelRequest {
  const { messages, tools = [] } = JSON.parse(body) as {
    messages: { role: string; content: unknown }[];
    tools?: { function?: { name: string } }[];
  };
  return {
    messages: messages.map(({ role, content }) => ({ role, text: textOf(content) })),
    tools: tools.map((tool) => tool.function?.name ?? ""),
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text = "" }: { text?: string }) => text).join("") : "";
}

function answer(response: ServerResponse, { text, tools = [] }: Step, number: number): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const head = { id: `answer-${number}`, object: "chat.completion.chunk", created: 1, model: "scripted" };
  const say = (delta: object, finish: string | null = null, more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`,
    );
  say({ role: "assistant", content: text ?? "" });
  for (const [index, { tool, args }] of tools.entries()) {
    const call = { name: tool, arguments: JSON.stringify(args) };
    say({ tool_calls: [{ index, id: `call_${number}_${index}`, type: "function", function: call }] });
  }
  say({}, tools.length > 0 ? "tool_calls" : "stop");
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  response.write(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
}
