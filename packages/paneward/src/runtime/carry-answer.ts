import { PanewardError, type Question } from "@paneward/sdk";
import type { GivenAnswer } from "../model/given-answer.ts";
import type { DeliveryRecord } from "../model/records.ts";
import { giveAnswer } from "./give-answer.ts";
import type { Receipts } from "./receipts.ts";
import type { Running } from "./running.ts";
import type { Runtime } from "./runtime.ts";

/** Brings an answer that is written down to its end, and writes down what became of it. */
export async function carryAnswer(
  rt: Runtime,
  receipts: Receipts,
  record: DeliveryRecord,
  to: { readonly terminal: Running; readonly question: Question; readonly given: GivenAnswer },
): Promise<void> {
  const { id } = record;
  const { terminal, question, given } = to;
  try {
    await giveAnswer(rt, terminal, question, given, {
      mark: answerMark(id),
      tell: (state, reason) => receipts.moved(id, state, reason),
    });
    // A receipt is cut, a turn is whole; a secret stands in neither.
    const isWhole = given.kind === "text" && question.kind !== "password";
    const text = isWhole ? given.text : (record.text ?? "");
    receipts.finished(id, answered(rt, { ...record, text }, terminal, question));
  } catch (error) {
    // The daemon stops: the next one goes on.
    if (receipts.closed) return;
    rt.questions.release(question.id);
    receipts.failed(id, error);
  }
}

/** What stands in the pane as soon as the first key of an answer has reached tmux. */
export function answerMark(delivery: string): string {
  return `${delivery} answer`;
}

// The agent has it, whatever becomes of our own records.
function answered(rt: Runtime, record: DeliveryRecord, terminal: Running, question: Question): string | undefined {
  try {
    return recorded(rt, record, terminal, question);
  } catch (cause) {
    throw new PanewardError("unexpected", "the answer was given and could not be written down", {
      errorType: "internal_error",
      cause,
    });
  }
}

function recorded(rt: Runtime, record: DeliveryRecord, terminal: Running, question: Question): string | undefined {
  const { id: delivery, text = "", by = "", createdAt, answer } = record;
  if (rt.questions.of(terminal.id)?.id === question.id) rt.questions.close(terminal.id, by);
  const agent = rt.store.agent(answer?.agent ?? "");
  if (!agent) return undefined;
  const fact = { actor: "user", intent: "answer", text, question: question.id, delivery } as const;
  return rt.agents.said(agent.id, fact, rt.clock.now() - createdAt).turn?.id;
}
