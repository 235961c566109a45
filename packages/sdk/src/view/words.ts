import type { Question } from "../shapes.ts";
import { shownLine } from "../text/visible.ts";
import { doubtWords } from "./approval.ts";
import { proposalLine } from "./proposal-words.ts";
import type { Row } from "./rows.ts";

/** What a program asks, labelled when it is only printed: any output can ask so. */
export function askedWords({ text, unverified }: Pick<Question, "text" | "unverified">): string {
  return unverified && !text.endsWith(label) ? `${text} ${label}` : text;
}

/**
 * Whether a text can answer it, be it the words with which a permission is denied: always if there is nothing to choose,
 * unless its program does not read its terminal.
 */
export function takesText({ kind, freeText, options, unverified }: Question): boolean {
  const isUnread = unverified === true && (kind === "text" || kind === "password");
  return freeText || (options.length === 0 && !isUnread) || deniesWithWords({ kind, options });
}

export function deniesWithWords({ kind, options }: Pick<Question, "kind" | "options">): boolean {
  return kind === "permission" && options.some(({ does }) => does === "deny");
}

const label = "(unverified)";

/** The reason for the status in a few words: the question, what blocks it, how it ended. Nothing in it is invisible. */
export function reasonOf(row: Row): string {
  return shownLine(plainReasonOf(row));
}

function plainReasonOf({ question, progress, status, why, end, adopted }: Row): string {
  if (progress !== "" && (status === "Draft" || status === "Stopped")) return progress;
  if (question) {
    const wanted = proposalLine(question.proposal);
    return `${wanted ?? firstLine(askedWords(question))}${doubtIn(question)}`;
  }
  if (why.detail !== undefined) return details[why.detail];
  if (end?.kind === "exited") return end.code === 0 ? "finished" : `failed with code ${end.code}`;
  if (end?.kind === "killed") return `killed by signal ${end.signal}`;
  if (end?.kind === "unknown" && adopted) return "ended in your own tmux";
  if (status === "Waiting" && why.evidence) return firstLine(why.evidence);
  return why.rule;
}

/** What a person must do, as one line: `3 fix-login asks to run npm test`. */
export function needWords(row: Row): string {
  return shownLine(`${row.id} ${row.name} ${verbOf(row)}`);
}

function verbOf(row: Row): string {
  const { question, why } = row;
  if (!question) return why.detail === undefined ? "waits for you" : details[why.detail];
  const wanted = proposalLine(question.proposal);
  if (question.kind === "permission" && wanted !== undefined) {
    return `wants to ${useOf(question.proposal)} ${wanted}${doubtIn(question)}`;
  }
  return `${kinds[question.kind]}: ${firstLine(askedWords(question))}${doubtIn(question)}`;
}

function doubtIn(question: Question): string {
  const doubt = doubtWords(question);
  return doubt === undefined ? "" : ` (${doubt})`;
}

const details = {
  quota_reached: "has reached its quota",
  login_expired: "must be logged in again",
  background_work: "works in the background",
  stuck: "seems to be stuck",
} as const;

const kinds = {
  permission: "asks for permission",
  choice: "asks you to choose",
  multi_choice: "asks you to choose",
  plan: "has a plan",
  text: "asks",
  confirm: "asks yes or no",
  password: "asks for a password",
  press_key: "waits for a key",
} as const;

function useOf(proposal: { readonly command?: string | undefined; readonly tool?: string | undefined } | undefined) {
  return proposal?.command === undefined ? "change" : "run";
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
