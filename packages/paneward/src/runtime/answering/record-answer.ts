import type { Question } from "@paneward/sdk";
import { questionWords } from "../../model/agents/question-words.ts";
import type { GivenAnswer } from "../../model/courier/given-answer.ts";
import type { DeliveryRecord } from "../../model/records.ts";
import type { Receipts } from "../courier/receipts.ts";
import type { Running } from "../running.ts";
import type { Runtime } from "../world.ts";
import { giveAnswer } from "./answer-by-keys.ts";

/** Brings an answer that is written down to its end, and writes down what became of it. */
export async function carryAnswer(
  rt: Runtime,
  receipts: Receipts,
  record: DeliveryRecord,
  to: { readonly terminal: Running; readonly question: Question; readonly given: GivenAnswer },
): Promise<void> {
  const { id } = record;
  const { terminal, question, given } = to;
  let turn: string | undefined;
  let givenAt = rt.clock.now();
  try {
    await giveAnswer(rt, terminal, question, given, {
      mark: answerMark(id),
      begin: () => {
        givenAt = rt.clock.now();
        turn ??= said(rt, record, question, given);
      },
      tell: (state, reason) => receipts.moved(id, state, reason),
    });
    if (rt.questions.of(terminal.id)?.id === question.id) {
      rt.questions.close(terminal.id, record.by ?? "");
      rt.attention.answered(terminal.id, givenAt);
    }
    receipts.finished(id, turn);
  } catch (error) {
    // The daemon stops: the next one goes on.
    if (receipts.closed) return;
    releaseAgain(rt, question.id);
    receipts.failed(id, error);
  }
}

/** What stands in the pane as soon as the first key of an answer has reached tmux. */
export function answerMark(delivery: string): string {
  return `${delivery} answer`;
}

// Before the first key: whatever the agent says next comes after it. A receipt is cut, a turn is whole; a secret stands
// in neither.
function said(rt: Runtime, record: DeliveryRecord, question: Question, given: GivenAnswer): string | undefined {
  const agent = rt.store.agent(record.answer?.agent ?? "");
  if (!agent) return undefined;
  const isWhole = given.kind === "text" && question.kind !== "password";
  const text = isWhole ? given.text : (record.text ?? "");
  const said = { actor: "user", intent: "answer", way: "given", text } as const;
  const fact = { ...said, question: question.id, delivery: record.id, since: record.createdAt };
  return rt.agents.said(agent.id, fact, rt.clock.now() - record.createdAt).turn?.id;
}

/** The answer was not given, or nobody knows: if the question stands, its agent waits for another one. */
export function releaseAgain(rt: Runtime, id: string): void {
  rt.questions.release(id);
  const question = rt.store.question(id);
  const { state, agent = "" } = question ?? {};
  if (!question || state !== "open" || rt.store.agent(agent)?.state !== "processing") return;
  const text = questionWords(question);
  rt.agents.said(agent, { actor: "agent", intent: "question", way: "seen", text, question: id });
}
