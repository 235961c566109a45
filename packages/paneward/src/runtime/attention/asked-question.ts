import { type Evidence, freshAt } from "../../model/attention/evidence.ts";
import type { Verdict } from "../../model/attention/judge.ts";
import { hookQuestionWaitsMs, wordlessQuestionWaitsMs } from "../../model/timing.ts";
import type { IdentifiedQuestion } from "./question-identity.ts";

export interface AskedOrSoon {
  readonly question?: IdentifiedQuestion;
  /** No witness shows the question yet; it is reported as it is at this time. */
  readonly waitUntil?: number;
}

/**
 * The question behind "it needs input". A hook knows what would be done, the screen knows how it can be answered; a
 * hook arrives before the dialog is drawn, so the screen gets a moment. A bell asks nothing.
 */
export function askedBy(
  verdict: Verdict<IdentifiedQuestion>,
  evidence: readonly Evidence<IdentifiedQuestion>[],
  now: number,
  readsScreen: boolean,
): AskedOrSoon {
  if (verdict.says !== "needs_input") return {};
  const saying = (witness: Evidence["witness"]) =>
    evidence.find((one) => one.witness === witness && one.says === "needs_input" && one.question);
  const shown = saying("screen");
  const hook = (saying("event_stream") ?? saying("hook") ?? saying("extension"))?.question;
  const { since, source, rule } = verdict.why;
  // A dialog that was seen before the report may be the one before it, unless it shows what was reported: look again.
  if (shown?.question && (freshAt(shown) >= since || showsIt(shown.question, hook))) {
    return { question: merged(shown.question, hook) };
  }
  if (hook) return readsScreen ? later(hook, since + hookQuestionWaitsMs, now) : { question: hook };
  if (source === "bell") return {};
  return later(nameless(rule), since + wordlessQuestionWaitsMs, now);
}

function showsIt(screen: IdentifiedQuestion, hook: IdentifiedQuestion | undefined): boolean {
  const { command, path } = hook?.proposal ?? {};
  return hook !== undefined && (command ?? path) !== undefined && fits(screen, hook);
}

/** One dialog, reported and drawn. Two queued dialogs do not have the same text. */
function merged(screen: IdentifiedQuestion, hook: IdentifiedQuestion | undefined): IdentifiedQuestion {
  if (!hook || !fits(screen, hook)) return screen;
  const { request, proposal } = hook;
  // An agent reports its own request whole; its screen cuts and wraps it.
  if (request !== undefined) return { ...screen, request, ...(proposal === undefined ? {} : { proposal }) };
  return proposal === undefined || screen.proposal !== undefined ? screen : { ...screen, proposal };
}

function fits(screen: IdentifiedQuestion, hook: IdentifiedQuestion): boolean {
  if (hook.request !== undefined && hook.kind !== screen.kind) return false;
  const { command, path } = hook.proposal ?? {};
  const what = command ?? path ?? (hook.request !== undefined && hook.proposal === undefined ? hook.text : undefined);
  if (what === undefined) return true;
  const shown = squeezed(`${screen.region} ${screen.text}`);
  // A long command is cut or wrapped on the screen; its beginning is there.
  return shown.includes(squeezed(what).slice(0, 24));
}

function squeezed(text: string): string {
  return text.replace(/[\s│┃|]+/g, "");
}

function later(question: IdentifiedQuestion, at: number, now: number): AskedOrSoon {
  return now >= at ? { question } : { waitUntil: at };
}

// A file or a title says that it waits, and nothing shows what for.
function nameless(rule: string): IdentifiedQuestion {
  return { kind: "text", text: rule, options: [], freeText: true, region: "", hash: "" };
}
