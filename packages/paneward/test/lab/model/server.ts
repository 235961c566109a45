import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicMessages } from "./anthropic.ts";
import { Conversation } from "./conversation.ts";
import type { Asked, Exchange } from "./exchange.ts";
import { geminiContent } from "./gemini.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { answerJson } from "./stream.ts";

/** The model APIs of all agents on one port of loopback, answering from a script. */
export interface ScriptedModel {
  readonly url: string;
  /** What people's prompts looked like when they reached the model, in order. */
  readonly prompts: readonly string[];
  /** When it was asked, with prompts and with what tools gave, and when its answer ended. */
  readonly turns: readonly Readonly<ModelTurn>[];
  /** How many of them were answered, to the end or until the agent hung up. */
  readonly answered: number;
  /** How many were not answered to the end, because the agent hung up. */
  readonly hungUp: number;
  close(): Promise<void>;
}

export interface ModelTurn {
  readonly askedAt: number;
  answeredAt?: number;
}

export async function startModel(): Promise<ScriptedModel> {
  const prompts: string[] = [];
  const turns: ModelTurn[] = [];
  const conversation = new Conversation();
  let count = 0;
  let answered = 0;
  let hungUp = 0;
  const server = createServer(async (request, response) => {
    count += 1;
    const body = await bodyOf(request);
    const note = ({ prompts: fresh }: Asked) => {
      const turn: ModelTurn = { askedAt: Date.now() };
      turns.push(turn);
      const number = prompts.push(...fresh);
      response.once("close", () => {
        turn.answeredAt = Date.now();
        answered = Math.max(answered, number);
        if (!response.writableFinished) hungUp += 1;
      });
    };
    await answer(request, response, { body, count, note, conversation });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    prompts,
    turns,
    get answered() {
      return answered;
    },
    get hungUp() {
      return hungUp;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  known: Pick<Exchange, "body" | "count" | "note" | "conversation">,
): Promise<void> {
  const path = new URL(request.url ?? "/", "http://model").pathname;
  const exchange = { ...known, path, response };
  if (path.endsWith("/count_tokens")) return answerJson(response, 200, { input_tokens: 100 });
  if (path.endsWith("/v1/messages")) return anthropicMessages(exchange);
  if (path.endsWith("/responses")) return openaiResponses(exchange);
  if (path.endsWith("/chat/completions")) return openaiChat(exchange);
  if (path.includes(":")) return geminiContent(exchange);
  if (path.endsWith("/models")) return answerJson(response, 200, { object: "list", data: [], models: [] });
  if (request.method === "HEAD" || path === "/") return answerJson(response, 200, {});
  answerJson(response, 404, { error: { type: "not_found_error", message: `nothing at ${path}` } });
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  request.setEncoding("utf8");
  for await (const piece of request) text += piece;
  return text === "" ? {} : JSON.parse(text);
}
