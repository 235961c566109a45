import { promptHookMs } from "../timing.ts";

/** A text that was submitted in an agent's input line, and its delivery. */
export interface Submitted {
  readonly delivery: string;
  readonly text: string;
  /** When Enter was about to be pressed, in monotonic time. */
  readonly at: number;
}

/**
 * The delivery that a hook's prompt belongs to: the oldest with the same text that no hook has reported yet. Undefined
 * for a prompt from before Enter was pressed, or with another text: it was not a delivery of ours.
 */
export function submittedAs(waiting: readonly Submitted[], prompt: string, givenAt: number): Submitted | undefined {
  const words = bare(prompt);
  return words === "" ? undefined : waiting.find(({ text, at }) => at <= givenAt && bare(text) === words);
}

/** Those that a hook may still report; only the newest of them. */
export function stillWaiting(waiting: readonly Submitted[], now: number): readonly Submitted[] {
  return waiting.filter(({ at }) => now - at < promptHookMs).slice(-maxWaiting);
}

const maxWaiting = 50;

// Agents trim what they are given, and a terminal has one kind of line end.
function bare(text: string): string {
  return text.replace(/\r\n?/g, "\n").trim();
}
