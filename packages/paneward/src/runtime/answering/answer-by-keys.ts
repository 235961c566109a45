import { PanewardError, type Question } from "@paneward/sdk";
import type { Agent, KeyStep, ShownQuestion } from "../../agents/agent.ts";
import { plainAnswer } from "../../agents/plain-answer.ts";
import type { GivenAnswer } from "../../model/answer.ts";
import type { PanePlace, TerminalRecord } from "../../model/records.ts";
import { dialogDrawnMs, goneByKeysMs } from "../../model/timing.ts";
import { agentIn } from "../agent-kind.ts";
import { screenHash } from "../attention/question-identity.ts";
import { type SeenScreen, seeScreen } from "../attention/screen.ts";
import { graceLeft } from "../courier/dialog-grace.ts";
import type { PaneWriter, Typist } from "../courier/typist.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import { runAgain } from "../running.ts";
import { isGone, isSame, type LookDeps } from "./open-question.ts";
import { requireConfirmation } from "./require-confirmation.ts";
import { requireReading } from "./require-reading.ts";

export interface KeysDeps extends LookDeps {
  readonly typist: Typist;
  readonly questions: Pick<QuestionBook, "drawnAt">;
}

/** Where an answer reports how far it got. */
export interface Way {
  /** Left in the pane with every key. */
  readonly mark: string;
  /** From now on the agent may have it. */
  readonly begin: () => void;
  /** It is a secret: nothing of it may stay on record. */
  readonly hide: () => void;
  readonly report: (state: "held" | "typed" | "submitted" | "acknowledged", reason?: string) => void;
}

/** Presses the keys that give this answer, if the question is still the same, and waits until it is gone. */
export async function answerByKeys(
  deps: KeysDeps,
  terminal: TerminalRecord,
  question: Question,
  answer: GivenAnswer,
  way: Way,
): Promise<void> {
  const agent = agentIn(deps.store, terminal);
  const shownQuestion = await pressed(deps, { terminal, question, answer, agent }, way);
  way.report("submitted");
  const answered = { ...question, screenHash: screenHash(shownQuestion) };
  if (await isGone(deps, terminal, answered, goneByKeysMs)) return way.report("acknowledged", "the question is gone");
  throw new PanewardError("outcome_unknown", "the keys were pressed and the question is still there", {
    errorType: "send_failed",
    hint: "look at the screen: `paneward screen ID`",
  });
}

interface Answering {
  readonly terminal: TerminalRecord;
  readonly question: Question;
  readonly answer: GivenAnswer;
  readonly agent: Agent | undefined;
}

// The last look and the keys are one act: no other keys can come between them and change the question.
async function pressed(deps: KeysDeps, answering: Answering, way: Way): Promise<ShownQuestion> {
  const { mark, begin, hide, report } = way;
  const { terminal, question, answer, agent } = answering;
  const since: Since = { began: deps.clock.monotonic() };
  for (;;) {
    const at = { host: terminal.host, place: placeOf(deps, terminal) };
    const next = await deps.typist.sequence(at, async (writer) => {
      const { look, seen } = await seeScreen(deps.terminals, at.host, placeOf(deps, terminal), agent);
      const found = readiness(deps, answering, look.inMode, seen, since);
      if (found.kind === "wait") return found;
      if (seen.listening) requireReading(seen.listening, question, answer);
      if (seen.listening?.hidden) hide();
      const steps = stepsFor(agent, found.asked, answer);
      begin();
      await take(deps, terminal, writer, { steps, mark, pauseMs: agent?.submit.keyDelayMs ?? 0 });
      return found;
    });
    if (next.kind === "press") return next.asked;
    if (next.held !== undefined) report("held", next.held);
    await deps.clock.sleep(next.ms);
  }
}

interface Since {
  readonly began: number;
  /** When the question was first seen on the screen. */
  seen?: number;
}

type Readiness =
  | { readonly kind: "press"; readonly asked: ShownQuestion }
  | { readonly kind: "wait"; readonly ms: number; readonly held?: string };

// A question that changed must not get the answer to another one.
function readiness(
  { clock, store, questions }: KeysDeps,
  { question, answer, agent }: Answering,
  inMode: boolean,
  { question: asked }: SeenScreen,
  since: Since,
): Readiness {
  if (inMode) return { kind: "wait", ms: 300, held: "the pane is in copy mode" };
  // A hook reports a dialog before it is drawn: what is known of the question grows meanwhile. What a person has read does
  // not.
  const isRead = question.whole === false;
  const known = (isRead ? undefined : store.question(question.id)) ?? question;
  if (!isRead) requireConfirmation(known, answer, {});
  if (asked && isSame(known, asked)) {
    since.seen ??= clock.monotonic();
    const shown = { hash: screenHash(asked), seenSince: since.seen };
    const ms = graceLeft(
      clock,
      { ...known, drawnAt: questions.drawnAt(known) },
      shown,
      agent?.submit.dialogGraceMs ?? 0,
    );
    return ms === 0 ? { kind: "press", asked } : { kind: "wait", ms };
  }
  const isUndrawn = !asked && known.screenHash === "" && known.state === "answering";
  if (isUndrawn && clock.monotonic() < since.began + dialogDrawnMs) return { kind: "wait", ms: 50 };
  if (isUndrawn) throw neverDrawn();
  throw new PanewardError("conflict", "the question changed before it could be answered; nothing was typed", {
    errorType: "wrong_state",
    hint: "look at it again: `paneward questions`",
  });
}

function neverDrawn(): PanewardError {
  return new PanewardError("conflict", "its screen does not show the question; nothing was typed", {
    errorType: "wrong_state",
    hint: "look at it: `paneward screen ID`; `paneward send ID TEXT` types a text",
  });
}

function stepsFor(agent: Agent | undefined, asked: ShownQuestion, answer: GivenAnswer): readonly KeyStep[] {
  const chosen = byNumber(asked, answer);
  const steps = chosen && (agent?.answer ? agent.answer(asked, chosen) : plainAnswer(asked, chosen));
  if (steps) return steps;
  throw new PanewardError("bad_input", "this question cannot be answered in this way", {
    errorType: "invalid_mode",
    hint: `choose one of ${asked.options.map(({ number, label }) => `${number} ${label}`).join(", ")}`,
  });
}

/** What approves or denies, as the number that the dialog shows. */
function byNumber({ options }: ShownQuestion, answer: GivenAnswer): GivenAnswer | undefined {
  if (answer.kind !== "approve" && answer.kind !== "deny") return answer;
  const option = options.find(({ does }) => does === answer.kind);
  return option && { kind: "option", number: option.number };
}

async function take(
  deps: KeysDeps,
  terminal: TerminalRecord,
  writer: PaneWriter,
  { steps, mark, pauseMs }: { readonly steps: readonly KeyStep[]; readonly mark: string; readonly pauseMs: number },
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    placeOf(deps, terminal);
    if (index > 0) await writer.pause(pauseMs);
    if ("pauseMs" in step) await writer.pause(step.pauseMs);
    else if ("text" in step) await writer.type(step.text, { mark });
    else await writer.press({ keys: step.keys, pauseMs, mark });
  }
}

function placeOf(deps: KeysDeps, terminal: TerminalRecord): PanePlace {
  const { id, place: before } = terminal;
  const { phase, place } = deps.store.terminal(id) ?? {};
  if (phase === "running" && place && place.pid === before?.pid) return place;
  throw new PanewardError("wrong_state", "the program ended before it could be answered", {
    errorType: "send_failed",
    hint: runAgain(terminal),
  });
}
