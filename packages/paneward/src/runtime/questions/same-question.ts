import type { Proposal, Question } from "@paneward/sdk";
import { compareHashes, type IdentifiedQuestion } from "../attention/question-identity.ts";

/** Whether what is asked now is the question that is open already. */
export function isSameQuestion(open: Question, now: IdentifiedQuestion): boolean {
  if (open.request !== undefined && now.request !== undefined) return open.request === now.request;
  const sight = open.screenHash === "" || now.hash === "" ? "different" : compareHashes(open.screenHash, now.hash);
  if (sight !== "different") return sight === "same";
  // A hook or a file reported one of the two, before or without its dialog.
  if (open.screenHash === "" || now.hash === "") return likeness(open.proposal, now.proposal) !== "no";
  // Redrawn in another width, or text is typed behind it. Two permissions in a row often differ in their command alone.
  return open.kind === now.kind && isDraftOf(open.text, now.text) && sameOptions(open, now) && !contradicts(open, now);
}

/** The question with all that is known of it by now; undefined when nothing is new. */
export function withNews(open: Question, now: IdentifiedQuestion, at: number): Question | undefined {
  // An answer is refused when the screen shows another hash, so a redrawn dialog gets its new one.
  const drawnAnew = now.hash !== open.screenHash && (now.options.length > 0 || now.text === open.text);
  const better = now.hash !== "" && (open.screenHash === "" || drawnAnew);
  // The agent reports its own request whole.
  const isReported = open.request === undefined && now.request !== undefined;
  const request = open.request ?? now.request;
  const proposal = isReported ? (now.proposal ?? open.proposal) : (open.proposal ?? now.proposal);
  const next: Question = {
    ...open,
    ...(better
      ? { kind: now.kind, text: now.text, options: [...now.options], freeText: now.freeText, screenHash: now.hash }
      : {}),
    ...(now.hash === "" || open.screenHash !== "" ? {} : { drawnAt: at }),
    ...(proposal === undefined ? {} : { proposal }),
    ...(request === undefined ? {} : { request }),
  };
  return JSON.stringify(next) === JSON.stringify(open) ? undefined : next;
}

/** Whether a reader of the question sees a difference: a redrawn dialog has another hash and the same text. */
export function looksDifferent(before: Question, now: Question): boolean {
  const shown = ({ screenHash: _hash, drawnAt: _drawn, ...rest }: Question) => JSON.stringify(rest);
  return shown(before) !== shown(now);
}

/** Whether a question is the one that a hook reported. */
export function matchesHook(
  { kind, text, proposal }: Pick<Question, "kind" | "text" | "proposal">,
  hook: Pick<IdentifiedQuestion, "kind" | "text" | "proposal">,
): Likeness {
  if (kind !== hook.kind) return "no";
  if (kind === "permission") return likeness(proposal, hook.proposal);
  return kind === "plan" || begins(text, hook.text) ? "yes" : "no";
}

export type Likeness = "yes" | "no" | "maybe";

// A screen shows a path from where the agent works, a long command cut or wrapped, and a part of a change.
function likeness(one: Proposal = {}, other: Proposal = {}): Likeness {
  if (one.command !== undefined && other.command !== undefined)
    return begins(one.command, other.command) ? "yes" : "no";
  if (one.path !== undefined && other.path !== undefined) {
    return isPathOf(one.path, other.path) || isPathOf(other.path, one.path) ? "yes" : "no";
  }
  return "maybe";
}

function isPathOf(whole: string, part: string): boolean {
  return whole === part || whole.endsWith(`/${part.replace(/^\.?\//, "")}`);
}

function begins(one: string, other: string): boolean {
  const [a = "", b = ""] = [one, other].map((text) => text.replace(/\s+/g, ""));
  return a === b || (a !== "" && b !== "" && (a.startsWith(b) || b.startsWith(a)));
}

function contradicts({ proposal: open }: Question, { proposal: now }: IdentifiedQuestion): boolean {
  return differ(open?.command ?? open?.path, now?.command ?? now?.path) || differ(open?.diff, now?.diff);
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

// Text is typed behind the question: the line grew, the question is the same.
function isDraftOf(before: string, now: string): boolean {
  return before === now || (before !== "" && now.startsWith(before));
}

function sameOptions(open: Question, now: IdentifiedQuestion): boolean {
  const labels = (options: IdentifiedQuestion["options"]) =>
    options.map(({ number, label }) => `${number} ${label}`).join("\n");
  return labels(open.options) === labels(now.options);
}
