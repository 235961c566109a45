import type { Exchange } from "./exchange.ts";
import { type Reply, replyTo, replyToResult } from "./reply.ts";
import { answerJson, EventStream } from "./stream.ts";

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
  readonly output?: unknown;
}

interface Body {
  readonly model?: string;
  readonly input?: readonly Item[];
  readonly tools?: readonly { readonly name?: string; readonly type?: string }[];
}

/** OpenAI's Responses API, as Codex speaks it. */
export async function openaiResponses({ body, response, count, ...noting }: Exchange): Promise<void> {
  const request = body as Body;
  const reply = decide(request, noting);
  if (reply.error) {
    const { status, message } = reply.error;
    answerJson(response, status, { error: { message, type: status === 429 ? "usage_limit_reached" : "scripted" } });
    return;
  }
  const stream = new EventStream(response);
  const say = (type: string, more: object) => stream.send({ type, ...more }, type);
  const base = { id: `resp_${count}`, object: "response", model: request.model };
  say("response.created", { response: { ...base, status: "in_progress", output: [] } });
  const message = { type: "message", id: `msg_${count}`, role: "assistant" };
  say("response.output_item.added", { output_index: 0, item: { ...message, status: "in_progress", content: [] } });
  let text = "";
  const add = (delta: string) => {
    text += delta;
    say("response.output_text.delta", { item_id: message.id, output_index: 0, content_index: 0, delta });
  };
  await stream.pace(reply.slow ?? 0, add);
  add(reply.text);
  const said = { ...message, status: "completed", content: [{ type: "output_text", text, annotations: [] }] };
  say("response.output_item.done", { output_index: 0, item: said });
  const call = reply.tool && callOf(reply.tool, count);
  if (call) {
    say("response.output_item.added", { output_index: 1, item: call });
    say("response.output_item.done", { output_index: 1, item: call });
  }
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  say("response.completed", {
    response: { ...base, status: "completed", output: call ? [said, call] : [said], usage },
  });
  stream.end();
}

// A tool of an MCP server is written `namespace/name`; a tool that takes text instead of JSON gets `{"input": TEXT}`.
function callOf({ name, input }: { readonly name: string; readonly input: unknown }, count: number): object {
  const [namespace, short] = name.includes("/") ? name.split("/") : [undefined, name];
  const ids = { id: `fc_${count}`, call_id: `call_${count}`, status: "completed" };
  if (name === "apply_patch") {
    return { ...ids, type: "custom_tool_call", name, input: (input as { readonly input: string }).input };
  }
  return {
    ...ids,
    type: "function_call",
    name: short,
    ...(namespace && { namespace }),
    arguments: JSON.stringify(input),
  };
}

function decide(body: Body, { note, conversation }: Pick<Exchange, "note" | "conversation">): Reply {
  const items = body.input ?? [];
  const last = items.at(-1);
  if (last?.type?.endsWith("_output")) {
    note({ prompts: [] });
    return replyToResult(typeof last.output === "string" ? last.output : JSON.stringify(last.output));
  }
  const tools = (body.tools ?? []).map(({ name, type }) => name ?? type ?? "");
  const prompt = textOf(items.findLast(({ role }) => role === "user")?.content);
  if (tools.length === 0) return { text: "A small change" };
  const said = items.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  // What Codex adds by itself has a tag.
  note({ prompts: conversation.fresh(said).filter((text) => !/^<[a-z]+_[a-z_]+>/.test(text)) });
  return replyTo(prompt, tools);
}

function textOf(content: Item["content"]): string {
  return typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("\n");
}
