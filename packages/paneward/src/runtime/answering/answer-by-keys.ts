import { setTimeout as delay } from "node:timers/promises";
import { PanewardError, type Question } from "@paneward/sdk";
import type { Agent, AskedNow, KeyStep } from "../../agents/agent.ts";
import { plainAnswer } from "../../agents/plain-answer.ts";
import type { GivenAnswer } from "../../model/answer.ts";
import type { PanePlace, TerminalRecord } from "../../model/records.ts";
import { goneByKeysMs } from "../../model/timing.ts";
import { agentIn } from "../agent-kind.ts";
import type { Attention } from "../attention/attention.ts";
import { compareHashes, screenHash } from "../attention/question-identity.ts";
import { readScreen } from "../attention/screen.ts";
import { graceLeft } from "../courier/dialog-grace.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import type { AgentServers } from "../witnesses/agent-servers.ts";
import type { World } from "../world.ts";
import { answerByServer } from "./answer-by-server.ts";
import type { HookAnswers } from "./hook-answers.ts";
import { decisionOf } from "./hook-decision.ts";

export interface GiveDeps extends World {
  readonly attention: Attention;
  readonly questions: QuestionBook;
  readonly servers: AgentServers;
  readonly hookAnswers: HookAnswers<AskedNow>;
}

interface Way {
  /** Left in the pane with every key. */
  readonly mark: string;
  /** From now on the agent may have it. */
  readonly begin: () => void;
  readonly tell: (state: "held" | "typed" | "submitted" | "acknowledged", reason?: string) => void;
}

/**
 * Gives an answer: through the hook that waits for it, to the agent's own server, else by keys. Returns when the question
 * no longer stands.
 */
export async function giveAnswer(
  deps: GiveDeps,
  terminal: TerminalRecord,
  question: Question,
  answer: GivenAnswer,
  way: Way,
): Promise<void> {
  const { tell, begin } = way;
  if (deps.hookAnswers.give(question.id, (asked) => decisionOf(question, asked, answer))) {
    begin();
    tell("submitted", "through the agent's hook");
    if (await isGone(deps, terminal, question, goneByHookMs)) return tell("acknowledged", "the question is gone");
    // The agent did not take it, and the dialog still stands there: keys it is.
  }
  const sent = () => {
    begin();
    tell("submitted", "over the agent's HTTP");
  };
  if (await answerByServer(deps.servers, question, answer, sent)) {
    // It said so; that its dialog is still drawn, or cannot be looked at, changes nothing.
    await isGone(deps, terminal, question, goneByHookMs).catch(() => true);
    return tell("acknowledged", "the agent took it");
  }
  await byKeys(deps, terminal, question, answer, way);
}

async function byKeys(
  deps: GiveDeps,
  terminal: TerminalRecord,
  question: Question,
  answer: GivenAnswer,
  { mark, begin, tell }: Way,
): Promise<void> {
  const agent = agentIn(deps.store, terminal);
  const asked = await stillAsked(deps, terminal, question, agent, tell);
  const steps = agent?.answer ? agent.answer(asked, answer) : plainAnswer(asked, answer);
  if (!steps) {
    throw new PanewardError("bad_input", "this question cannot be answered in this way", {
      errorType: "invalid_mode",
      hint: `choose one of ${asked.options.map(({ number, label }) => `${number} ${label}`).join(", ")}`,
    });
  }
  begin();
  await take(deps, terminal, steps, agent?.submit.keyDelayMs ?? 0, mark);
  tell("submitted");
  const stood = { ...question, screenHash: screenHash(asked) };
  if (await isGone(deps, terminal, stood, goneByKeysMs)) return tell("acknowledged", "the question is gone");
  throw new PanewardError("outcome_unknown", "the keys were pressed and the question still stands", {
    errorType: "send_failed",
    hint: "look at the screen: `paneward screen ID`",
  });
}

// Right before the keys: a question that changed must not get the answer to another one.
async function stillAsked(
  deps: GiveDeps,
  terminal: TerminalRecord,
  question: Question,
  agent: Agent | undefined,
  tell: Way["tell"],
): Promise<AskedNow> {
  const began = deps.clock.now();
  let seenSince: number | undefined;
  for (;;) {
    const look = await deps.terminals.look(terminal.host, placeOf(deps, terminal));
    if (look.inMode) {
      tell("held", "somebody scrolls in it (copy mode)");
      await delay(300);
      continue;
    }
    const { question: now } = readScreen(agent, look);
    // A hook tells of a dialog before it is drawn: what is known of it grows meanwhile.
    const known = deps.store.question(question.id) ?? question;
    if (now && isSame(known, now)) {
      seenSince ??= deps.clock.now();
      const grace = graceLeft(
        known,
        { hash: screenHash(now), seenSince },
        agent?.submit.dialogGraceMs ?? 0,
        deps.clock.now(),
      );
      if (grace === 0) return now;
      await delay(grace);
      continue;
    }
    if (!now && known.screenHash === "" && known.state === "answering" && deps.clock.now() < began + drawnMs) {
      await delay(50);
      continue;
    }
    throw new PanewardError("conflict", "the question changed before it could be answered; nothing was typed", {
      errorType: "wrong_state",
      hint: "look at it again: `paneward questions`",
    });
  }
}

async function isGone(deps: GiveDeps, terminal: TerminalRecord, question: Question, ms: number): Promise<boolean> {
  const agent = agentIn(deps.store, terminal);
  const over = performance.now() + ms;
  for (let wait = 20; ; wait = Math.min(wait * 2, 300)) {
    const record = deps.store.terminal(terminal.id);
    if (record?.phase !== "running" || !record.place || record.place.pid !== terminal.place?.pid) return true;
    const look = await deps.terminals.look(record.host, record.place);
    const { question: now } = readScreen(agent, look);
    if (!now || !isSame(question, now)) return true;
    if (performance.now() > over) return false;
    await delay(wait);
  }
}

function isSame(question: Question, now: AskedNow): boolean {
  return question.screenHash === ""
    ? question.kind === now.kind
    : compareHashes(screenHash(now), question.screenHash) === "same";
}

async function take(
  deps: GiveDeps,
  terminal: TerminalRecord,
  steps: readonly KeyStep[],
  keyDelayMs: number,
  mark: string,
): Promise<void> {
  const { host } = terminal;
  for (const [index, step] of steps.entries()) {
    const place = placeOf(deps, terminal);
    if (index > 0) await delay(keyDelayMs);
    if ("pauseMs" in step) await delay(step.pauseMs);
    else if ("text" in step) await deps.terminals.type(host, place, step.text, mark);
    else await deps.terminals.press(host, place, step.keys, keyDelayMs, mark);
  }
}

function placeOf(deps: GiveDeps, { id, place: before }: TerminalRecord): PanePlace {
  const { phase, place } = deps.store.terminal(id) ?? {};
  if (phase === "running" && place && place.pid === before?.pid) return place;
  throw new PanewardError("unavailable", "the program ended before it could be answered", { errorType: "send_failed" });
}

const drawnMs = 5_000;
const goneByHookMs = 5_000;
