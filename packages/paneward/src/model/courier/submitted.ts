import { promptHookMs } from "../timing.ts";

/** A text that was sent off in an agent's input line, and which delivery it was. */
export interface Submitted {
  readonly delivery: string;
  readonly text: string;
  /** When Enter was about to be pressed, in monotonic time. */
  readonly at: number;
}

/**
 * Which delivery a prompt is that an agent's hook reports: the oldest with these words that no hook has reported yet. A
 * prompt that was given before Enter, in other words or by somebody else is none of them.
 */
export function submittedAs(waiting: readonly Submitted[], prompt: string, givenAt: number): Submitted | undefined {
  const words = bare(prompt);
  return words === "" ? undefined : waiting.find(({ text, at }) => at <= givenAt && bare(text) === words);
}

/** Those whose hook may still come; the newest only. */
export function stillWaiting(waiting: readonly Submitted[], now: number): readonly Submitted[] {
  return waiting.filter(({ at }) => now - at < promptHookMs).slice(-maxWaiting);
}

const maxWaiting = 50;

// Agents trim what they are given, and a terminal has one kind of line end.
function bare(text: string): string {
  return text.replace(/\r\n?/g, "\n").trim();
}
