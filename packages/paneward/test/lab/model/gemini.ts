import type { Exchange } from "./exchange.ts";
import { type Reply, replyTo, replyToResult } from "./reply.ts";
import { answerJson, EventStream } from "./stream.ts";

interface Part {
  readonly text?: string;
  readonly functionResponse?: { readonly response?: unknown };
}

interface Body {
  readonly contents?: readonly { readonly role?: string; readonly parts?: readonly Part[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly generationConfig?: { readonly responseJsonSchema?: unknown; readonly responseMimeType?: string };
}

/** Google's Gemini API, as Gemini CLI speaks it. */
export async function geminiContent({ body, path, response, ...noting }: Exchange): Promise<void> {
  if (path.includes("countTokens")) return answerJson(response, 200, { totalTokens: 10 });
  const reply = decide(body as Body, noting);
  if (reply.error) {
    const { status, message } = reply.error;
    const name = { 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 429: "RESOURCE_EXHAUSTED" }[status] ?? "INTERNAL";
    return answerJson(response, status, { error: { code: status, message, status: name } });
  }
  const call = reply.tool && { functionCall: { name: reply.tool.name, args: reply.tool.input } };
  const parts = [{ text: reply.text }, ...(call ? [call] : [])];
  if (!path.includes("streamGenerateContent")) return answerJson(response, 200, chunk(parts, true));
  const stream = new EventStream(response);
  await stream.pace(reply.slow ?? 0, (text) => stream.send(chunk([{ text }], false)));
  stream.send(chunk(parts, true));
  stream.end();
}

function chunk(parts: readonly object[], last: boolean): object {
  return {
    candidates: [{ content: { role: "model", parts }, ...(last && { finishReason: "STOP" }), index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "scripted",
  };
}

function decide(body: Body, { note, conversation }: Pick<Exchange, "note" | "conversation">): Reply {
  const config = body.generationConfig;
  if (config?.responseJsonSchema || config?.responseMimeType === "application/json") return { text: routing };
  const parts = body.contents?.at(-1)?.parts ?? [];
  const result = parts.find(({ functionResponse }) => functionResponse)?.functionResponse;
  if (result) {
    note({ prompts: [] });
    return replyToResult(JSON.stringify(result.response));
  }
  const tools = (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []).map(({ name }) => name);
  // A prompt after a cancelled one comes in the same message, behind it.
  const prompt = parts.findLast(({ text }) => text !== undefined)?.text ?? "";
  if (tools.length === 0) return { text: "A side answer." };
  const said = (body.contents ?? []).filter(({ role }) => role === "user").flatMap((content) => content.parts ?? []);
  note({ prompts: conversation.fresh(said.flatMap(({ text }) => text ?? [])) });
  return replyTo(prompt, tools);
}

// Gemini CLI asks the model which model to ask, and who speaks next.
const routing = JSON.stringify({
  reasoning: "small",
  model_choice: "flash",
  next_speaker: "user",
  complexity_reasoning: "small",
  complexity_score: 10,
});
