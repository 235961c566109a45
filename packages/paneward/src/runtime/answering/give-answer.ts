import type { Question } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import type { GivenAnswer } from "../../model/answer.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { goneByHookMs } from "../../model/timing.ts";
import type { AgentServers } from "../witnesses/agent-servers.ts";
import { answerByKeys, type KeysDeps, type Way } from "./answer-by-keys.ts";
import { answerByServer } from "./answer-by-server.ts";
import type { HookAnswers } from "./hook-answers.ts";
import { decisionOf } from "./hook-decision.ts";
import { isGone } from "./open-question.ts";

export interface GiveDeps extends KeysDeps {
  readonly servers: Pick<AgentServers, "known" | "ask">;
  readonly hookAnswers: Pick<HookAnswers<ShownQuestion>, "give">;
}

/** Gives an answer: through the hook that waits for it, else to the agent's own server, else by keys. Returns when it is given. */
export async function giveAnswer(
  deps: GiveDeps,
  terminal: TerminalRecord,
  question: Question,
  answer: GivenAnswer,
  way: Way,
): Promise<void> {
  const { report, begin } = way;
  if (deps.hookAnswers.give(question.id, (asked) => decisionOf(question, asked, answer))) {
    begin();
    report("submitted", "through the agent's hook");
    if (await isGone(deps, terminal, question, goneByHookMs)) return report("acknowledged", "the question is gone");
    // The agent did not take it, and its dialog is still drawn: keys are left.
  }
  const sending = () => {
    begin();
    report("submitted", "over the agent's HTTP");
  };
  if (await answerByServer(deps.servers, question, answer, sending)) {
    // The server confirmed it: a dialog that is still drawn, or cannot be looked at, changes nothing.
    await isGone(deps, terminal, question, goneByHookMs).catch(() => true);
    return report("acknowledged", "the agent took it");
  }
  await answerByKeys(deps, terminal, question, answer, way);
}
