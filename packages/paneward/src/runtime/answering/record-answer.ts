import type { Question } from "@paneward/sdk";
import { questionWords } from "../../model/agents/question-words.ts";
import type { GivenAnswer } from "../../model/answer.ts";
import type { DeliveryRecord } from "../../model/records.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Attention } from "../attention/attention.ts";
import type { Courier } from "../courier/courier.ts";
import type { Receipts } from "../courier/receipts.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import type { Running } from "../running.ts";
import type { HookRequests } from "../witnesses/hook-requests.ts";
import { type GiveDeps, giveAnswer } from "./give-answer.ts";

/** What an answer is given with, and where it is recorded. */
export interface AnsweringDeps extends GiveDeps {
  readonly attention: Pick<Attention, "answered">;
  readonly questions: QuestionBook;
  readonly agents: AgentBook;
  readonly receipts: Receipts;
  readonly courier: Pick<Courier, "send">;
  readonly requests: Pick<HookRequests, "decided" | "isAsking" | "remind">;
}

/** Gives an answer that is on record, and records what became of it. */
export async function recordAnswer(
  deps: AnsweringDeps,
  record: DeliveryRecord,
  to: {
    readonly terminal: Running;
    readonly question: Question;
    readonly given: GivenAnswer;
    readonly secret: boolean;
  },
): Promise<void> {
  const { receipts } = deps;
  const { id } = record;
  const { terminal, question, given } = to;
  let { secret } = to;
  let turn: string | undefined;
  let givenAt = deps.clock.monotonic();
  try {
    const by = await giveAnswer(deps, terminal, question, given, {
      mark: answerMark(id),
      begin: () => {
        givenAt = deps.clock.monotonic();
        turn ??= recordTurn(deps, record, question, secret ? undefined : given);
      },
      hide: () => {
        if (!secret) receipts.hide(id);
        secret = true;
      },
      report: (state, reason) => receipts.moved(id, state, reason),
    });
    if (deps.questions.of(terminal.id)?.id === question.id) {
      deps.questions.close(terminal.id, record.by ?? "");
      deps.attention.answered(terminal.id, givenAt);
    }
    deps.requests.remind(terminal.id);
    if (by === "keys" && given.kind === "deny" && given.message !== undefined) {
      receipts.moved(id, "acknowledged", await sendWords(deps, record, given.message));
    }
    receipts.finished(id, turn);
  } catch (error) {
    // The daemon stops: the next one continues.
    if (receipts.closed) return;
    releaseAgain(deps, question.id);
    receipts.failed(id, error);
  }
}

// A dialog that was denied by keys takes no words. They follow as a prompt, with a receipt of their own.
async function sendWords(deps: AnsweringDeps, { id, terminal, by }: DeliveryRecord, text: string): Promise<string> {
  const prompt = {
    id: terminal,
    text,
    enter: true,
    ack: 0,
    force: false,
    command: false,
    idempotency_key: `${id} words`,
  };
  try {
    const sent = await deps.courier.send(prompt, { who: by ?? "", scope: "approve", door: "respond" });
    return `denied; the words follow as ${sent.id}`;
  } catch (error) {
    return `denied; the words could not be sent: ${error instanceof Error ? error.message : String(error)}`;
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
  given: GivenAnswer | undefined,
): string | undefined {
  const agent = deps.store.agent(record.answer?.agent ?? "");
  if (!agent) return undefined;
  const whole = given?.kind === "text" ? given.text : given?.kind === "deny" ? given.message : undefined;
  const text = whole ?? deps.store.deliveryById(record.id)?.text ?? "";
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
