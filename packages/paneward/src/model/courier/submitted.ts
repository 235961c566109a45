import { promptHookMs } from "../timing.ts";
import { type Arrival, endsAdded, endsDropped, withPlainLineEnds } from "./delivery-plan.ts";

/** A text that was submitted in an agent's input line, and its delivery. */
export interface Submitted {
  readonly delivery: string;
  /** How it may arrive, what is known of the agent first. */
  readonly arrivals: readonly Arrival[];
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
export function isItsText(one: Expected, prompt: string): boolean {
  return arrivalsLike(one, prompt).length > 0;
}

/** How the prompt that an agent reports differs from what was sent; undefined when it does not. */
export function changeOf(one: Expected, prompt: string): string | undefined {
  const got = withPlainLineEnds(prompt);
  const like = arrivalsLike(one, prompt);
  const [first] = like;
  if (one.behind) return first?.changed;
  const nearest = like.find(({ text }) => text === got) ?? like.find(({ text }) => text.includes(got)) ?? first;
  if (!nearest || nearest.text === got) return nearest?.changed;
  // Claude Code trims what it queues.
  const ends = nearest.text.includes(got) ? endsDropped : endsAdded;
  return nearest.changed === undefined ? ends : `${nearest.changed}; ${ends}`;
}

type Expected = Pick<Submitted, "arrivals" | "behind">;

function arrivalsLike({ arrivals, behind = false }: Expected, prompt: string): readonly Arrival[] {
  const words = bare(prompt);
  const isIt = (text: string) => (behind ? text !== "" && words.endsWith(text) : text === words);
  return arrivals.filter(({ text }) => isIt(bare(text)));
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
