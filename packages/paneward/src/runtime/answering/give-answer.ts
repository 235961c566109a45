import { PanewardError, type Question } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import type { GivenAnswer } from "../../model/answer.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { goneByHookMs, lateDialogMs } from "../../model/timing.ts";
import { agentIn } from "../agent-kind.ts";
import type { AgentServers } from "../witnesses/agent-servers.ts";
import type { HookRequests } from "../witnesses/hook-requests.ts";
import { answerByKeys, type KeysDeps, type Way } from "./answer-by-keys.ts";
import { answerByServer } from "./answer-by-server.ts";
import type { HookAnswers } from "./hook-answers.ts";
import { decisionOf } from "./hook-decision.ts";
import { isGone } from "./open-question.ts";

export interface GiveDeps extends KeysDeps {
  readonly servers: Pick<AgentServers, "known" | "ask">;
  readonly hookAnswers: Pick<HookAnswers<ShownQuestion>, "give" | "isWaiting">;
  readonly requests: Pick<HookRequests, "decided" | "isAsking">;
}

/**
 * Gives an answer: through the hook that waits for this request, else to the agent's own server, else by keys. Returns how,
 * when it is given.
 */
export async function giveAnswer(
  deps: GiveDeps,
  terminal: TerminalRecord,
  question: Question,
  answer: GivenAnswer,
  way: Way,
): Promise<"hook" | "server" | "keys"> {
  const { report, begin } = way;
  // Of a screen and a report that differ, the person has read the screen: only keys answer it.
  if (question.reported !== undefined) {
    await answerByKeys(deps, terminal, question, answer, way);
    return "keys";
  }
  if (giveToHook(deps, terminal, question, answer)) {
    begin();
    report("submitted", "through the agent's hook");
    report("acknowledged", await takenByHook(deps, terminal, question));
    return "hook";
  }
  const sending = () => {
    begin();
    report("submitted", "over the agent's HTTP");
  };
  if (await answerByServer(deps.servers, question, answer, sending)) {
    // The server confirmed it: a dialog that is still drawn, or cannot be looked at, changes nothing.
    await isGone(deps, terminal, question, goneByHookMs).catch(() => true);
    report("acknowledged", "the agent took it");
    return "server";
  }
  await answerByKeys(deps, terminal, question, answer, way);
  return "keys";
}

function giveToHook(deps: GiveDeps, terminal: TerminalRecord, question: Question, answer: GivenAnswer): boolean {
  const { request } = question;
  const decision = deps.hookAnswers.give(request, (asked) => decisionOf(question, asked, answer));
  if (decision && request !== undefined) deps.requests.decided(terminal.id, request, decision.behavior);
  return decision !== undefined;
}

// No key follows: what is drawn by now may be the next request, in the same words.
async function takenByHook(deps: GiveDeps, terminal: TerminalRecord, question: Question): Promise<string> {
  const drawn = await drawnLate(deps, terminal, question);
  if (!drawn || deps.requests.isAsking(terminal.id)) return "the agent's hook took it";
  if (await isGone(deps, terminal, drawn, goneByHookMs)) return "the question is gone";
  throw new PanewardError("outcome_unknown", "the agent's hook took the answer and the question is still there", {
    errorType: "send_failed",
    hint: "look at it again: `paneward questions`; what is still asked can be answered again",
  });
}

/** The question once it is drawn; undefined when it is over, or no dialog comes. */
async function drawnLate(deps: GiveDeps, terminal: TerminalRecord, { id }: Question): Promise<Question | undefined> {
  const { clock, store, requests } = deps;
  const over = clock.monotonic() + (agentIn(store, terminal)?.readScreen ? lateDialogMs : 0);
  for (;;) {
    const now = store.question(id);
    if (now?.state !== "answering" || requests.isAsking(terminal.id)) return undefined;
    if (now.screenHash !== "") return now;
    if (clock.monotonic() >= over) return undefined;
    await clock.sleep(20);
  }
}
