import type { Agent, Turn } from "@paneward/sdk";
import type { TurnRecord, Way } from "../records.ts";
import { endDrawnWithinMs, promptHookWithinMs } from "../timing.ts";

/** Something that happened in a conversation, and how it became known. */
export interface Fact extends Pick<Turn, "actor" | "intent">, Partial<Pick<Turn, "text" | "question" | "delivery">> {
  readonly way: Way;
  /** The agent's own id of it: two hooks of one prompt have the same. */
  readonly called?: string;
  /** When a text was sent through Paneward: an older report cannot be about it. */
  readonly since?: number;
}

/** How long ago a turn was made, whatever happened to the machine's clock since. */
type AgeMs = (turn: TurnRecord) => number;

/**
 * The turn that records the same already; undefined when this is something new. Each way reports each fact once and in
 * order, so a fact is the oldest one of its kind that its way has not reported yet.
 */
export function sameTurn(
  turns: readonly TurnRecord[],
  fact: Fact,
  { state, ageMs }: { readonly state: Agent["state"]; readonly ageMs: AgeMs },
): TurnRecord | undefined {
  const spoken = turns.filter(({ intent }) => intent !== "progress");
  if (fact.actor === "user") return fact.way === "told" ? sameReported(spoken, fact, ageMs) : sameGiven(spoken, fact);
  if (fact.intent === "question") return sameQuestion(spoken, fact, state);
  if (fact.intent === "progress") return sameProgress(turns, fact);
  return sameEnd(spoken, fact, state, ageMs);
}

/** The turn with all that is known of it by now. The order of the reports makes no difference. */
export function withFact(turn: TurnRecord, fact: Fact): TurnRecord {
  const ways = known(turn).includes(fact.way) ? known(turn) : [...known(turn), fact.way];
  const question = turn.question ?? fact.question;
  const delivery = turn.delivery ?? fact.delivery;
  const called = turn.called ?? fact.called;
  return {
    ...turn,
    ...{ intent: intentOf(turn, fact), text: textOf(turn, fact), ways },
    ...(question === undefined ? {} : { question }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(called === undefined ? {} : { called }),
  };
}

/** Whether a newer turn exists: then a late hook of this one says nothing about the agent's state. */
export function isOver(turns: readonly TurnRecord[], turn: TurnRecord): boolean {
  return turns.findLast(({ intent }) => intent !== "progress")?.id !== turn.id;
}

// An answer typed as a prompt is an answer and a command at once.
function sameReported(spoken: readonly TurnRecord[], fact: Fact, ageMs: AgeMs): TurnRecord | undefined {
  const alike = spoken.filter((turn) => turn.actor === "user" && words(turn) === words(fact));
  const again = alike.find(({ called }) => called !== undefined && called === fact.called);
  // The prompt that it was started with may wait for hours, until a person answers a dialog of the agent's first start.
  const mayCome = (turn: TurnRecord) => turn.delivery === undefined || ageMs(turn) < promptHookWithinMs;
  return again ?? alike.find((turn) => lacks(turn, "told") && mayCome(turn));
}

function sameGiven(spoken: readonly TurnRecord[], fact: Fact): TurnRecord | undefined {
  const { delivery, since = Number.POSITIVE_INFINITY } = fact;
  const again = spoken.find((turn) => delivery !== undefined && turn.delivery === delivery);
  const before = (turn: TurnRecord) => turn.actor === "user" && lacks(turn, "given") && turn.at >= since;
  return again ?? spoken.find((turn) => before(turn) && words(turn) === words(fact));
}

// The question book decides which dialogs are one question; a hook may arrive before it did.
function sameQuestion(spoken: readonly TurnRecord[], fact: Fact, state: Agent["state"]): TurnRecord | undefined {
  const last = spoken.at(-1);
  if (fact.question !== undefined) {
    const again = spoken.findLast(({ intent, question }) => intent === "question" && question === fact.question);
    const unnamed = last?.intent === "question" && last.question === undefined && lacks(last, fact.way);
    return again ?? (unnamed ? last : undefined);
  }
  const unreported = sinceReported(spoken).find((turn) => turn.intent === "question" && lacks(turn, fact.way));
  const again = last?.intent === "question" && state === "awaiting_input" && words(last) === words(fact);
  return unreported ?? (again ? last : undefined);
}

function sameProgress(turns: readonly TurnRecord[], fact: Fact): TurnRecord | undefined {
  const last = turns.at(-1);
  return last?.intent === "progress" && words(last) === words(fact) ? last : undefined;
}

// A screen that still shows work after the agent reported its end shows the same work. An agent without hooks may have
// got a new prompt by hand, but not within so short a time.
function sameEnd(
  spoken: readonly TurnRecord[],
  fact: Fact,
  state: Agent["state"],
  ageMs: AgeMs,
): TurnRecord | undefined {
  const last = spoken.at(-1);
  const ended = last && isEnd(last) ? last : undefined;
  if (fact.way !== "told") {
    const isSame = ended && (state === "complete" || !lacks(ended, "told") || ageMs(ended) < endDrawnWithinMs);
    return isSame ? ended : undefined;
  }
  // Hooks that report nothing but ends do not say which one it is.
  const reportsMore = spoken.some((turn) => !isEnd(turn) && !lacks(turn, "told"));
  const awaited = reportsMore ? sinceReported(spoken) : spoken.slice(-1);
  const unreported = awaited.find((turn) => isEnd(turn) && lacks(turn, "told"));
  return unreported ?? (ended && state === "complete" && words(ended) === words(fact) ? ended : undefined);
}

/** What came after the last turn that a hook reported: hooks come in the order of what they report. */
function sinceReported(spoken: readonly TurnRecord[]): readonly TurnRecord[] {
  return spoken.slice(spoken.findLastIndex((turn) => !lacks(turn, "told")) + 1);
}

function isEnd({ intent }: TurnRecord): boolean {
  return intent === "completion" || intent === "end_of_task";
}

// Turns of an earlier release do not say how they became known: no more reports are expected of them.
function lacks(turn: TurnRecord, way: Way): boolean {
  return turn.ways !== undefined && !turn.ways.includes(way);
}

function known({ ways = [] }: TurnRecord): readonly Way[] {
  return ways;
}

function intentOf(turn: TurnRecord, fact: Fact): Turn["intent"] {
  if (turn.intent === "command" && fact.intent === "answer") return "answer";
  return turn.intent === "end_of_task" && fact.way === "told" ? fact.intent : turn.intent;
}

// The sent text is the most exact. A hook reports a command whole; a dialog may show only a part, and more of it later.
function textOf(turn: TurnRecord, { intent, text = "", way }: Fact): string {
  if (text === "") return turn.text;
  if (intent === "question") return way === "told" || !known(turn).includes("told") ? text : turn.text;
  if (turn.intent === "end_of_task" && way === "told") return text;
  return way === "given" || turn.text === "" ? text : turn.text;
}

// Agents trim what they are given, and a terminal has one kind of line end.
function words({ text = "" }: { readonly text?: string }): string {
  return text.replace(/\s+/g, " ").trim();
}
