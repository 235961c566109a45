import type { HookPayload } from "../agent.ts";
import { listIn, objectIn, textIn } from "../payload.ts";
import type { PromptFacts, ServerPrompt, ServerPrompting, ServerState } from "../server.ts";
import { chosenOn } from "./screen.ts";

/**
 * A prompt over HTTP. Its server keeps neither which conversation the screen shows nor which agent and model are chosen there:
 * a person may have changed each with a key. A request that names no agent runs with the default one, whatever was chosen, so
 * one who plans would begin to build. So the title must name one conversation, and the input line the agent and the model of
 * its last prompt.
 */
export const opencodePrompting: ServerPrompting = {
  reads: ({ current }) =>
    current === undefined
      ? undefined
      : [`/session/${encodeURIComponent(current)}/message?limit=20`, "/session?limit=100", "/config/providers"],
  request,
  given: ([messages]) => givenIn(list(messages)),
};

function request(text: string, { state, answers, screen }: PromptFacts) {
  const [messages, sessions, providers] = answers;
  const { current } = state;
  if (current === undefined || shownOf(state, list(sessions), screen.title) !== current) return undefined;
  const last = list(messages)
    .map((message) => objectIn(message, "info"))
    .findLast((info) => textIn(info, "role") === "user");
  const agent = last && textIn(last, "agent");
  const model = last && modelOf(last, providers);
  if (agent === undefined || model === undefined) return undefined;
  const { name, variant, ...id } = model;
  const words = [`${titled(agent)} · ${name}`, ...(variant === undefined ? [] : [variant])].join(" · ");
  if (chosenOn(screen) !== words) return undefined;
  return {
    method: "POST",
    path: `/session/${encodeURIComponent(current)}/prompt_async`,
    body: { agent, model: id, ...(variant === undefined ? {} : { variant }), parts: [{ type: "text", text }] },
  } as const;
}

/** The conversation that the terminal's title names; undefined when it names none, or several. */
function shownOf({ directory }: ServerState, sessions: readonly HookPayload[], title: string): string | undefined {
  const named = sessions.filter((info) => {
    return textIn(info, "directory") === directory && titlesOf(textIn(info, "title") ?? "").includes(title.trim());
  });
  const [only, ...more] = named;
  return only && more.length === 0 ? textIn(only, "id") : undefined;
}

// A long one is cut: with an ellipsis in later versions.
function titlesOf(title: string): readonly string[] {
  return title.length > 40
    ? [`OC | ${title.slice(0, 37)}…`, `OC | ${title.slice(0, 37)}...`]
    : [`OC | ${title}`.trim()];
}

function modelOf(info: HookPayload, providers: unknown) {
  const model = objectIn(info, "model");
  const [providerID, modelID] = [textIn(model, "providerID"), textIn(model, "modelID")];
  const variant = textIn(model, "variant") ?? textIn(info, "variant");
  const provider = listIn(objectIn({ providers }, "providers"), "providers").find(
    (one) => textIn(one, "id") === providerID,
  );
  if (!provider || providerID === undefined || modelID === undefined) return undefined;
  const name = textIn(objectIn(objectIn(provider, "models"), modelID), "name");
  return { providerID, modelID, variant, name: `${name} ${textIn(provider, "name")}` };
}

/** The messages of a person, with the text of each as it was given. */
function givenIn(messages: readonly HookPayload[]): readonly ServerPrompt[] {
  return messages.flatMap((message) => {
    const info = objectIn(message, "info");
    const [id, { created }] = [textIn(info, "id"), objectIn(info, "time")];
    if (textIn(info, "role") !== "user" || id === undefined || typeof created !== "number") return [];
    const texts = listIn(message, "parts").filter((part) => textIn(part, "type") === "text" && part.synthetic !== true);
    return texts.map((part) => ({ text: textIn(part, "text") ?? "", at: created, called: id }));
  });
}

function titled(name: string): string {
  return name.replace(/\b\w/g, (letter) => letter.toUpperCase());
}

function list(value: unknown): readonly HookPayload[] {
  return listIn({ value }, "value");
}
