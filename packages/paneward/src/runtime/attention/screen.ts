import type { QuestionOption } from "@paneward/sdk";
import { isQuestion, lineAtCursor, type Prompt, type PromptOption, readPrompt } from "@paneward/sdk/prompt";
import type { Agent, ScreenReading, ShownQuestion } from "../../agents/agent.ts";
import { withApproval } from "../../agents/approval.ts";
import type { PanePlace } from "../../model/records.ts";
import type { Listening, ScreenLook, Terminals } from "../ports.ts";

export interface SeenScreen extends ScreenReading {
  /** It may be prose. */
  readonly vague?: boolean;
  /** Only printed: any output can say so. */
  readonly unverified?: boolean;
  /** How the terminal takes input, if that was looked at. */
  readonly listening?: Listening;
}

/**
 * Looks at a pane and reads its screen; where that shows a prompt, also how its terminal takes input. What is known of that from
 * a moment ago, or is being asked, is used.
 */
export async function seeScreen(
  terminals: Pick<Terminals, "look" | "listens">,
  host: string,
  place: PanePlace,
  agent: Agent | undefined,
  known?: Promise<Listening>,
): Promise<{ readonly look: ScreenLook; readonly seen: SeenScreen }> {
  const look = await terminals.look(host, place);
  const listening = mayPrompt(agent, look) ? await (known ?? terminals.listens(host, place)) : undefined;
  return { look, seen: readScreen(agent, look, listening) };
}

/**
 * Reads a screen: with the agent's own reader, or with the general one for a program that is not a known agent. Whatever
 * the words are, a line behind which nothing is echoed asks for a secret.
 */
export function readScreen(agent: Agent | undefined, look: ScreenLook, listening?: Listening): SeenScreen {
  if (agent?.readScreen) return meaning(agent, agent.readScreen(look) ?? notUnderstood(look));
  const found = readPrompt(look.lines, look.cursor);
  const line = listening?.hidden ? lineAtCursor(look.lines, look.cursor) : undefined;
  const prompt = line === undefined || (found && isQuestion(found)) ? found : hiddenPrompt(line);
  const known = listening === undefined ? {} : { listening };
  if (!prompt) return { ...nothing, ...known };
  if (!isQuestion(prompt)) return { says: "idle", rule: prompt.rule, unverified: true, ...known };
  const question = questionOf(prompt, look, listening?.reads === "yes", line !== undefined);
  const vague = prompt.confidence === "likely" && line === undefined;
  return { says: "needs_input", rule: prompt.rule, question, unverified: true, vague, ...known };
}

function meaning({ approval }: Agent, reading: ScreenReading): ScreenReading {
  return reading.question ? { ...reading, question: withApproval(reading.question, approval) } : reading;
}

const nothing: ScreenReading = { says: "unknown", rule: "the screen shows nothing that is known" };

// Another program may have the agent's name, or it is another version.
function notUnderstood({ lines }: ScreenLook): ScreenReading {
  const isBlank = lines.every((line) => line.trim() === "");
  return { says: "unknown", rule: isBlank ? "its screen is empty" : "its screen is not understood" };
}

function hiddenPrompt(text: string): Prompt {
  return { kind: "password", text, rule: "its terminal does not echo what is typed", confidence: "sure" };
}

// What is surely the prompt of a command line has its own line editor, which echoes by itself.
function mayPrompt(agent: Agent | undefined, look: ScreenLook): boolean {
  if (agent?.readScreen) return false;
  const prompt = readPrompt(look.lines, look.cursor);
  if (prompt) return isQuestion(prompt) || prompt.confidence === "likely";
  return lineAtCursor(look.lines, look.cursor) !== undefined;
}

function questionOf(prompt: Prompt, look: ScreenLook, reads: boolean, hidden: boolean): ShownQuestion {
  const options = (prompt.options ?? []).map(optionOf);
  const several = options.some(({ checked }) => checked !== undefined);
  const shown = prompt.kind === "menu" && several ? "multi_choice" : kinds[prompt.kind as keyof typeof kinds];
  return {
    kind: hidden ? "password" : shown,
    text: prompt.text,
    options,
    freeText: reads && (hidden || prompt.kind === "text" || prompt.kind === "password"),
    unverified: true,
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
