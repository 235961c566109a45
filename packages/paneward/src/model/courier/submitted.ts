import { promptHookMs } from "../timing.ts";
import { endsAdded, endsDropped, withPlainLineEnds } from "./delivery-plan.ts";

/** A text that was submitted in an agent's input line, and its delivery. */
export interface Submitted {
  readonly delivery: string;
  readonly text: string;
  /** When Enter was about to be pressed, in monotonic time. */
  readonly at: number;
  /** It was typed behind a draft, which is submitted with it. */
  readonly behind?: boolean;
  /** The ways by which it was reported so far. */
  readonly ways?: readonly string[];
}

/**
 * The delivery that a reported prompt belongs to: the oldest with the same text that was not reported this way yet. Every
 * way, such as a hook or the rule of a record, reports a prompt once. Undefined for a prompt from before Enter was pressed,
 * or with another text: it was not a delivery of ours.
 */
export function submittedAs(
  waiting: readonly Submitted[],
  prompt: string,
  givenAt: number,
  way: string,
): Submitted | undefined {
  const words = bare(prompt);
  const isIt = (one: Submitted) => {
    return one.at <= givenAt && isItsText(one, prompt) && one.ways?.includes(way) !== true;
  };
  return words === "" ? undefined : waiting.find(isIt);
}

/** Whether a prompt is the text of this delivery. Agents trim what they are given. */
export function isItsText({ text, behind = false }: Pick<Submitted, "text" | "behind">, prompt: string): boolean {
  return behind ? bare(text) !== "" && bare(prompt).endsWith(bare(text)) : bare(text) === bare(prompt);
}

/** How this text differs from the prompt that an agent reports for it: Claude Code trims what it queues. */
export function changeOf(
  { text, behind = false }: Pick<Submitted, "text" | "behind">,
  prompt: string,
): string | undefined {
  const got = withPlainLineEnds(prompt);
  if (behind || got === text) return undefined;
  return text.includes(got) ? endsDropped : endsAdded;
}

/** Those that may still be reported; only the newest of them. */
export function stillWaiting(waiting: readonly Submitted[], now: number): readonly Submitted[] {
  return waiting.filter(({ at }) => now - at < promptHookMs).slice(-maxWaiting);
}

const maxWaiting = 50;

// Agents trim what they are given, and a terminal has one kind of line end.
function bare(text: string): string {
  return withPlainLineEnds(text).trim();
}
