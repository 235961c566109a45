import type { Exchange } from "./exchange.ts";
import { type Reply, replyTo, replyToResult } from "./reply.ts";
import { answerJson, EventStream } from "./stream.ts";

interface Message {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[] | null;
}

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly Message[];
  readonly tools?: readonly { readonly function?: { readonly name: string } }[];
}

/** OpenAI's chat completions, as opencode and pi speak them. */
export async function openaiChat({ body, response, count, ...noting }: Exchange): Promise<void> {
  const request = body as Body;
  const reply = decide(request, noting);
  if (reply.error) {
    answerJson(response, reply.error.status, { error: { message: reply.error.message, type: "scripted" } });
    return;
  }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const base = { id: `chat_${count}`, created: 1, model: request.model };
  const calls = reply.tool && [
    {
      index: 0,
      id: `call_${count}`,
      type: "function",
      function: { name: reply.tool.name, arguments: JSON.stringify(reply.tool.input) },
    },
  ];
  const finish = calls ? "tool_calls" : "stop";
  if (!request.stream) {
    const message = { role: "assistant", content: reply.text, ...(calls && { tool_calls: calls }) };
    const choices = [{ index: 0, message, finish_reason: finish }];
    answerJson(response, 200, { ...base, object: "chat.completion", choices, usage });
    return;
  }
  const stream = new EventStream(response);
  const say = (delta: object, reason: string | null = null) =>
    stream.send({
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  const text = (content: string) => say({ role: "assistant", content });
  await stream.pace(reply.slow ?? 0, text);
  text(reply.text);
  if (calls) say({ tool_calls: calls });
  say({}, finish);
  stream.send({ ...base, object: "chat.completion.chunk", choices: [], usage });
  stream.end("data: [DONE]\n\n");
}

function decide(body: Body, { note, conversation }: Pick<Exchange, "note" | "conversation">): Reply {
  const messages = body.messages ?? [];
  const last = messages.at(-1);
  if (last?.role === "tool") {
    note({ prompts: [] });
    return replyToResult(textOf(last));
  }
  const tools = (body.tools ?? []).flatMap((tool) => (tool.function ? [tool.function.name] : []));
  const prompt = textOf(messages.findLast(({ role }) => role === "user"));
  // Conversations of one folder have titles of their own.
  if (tools.length === 0) return { text: `A small change of ${prompt.length}` };
  note({ prompts: conversation.fresh(messages.filter(({ role }) => role === "user").map(textOf)) });
  return replyTo(prompt, tools);
}

function textOf(message: Message | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("\n");
}
