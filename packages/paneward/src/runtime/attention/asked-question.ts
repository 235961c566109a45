import { type Evidence, freshAt } from "../../model/attention/evidence.ts";
import type { Verdict } from "../../model/attention/judge.ts";
import { hookQuestionWaitsMs, wordlessQuestionWaitsMs } from "../../model/timing.ts";
import type { IdentifiedQuestion } from "./question-identity.ts";

export interface AskedOrSoon {
  readonly question?: IdentifiedQuestion;
  /** Nobody can show the question yet; whoever waits for it gives up then. */
  readonly waitUntil?: number;
}

/**
 * The question behind "it needs input". A hook knows what would be done, the screen knows how it can be answered; a
 * hook comes before the dialog is drawn, so the screen gets a moment. A bell asks nothing.
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
  const told = saying("event_stream") ?? saying("hook") ?? saying("extension");
  const hook = told?.question;
  const { since, source, rule } = verdict.why;
  // What was seen before that may be the dialog before, unless it shows just what was told: another look is due.
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

/** The same dialog, told twice. Two dialogs that wait in line share no words. */
function merged(screen: IdentifiedQuestion, hook: IdentifiedQuestion | undefined): IdentifiedQuestion {
  if (!hook || !fits(screen, hook)) return screen;
  const { request, proposal } = hook;
  // What an agent tells of its own request is whole; its screen cuts and wraps it.
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

// A file or a title says that it waits, and nobody can read what for.
function nameless(rule: string): IdentifiedQuestion {
  return { kind: "text", text: rule, options: [], freeText: true, region: "", hash: "" };
}
