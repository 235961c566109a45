import type { QuestionOption } from "@paneward/sdk";
import { isQuestion, type Prompt, type PromptOption, readPrompt } from "@paneward/sdk/prompt";
import type { Agent, ScreenReading, ShownQuestion } from "../../agents/agent.ts";
import type { ScreenLook } from "../ports.ts";

/** Reads a screen: with the agent's own reader, or with the general one for a program that is not a known agent. */
export function readScreen(agent: Agent | undefined, look: ScreenLook): ScreenReading & { readonly vague?: boolean } {
  if (agent?.readScreen) return agent.readScreen(look) ?? nothing;
  const prompt = readPrompt(look.lines, look.cursor);
  if (!prompt) return nothing;
  if (!isQuestion(prompt)) return { says: "idle", rule: prompt.rule };
  return {
    says: "needs_input",
    rule: prompt.rule,
    question: questionOf(prompt, look),
    vague: prompt.confidence === "likely",
  };
}

const nothing: ScreenReading = { says: "unknown", rule: "the screen shows nothing that is known" };

function questionOf(prompt: Prompt, look: ScreenLook): ShownQuestion {
  const options = (prompt.options ?? []).map(optionOf);
  const several = options.some(({ checked }) => checked !== undefined);
  return {
    kind: prompt.kind === "menu" && several ? "multi_choice" : kinds[prompt.kind as keyof typeof kinds],
    text: prompt.text,
    options,
    freeText: prompt.kind === "text" || prompt.kind === "password",
    region: [prompt.kind, prompt.text, ...options.map(({ number, label }) => `${number} ${label}`)].join("\n"),
    ...(isLine(prompt) && !look.alternate ? { at: `${look.columns}x${look.scrolled + look.cursor.row}` } : {}),
  };
}

// The cursor waits behind it, and nothing of it is redrawn, unlike a list with a pointer or a pager's last row.
function isLine({ kind, options = [] }: Prompt): boolean {
  return kind !== "pager" && options.every(({ selected, checked }) => selected === undefined && checked === undefined);
}

const kinds = {
  confirm: "confirm",
  password: "password",
  press_key: "press_key",
  pager: "press_key",
  menu: "choice",
  text: "text",
} as const;

// Options that have a letter, or nothing, are numbered by their place.
function optionOf({ key, label, selected, checked }: PromptOption, at: number): QuestionOption {
  const number = key !== undefined && /^\d{1,4}$/.test(key) ? Number(key) : undefined;
  return {
    number: number ?? at + 1,
    label,
    ...(key === undefined || number !== undefined ? {} : { key }),
    ...(selected === undefined ? {} : { selected }),
    ...(checked === undefined ? {} : { checked }),
  };
}
