import { type Output, PanewardError, type Parsed, type Question } from "@paneward/sdk";
import { questionWords } from "../../model/agents/question-words.ts";
import { namesOption, parseAnswer } from "../../model/courier/parse-answer.ts";
import type { AgentRecord, DeliveryRecord, TerminalRecord } from "../../model/records.ts";
import { newPermissionMs } from "../../model/timing.ts";
import { agentIn } from "../agent-kind.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import { type Caller, callerWords } from "../calls.ts";
import type { Listening } from "../ports.ts";
import { resolveTerminal } from "../resolve.ts";
import { type Running, requireRunning, runAgain } from "../running.ts";
import { whenDrawn } from "./drawn-question.ts";
import { type AnsweringDeps, recordAnswer } from "./record-answer.ts";
import { requireConfirmation } from "./require-confirmation.ts";
import { requireReading } from "./require-reading.ts";
import { requireShown } from "./require-shown.ts";

/** Answers the question that is open now: once, by the first caller, and only if it is still the same. */
export async function respond(
  deps: AnsweringDeps,
  input: Parsed<"respond">,
  caller: Caller,
): Promise<Output<"respond">> {
  const who = callerWords(caller);
  const began = deps.clock.monotonic();
  const { receipts } = deps;
  const { agent, terminal } = meant(deps, input.id);
  const key = input.idempotency_key;
  const seen = await whenDrawn(
    deps.clock,
    () => deps.questions.of(terminal.id),
    (question) => question.kind === "permission" && namesOption(question, input),
  );
  const listening = await listens(deps, terminal);
  const before = key === undefined ? undefined : deps.store.delivery(terminal.id, key);
  if (before) return { ...(await awaitReceipt(deps, before, began)), repeated: true };
  const running = requireAlive(terminal, input.id);
  // A question that took its place meanwhile is not the one that the caller answers.
  const question = open(deps, terminal, input.question ?? seen?.id);
  if (input.question === undefined) requireSettled(deps, question, who);
  requireShown(question, input.shown);
  const secret = question.kind === "password" || (listening?.hidden === true && question.kind !== "permission");
  const given = parseAnswer(question, input, { secret, takesLines: listening === undefined });
  requireConfirmation(question, given.answer, input);
  // What a hook takes is not typed.
  if (listening && !deps.hookAnswers.isWaiting(question.request)) requireReading(listening, question, given.answer);
  deps.questions.answering(question.id, who);
  const answering = releasing(deps, question, () =>
    receipts.begin(running, {
      ...{ text: given.words, by: who, question: question.id },
      answer: {
        ...{ mode: given.mode, agent: agent?.id ?? terminal.id },
        ...(secret ? {} : { given: given.answer }),
      },
      ...(key === undefined ? {} : { key }),
    }),
  );
  void recordAnswer(deps, answering, { terminal: running, question, given: given.answer, secret });
  return awaitReceipt(deps, answering, began);
}

/** How the terminal of a plain program takes input. A known agent's dialogs are read as they are. */
async function listens({ store, terminals }: AnsweringDeps, terminal: TerminalRecord): Promise<Listening | undefined> {
  if (agentIn(store, terminal)?.readScreen) return undefined;
  return terminal.place ? terminals.listens(terminal.host, terminal.place) : unseen;
}

const unseen: Listening = { reads: "unknown", hidden: false, raw: false };

// Also for a call that repeats the same key, and for an answer that failed.
async function awaitReceipt(
  { receipts, clock }: AnsweringDeps,
  record: DeliveryRecord,
  began: number,
): Promise<Output<"respond">> {
  const { id, answer } = record;
  if (!answer) throw typed("conflict", "wrong_state", "this idempotency key belongs to a send, not to an answer");
  const { state, answer: { turn } = answer } = await receipts.when(
    id,
    ({ state, unfinished }) => !unfinished || state === "held",
  );
  const latency_ms = Math.round(clock.monotonic() - began);
  const same = { agent_id: answer.agent, mode: answer.mode, latency_ms, delivery_id: id };
  if (state === "held") return { ...same, status: "queued", new_state: "awaiting_input" };
  return { ...same, status: "ok", new_state: "processing", ...(turn === undefined ? {} : { turn_id: turn }) };
}

function releasing<Result>(deps: AnsweringDeps, { id }: Question, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    deps.questions.release(id);
    throw error;
  }
}

function meant(
  deps: AnsweringDeps,
  id: string,
): { readonly agent: AgentRecord | undefined; readonly terminal: TerminalRecord } {
  const agent = agentOr(deps, id);
  if (agent && agent.tmux_pane_id === null) {
    throw typed("bad_input", "no_pane_id", `the agent ${agent.id} has no pane that could be typed into`);
  }
  const terminal = agent ? deps.store.terminal(agent.terminal ?? "") : resolveTerminal(deps, id);
  if (terminal) return { agent, terminal };
  throw typed("unavailable", "pane_not_found", `the pane of ${id} no longer exists`);
}

function requireAlive(terminal: TerminalRecord, id: string): Running {
  if (terminal.phase === "running" && terminal.place) return requireRunning(terminal);
  // A program that ended leaves its pane; that may have been closed, or the whole server.
  const { end, adopted } = terminal;
  const hint = runAgain(terminal);
  // In the user's own tmux a program ends with its pane.
  if (adopted || end?.kind === "lost" || (end?.kind === "stopped" && end.by.startsWith("tmux"))) {
    throw typed("wrong_state", "pane_not_found", `the pane of ${id} no longer exists; nothing was typed`, hint);
  }
  throw typed("wrong_state", "send_failed", `the program of ${id} has ended; nothing was typed`, hint);
}

// A terminal without an agent asks questions too.
function agentOr(deps: AnsweringDeps, id: string): AgentRecord | undefined {
  try {
    return resolveAgent(deps, id);
  } catch (error) {
    if (!(error instanceof PanewardError && error.code === "not_found")) throw error;
    if (deps.store.terminals().some((one) => one.id === id || one.name === id)) return undefined;
    throw typed(
      "not_found",
      "agent_not_found",
      `there is no agent ${JSON.stringify(id)}`,
      "`paneward agents` lists them",
    );
  }
}

function open(deps: AnsweringDeps, terminal: TerminalRecord, wanted: string | undefined): Question {
  const question = deps.questions.of(terminal.id);
  if (!question) {
    const gone = wanted === undefined ? undefined : deps.store.question(wanted);
    const why = gone ? `the question ${wanted} is closed: ${gone.closedBy ?? "it is gone"}` : "no question is open";
    throw typed(gone ? "conflict" : "wrong_state", "wrong_state", why);
  }
  if (question.state === "answering") {
    throw typed(
      "conflict",
      "wrong_state",
      `the question is being answered by ${question.closedBy ?? "another caller"}`,
    );
  }
  if (wanted === undefined || wanted === question.id) return question;
  throw typed("conflict", "wrong_state", `another question is open now: ${question.id} ${question.text}`);
}

// A caller that does not name the permission may still be looking at the one before.
function requireSettled({ clock, questions, store }: AnsweringDeps, question: Question, who: string): void {
  const { id, kind, terminal } = question;
  const openedAt = questions.openedAt(question);
  if (kind !== "permission" || clock.monotonic() - openedAt > newPermissionMs) return;
  const what = questionWords(question);
  const closedAt = (one: Question) => questions.closedAt(one) ?? 0;
  const before = store
    .questions()
    .filter((one) => one.terminal === terminal && one.kind === kind && one.state === "closed")
    .toSorted((one, other) => closedAt(one) - closedAt(other))
    .at(-1);
  if (!before || before.closedBy === `answered by ${who}` || questionWords(before) === what) return;
  if (closedAt(before) <= openedAt - newPermissionMs) return;
  const hint = `look at it, then name it: --question ${id}`;
  throw typed("conflict", "wrong_state", `the question changed a moment ago: ${what}`, hint);
}

function typed(
  code: PanewardError["code"],
  errorType: string,
  message: string,
  hint = "look at it again: `paneward questions`",
): PanewardError {
  return new PanewardError(code, message, { errorType, hint });
}
