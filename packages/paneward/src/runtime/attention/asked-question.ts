import type { Proposal, Why } from "@paneward/sdk";
import { type Evidence, freshAt } from "../../model/attention/evidence.ts";
import type { Verdict } from "../../model/attention/judge.ts";
import { hookQuestionWaitsMs, wordlessQuestionWaitsMs } from "../../model/timing.ts";
import { agreement } from "./agreement.ts";
import { type IdentifiedQuestion, proofOf } from "./question-identity.ts";
import { requestShown, showsRequest } from "./shows-request.ts";

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
  const reported = saying("event_stream") ?? saying("hook") ?? saying("extension");
  const requests = reported?.question ? [reported.question, ...(reported.others ?? [])] : [];
  const hook = (shown?.question && requestShown(shown.question, requests).request) ?? requests[0];
  const { since, source } = verdict.why;
  // A dialog that was seen before the report may be the one before it, unless it shows what was reported: look again.
  if (shown?.question && (freshAt(shown) >= since || showsIt(shown.question, hook))) {
    return { question: merged(shown.question, requests) };
  }
  if (hook) return readsScreen ? later(hook, since + hookQuestionWaitsMs, now) : { question: hook };
  if (source === "bell") return {};
  return later(nameless(verdict.why, readsScreen), since + wordlessQuestionWaitsMs, now);
}

function showsIt(screen: IdentifiedQuestion, hook: IdentifiedQuestion | undefined): boolean {
  const sight = hook && showsRequest(screen, hook);
  return sight === "whole" || sight === "part";
}

/**
 * One dialog, reported and drawn. The agent's own word about what it would do wins: its screen cuts and wraps it. Where
 * the two differ, both are kept, and neither proves the other.
 */
function merged(screen: IdentifiedQuestion, requests: readonly IdentifiedQuestion[]): IdentifiedQuestion {
  const { request: hook, isAmbiguous } = requestShown(screen, requests);
  if (isAmbiguous) return doubted(screen, "several requests that wait would look like this");
  const [other] = hook ? [hook] : requests.filter(({ kind }) => kind === screen.kind);
  if (!other) return screen;
  const { proposal, request } = other;
  const agrees = proposal === undefined ? "same" : agreement(screen, other);
  if (agrees === "other" && proposal !== undefined) return disputed(screen, proposal);
  if (!hook) return screen;
  const bound = request === undefined ? screen : { ...screen, request };
  if (agrees === "unclear" && screen.proposal !== undefined) return bound;
  if (proposal === undefined) return bound;
  const { whole: _whole, proof: _proof, doubt: _doubt, ...asked } = bound;
  return { ...asked, proposal, ...proofOf(hook) };
}

function disputed(screen: IdentifiedQuestion, reported: Proposal): IdentifiedQuestion {
  return { ...doubted(screen, "its screen shows something else than the agent itself reported"), reported };
}

function doubted(screen: IdentifiedQuestion, doubt: string): IdentifiedQuestion {
  const { proof: _proof, ...rest } = screen;
  return { ...rest, whole: false, doubt };
}

function later(question: IdentifiedQuestion, at: number, now: number): AskedOrSoon {
  return now >= at ? { question } : { waitUntil: at };
}

// A file, a title or a printed report says that it waits, and nothing shows what for: a plain program shows no line to type in.
function nameless({ rule, unverified }: Why, freeText: boolean): IdentifiedQuestion {
  const question = { kind: "text", text: rule, options: [], freeText, region: "", hash: "" } as const;
  return unverified ? { ...question, unverified } : question;
}
