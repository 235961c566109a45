import type { Proposal, Question } from "@paneward/sdk";
import { agreement, isSameCommand, isSamePath } from "../attention/agreement.ts";
import { compareHashes, type IdentifiedQuestion, isOtherWidth, proofOf } from "../attention/question-identity.ts";
import { isToolNamed } from "../attention/tool-names.ts";

/** Whether what is asked now is the question that is open already. */
export function isSameQuestion(open: Question, now: IdentifiedQuestion): boolean {
  if (open.request !== undefined && now.request !== undefined) return open.request === now.request;
  // A request that was reported is the dialog that shows it, and no other; nor is it what was reported without words.
  if (open.screenHash === "" && now.hash === "" && open.request !== now.request) return false;
  const isUndrawn = open.request !== undefined && open.screenHash === "";
  if (isUndrawn && now.hash !== "" && now.kind === "permission") return false;
  const sight = open.screenHash === "" || now.hash === "" ? "different" : compareHashes(open.screenHash, now.hash);
  if (sight === "same" || sight === "moved") return sight === "same";
  // A hook or a file reported one of the two, before or without its dialog.
  if (now.hash !== "" && open.screenHash === "") return agreement(now, open) !== "other";
  if (now.hash === "") return isReportOf(open, now);
  // Redrawn in another width, or text is typed behind it.
  if (open.kind !== now.kind || !isDraftOf(open.text, now.text) || !sameOptions(open, now)) return false;
  return !allows.has(open.kind) || (isOtherWidth(open.screenHash, now.hash) && isProvedEqual(open, now));
}

/** Kinds with which something is allowed: two in a row often differ in a character alone. */
const allows: ReadonlySet<Question["kind"]> = new Set(["permission", "plan", "confirm"]);

// At another width every line breaks elsewhere, so only what both of them prove can be compared.
function isProvedEqual(open: Question, now: IdentifiedQuestion): boolean {
  if (open.kind === "confirm") return open.text === now.text;
  return open.whole === true && now.whole === true && isSameProposal(open.proposal, now.proposal);
}

function isSameProposal(one: Proposal = {}, other: Proposal = {}): boolean {
  return parts.every((part) => one[part] === other[part]);
}

const parts = ["tool", "command", "path", "diff", "more"] as const;

/** The question with all that is known of it by now; undefined when nothing is new. */
export function withNews(open: Question, now: IdentifiedQuestion, at: number): Question | undefined {
  // An answer is refused when the screen shows another hash, so a redrawn dialog gets its new one.
  const drawnAnew = now.hash !== open.screenHash && (now.options.length > 0 || now.text === open.text);
  const better = now.hash !== "" && (open.screenHash === "" || drawnAnew);
  const request = open.request ?? now.request;
  const known = knowsMore(open, now) ? now : open;
  const proposal = known.proposal ?? open.proposal ?? now.proposal;
  const { whole: _whole, proof: _proof, doubt: _doubt, reported: _reported, ...rest } = open;
  const next: Question = {
    ...rest,
    ...(better
      ? { kind: now.kind, text: now.text, options: [...now.options], freeText: now.freeText, screenHash: now.hash }
      : {}),
    // A program may begin to read its terminal, or turn its echo off, after it asked.
    ...(now.hash !== "" && now.hash === open.screenHash ? { kind: now.kind, freeText: now.freeText } : {}),
    ...(now.hash === "" || open.screenHash !== "" ? {} : { drawnAt: at }),
    ...(proposal === undefined ? {} : { proposal }),
    ...proofOf(known),
    ...(request === undefined ? {} : { request }),
  };
  return sorted(next) === sorted(open) ? undefined : next;
}

/**
 * Whether what is known now replaces what was known. The agent's own word about this dialog outweighs its screen; a
 * dialog that was reported and is drawn with something else is no longer proved by the report.
 */
function knowsMore(open: Question, now: IdentifiedQuestion): boolean {
  if (now.reported !== undefined) return open.proof !== "agent" || open.screenHash !== now.hash;
  const isReported = open.request === undefined && now.request !== undefined && now.proposal !== undefined;
  return isReported || strength(now) > strength(open);
}

function strength({ proof, reported, whole }: Pick<Question, "proof" | "reported" | "whole">): number {
  if (proof === "agent") return 4;
  if (reported !== undefined) return 3;
  return proof === "screen" ? 2 : Number(whole !== undefined);
}

/**
 * Whether a reader of the question sees a difference: a redrawn dialog has another hash and the same text. Who confirms
 * what was read on the screen needs the hash.
 */
export function looksDifferent(before: Question, now: Question): boolean {
  if (now.whole === false && before.screenHash !== now.screenHash) return true;
  const shown = ({ screenHash: _hash, drawnAt: _drawn, ...rest }: Question) => sorted(rest);
  return shown(before) !== shown(now);
}

// Whatever the order of the fields.
function sorted(question: object): string {
  return JSON.stringify(Object.entries(question).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Whether a report can be of the question that is open. A report without words says only that something is asked. With
 * words it must be what the dialog proposes, part by part: if it became part of a dialog that proposes something else, who
 * reads the report would answer that dialog.
 */
function isReportOf(open: Question, now: IdentifiedQuestion): boolean {
  const { proposal: reported, request } = now;
  if (reported === undefined) return request === undefined || (open.kind === now.kind && open.text.includes(now.text));
  // Nothing is drawn yet that could be answered instead.
  if (open.screenHash === "" && open.proposal === undefined) return true;
  // Of what is cut, the rest may be anything.
  if (open.kind !== now.kind || (open.screenHash !== "" && open.whole === false)) return false;
  const { proposal: known = {} } = open;
  if (isSameProposal(known, reported) || open.proof === "agent") return isSameProposal(known, reported);
  const isSame =
    isEqual(known.command, reported.command, isCommandOf) && isEqual(known.path, reported.path, isSamePath);
  if (!isSame || known.diff !== reported.diff || known.more !== reported.more) return false;
  // A dialog has other names for tools that run a command or change a file.
  return (known.command ?? known.path) !== undefined || isEqual(known.tool, reported.tool, isToolNamed);
}

function isEqual(
  known: string | undefined,
  reported: string | undefined,
  isSame: (known: string, reported: string) => boolean,
): boolean {
  return known === undefined || reported === undefined ? known === reported : isSame(known, reported);
}

// Agents draw neither tabs nor control characters, so with them another command may look the same.
function isCommandOf(known: string, reported: string): boolean {
  if (known === reported) return true;
  return !/[^\P{C}\n]/u.test(reported) && isSameCommand({ proposal: { command: known } }, reported);
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
