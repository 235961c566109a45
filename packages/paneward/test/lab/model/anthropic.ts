import type { Exchange } from "./exchange.ts";
import { type Reply, replyTo, replyToResult } from "./reply.ts";
import { answerJson, EventStream } from "./stream.ts";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly Block[];
}

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly output_config?: { readonly format?: unknown };
}

/** Anthropic's Messages API, as Claude Code speaks it. */
export async function anthropicMessages({ body, response, count, ...noting }: Exchange): Promise<void> {
  const request = body as Body;
  const reply = decide(request, noting);
  if (reply.error) {
    const { status, message } = reply.error;
    const type = { 401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error" }[status];
    answerJson(response, status, { type: "error", error: { type: type ?? "api_error", message } });
    return;
  }
  const message = {
    id: `msg_${count}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  };
  const stop = reply.tool ? "tool_use" : "end_turn";
  const uses = Array.from({ length: reply.tool ? (reply.twice ? 2 : 1) : 0 }, (_, at) => ({
    ...{ type: "tool_use", id: `toolu_${String(count).padStart(8, "0")}${at || ""}`, name: reply.tool?.name },
  }));
  if (!request.stream) {
    const content = [{ type: "text", text: reply.text }, ...uses.map((use) => ({ ...use, input: reply.tool?.input }))];
    answerJson(response, 200, { ...message, content, stop_reason: stop });
    return;
  }
  const stream = new EventStream(response);
  const say = (type: string, more: object = {}) => stream.send({ type, ...more }, type);
  const text = (words: string) => say("content_block_delta", { index: 0, delta: { type: "text_delta", text: words } });
  say("message_start", { message });
  say("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
  await stream.pace(reply.slow ?? 0, text);
  text(reply.text);
  say("content_block_stop", { index: 0 });
  for (const [at, use] of uses.entries()) {
    const json = JSON.stringify(reply.tool?.input);
    say("content_block_start", { index: at + 1, content_block: { ...use, input: {} } });
    say("content_block_delta", { index: at + 1, delta: { type: "input_json_delta", partial_json: json } });
    say("content_block_stop", { index: at + 1 });
  }
  say("message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 20 } });
  say("message_stop");
  stream.end();
}

function decide(body: Body, { note, conversation }: Pick<Exchange, "note" | "conversation">): Reply {
  if (body.output_config?.format) return { text: JSON.stringify({ title: "A small change", isNewTopic: true }) };
  const last = (body.messages ?? []).filter(({ role }) => role !== "system").at(-1);
  const blocks = last === undefined ? [] : blocksOf(last);
  const tools = (body.tools ?? []).map(({ name }) => name);
  const results = blocks.filter(({ type }) => type === "tool_result");
  const human = last === undefined ? undefined : humanIn(last).at(-1);
  if (human === undefined && results.length > 0) {
    note({ prompts: [] });
    return replyToResult(results.map(textOf).join(" "));
  }
  if (tools.length === 0) return { text: "A side answer." };
  const said = (body.messages ?? []).filter(({ role }) => role === "user").flatMap(humanIn);
  note({ prompts: conversation.fresh(said) });
  return replyTo(human ?? "", tools);
}

type Message = NonNullable<Body["messages"]>[number];

function blocksOf({ content }: Message): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function humanIn(message: Message): readonly string[] {
  return blocksOf(message).flatMap(({ type, text }) => (type === "text" && isHuman(text ?? "") ? [text ?? ""] : []));
}

function isHuman(text: string): boolean {
  return text.trim() !== "" && !/^\s*(<system-reminder>|\[Request interrupted)/.test(text);
}

function textOf(block: Block): string {
  return typeof block.content === "string"
    ? block.content
    : (block.content ?? []).map(({ text }) => text ?? "").join("");
}
