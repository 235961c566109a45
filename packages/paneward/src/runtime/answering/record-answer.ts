import type { Question } from "@paneward/sdk";
import { questionWords } from "../../model/agents/question-words.ts";
import type { GivenAnswer } from "../../model/answer.ts";
import type { DeliveryRecord } from "../../model/records.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Attention } from "../attention/attention.ts";
import type { Receipts } from "../courier/receipts.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import type { Running } from "../running.ts";
import { type GiveDeps, giveAnswer } from "./give-answer.ts";

/** What an answer is given with, and where it is recorded. */
export interface AnsweringDeps extends GiveDeps {
  readonly attention: Pick<Attention, "answered">;
  readonly questions: QuestionBook;
  readonly agents: AgentBook;
  readonly receipts: Receipts;
}

/** Gives an answer that is on record, and records what became of it. */
export async function recordAnswer(
  deps: AnsweringDeps,
  record: DeliveryRecord,
  to: { readonly terminal: Running; readonly question: Question; readonly given: GivenAnswer },
): Promise<void> {
  const { receipts } = deps;
  const { id } = record;
  const { terminal, question, given } = to;
  let turn: string | undefined;
  let givenAt = deps.clock.monotonic();
  try {
    await giveAnswer(deps, terminal, question, given, {
      mark: answerMark(id),
      begin: () => {
        givenAt = deps.clock.monotonic();
        turn ??= recordTurn(deps, record, question, given);
      },
      report: (state, reason) => receipts.moved(id, state, reason),
    });
    if (deps.questions.of(terminal.id)?.id === question.id) {
      deps.questions.close(terminal.id, record.by ?? "");
      deps.attention.answered(terminal.id, givenAt);
    }
    receipts.finished(id, turn);
  } catch (error) {
    // The daemon stops: the next one continues.
    if (receipts.closed) return;
    releaseAgain(deps, question.id);
    receipts.failed(id, error);
  }
}

/** The mark that is in the pane as soon as the first key of an answer has reached tmux. */
export function answerMark(delivery: string): string {
  return `${delivery} answer`;
}

// Recorded before the first key: what the agent says next comes after it. A receipt is cut, a turn is whole; a secret is in
// neither.
function recordTurn(
  deps: AnsweringDeps,
  record: DeliveryRecord,
  question: Question,
  given: GivenAnswer,
): string | undefined {
  const agent = deps.store.agent(record.answer?.agent ?? "");
  if (!agent) return undefined;
  const isWhole = given.kind === "text" && question.kind !== "password";
  const text = isWhole ? given.text : (record.text ?? "");
  const turn = { actor: "user", intent: "answer", way: "given", text } as const;
  const fact = { ...turn, question: question.id, delivery: record.id, since: record.createdAt };
  return deps.agents.said(agent.id, fact, Math.max(0, deps.clock.now() - record.createdAt)).turn?.id;
}

/** The answer was not given, or its outcome is unknown: if the question is still open, its agent waits for another one. */
export function releaseAgain(deps: AnsweringDeps, id: string): void {
  deps.questions.release(id);
  const question = deps.store.question(id);
  const { state, agent = "" } = question ?? {};
  if (!question || state !== "open" || deps.store.agent(agent)?.state !== "processing") return;
  const text = questionWords(question);
  deps.agents.said(agent, { actor: "agent", intent: "question", way: "seen", text, question: id });
}
