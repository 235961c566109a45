import { PanewardError } from "@paneward/sdk";
import type { DeliveryRecord } from "../../model/records.ts";
import { requireRunning } from "../running.ts";
import { type AnsweringDeps, answerMark, recordAnswer, releaseAgain } from "./record-answer.ts";
import { requireConfirmation } from "./require-confirmation.ts";

/** Continues answers that an earlier daemon left, where it is certain that none of their keys was pressed. */
export function resumeAnswers(deps: AnsweringDeps): void {
  const { receipts } = deps;
  const left = deps.store.unfinishedDeliveries().filter(({ question }) => question !== undefined);
  for (const record of left) {
    if (record.state === "acknowledged") receipts.finished(record.id);
    else if (record.state === "submitted") receipts.failed(record.id, cutOff(), "submitted");
    else void resumed(deps, record);
  }
  const taken = new Set(left.filter(({ state }) => state !== "submitted").map(({ question }) => question));
  // Whether keys of an answer were pressed is not known; a question that is still open can be answered again.
  for (const { id, state } of deps.questions.open()) {
    if (state === "answering" && !taken.has(id)) releaseAgain(deps, id);
  }
}

async function resumed(deps: AnsweringDeps, record: DeliveryRecord): Promise<void> {
  const { receipts } = deps;
  try {
    const terminal = requireRunning(deps.store.terminal(record.terminal), record.pid);
    const mark = await deps.terminals.lastMark(terminal.host, terminal.place);
    if (mark === answerMark(record.id)) throw cutOff();
    const { given } = record.answer ?? {};
    if (!given) throw again("wrong_state", "the daemon ended before this secret was typed");
    const question = deps.store.question(record.question ?? "");
    if (!question || question.state === "closed") {
      throw again("conflict", "the question was gone before this could be typed");
    }
    // What was read then may not be what is drawn now.
    requireConfirmation(question, given, {});
    if (question.state === "open") deps.questions.answering(question.id, record.by ?? "");
    await recordAnswer(deps, record, { terminal, question, given, secret: false });
  } catch (error) {
    if (receipts.closed) return;
    releaseAgain(deps, record.question ?? "");
    receipts.failed(record.id, error);
  }
}

function again(code: PanewardError["code"], message: string): PanewardError {
  return new PanewardError(code, message, { errorType: "wrong_state", hint: "look at it again: `paneward questions`" });
}

function cutOff(): PanewardError {
  return new PanewardError("outcome_unknown", "the daemon ended while this was being answered", {
    errorType: "send_failed",
  });
}
