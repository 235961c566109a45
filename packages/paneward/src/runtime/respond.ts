import { type Output, PanewardError, type Parsed, type Question } from "@paneward/sdk";
import { type Understood, understood } from "../model/given-answer.ts";
import type { AgentRecord, TerminalRecord } from "../model/records.ts";
import { resolveAgent } from "./agent-operations.ts";
import type { Courier } from "./courier.ts";
import { giveAnswer } from "./give-answer.ts";
import { resolveTerminal } from "./resolve.ts";
import type { Caller, Runtime } from "./runtime.ts";

/** Answers the question that is open now: once, by whoever comes first, and only if it is still the same. */
export async function respond(
  rt: Runtime,
  courier: Courier,
  input: Parsed<"respond">,
  { who }: Caller,
): Promise<Output<"respond">> {
  const began = performance.now();
  const { agent, terminal } = meant(rt, input.id);
  const key = input.idempotency_key;
  const question = open(rt, terminal, input.question);
  const given = understood(question, input);
  rt.questions.answering(question.id, who);
  const delivery = courier.answering(terminal, question.id, given.words, who, key);
  const done = giveAnswer(rt, terminal, question, given.answer, (state, reason) =>
    courier.tellAnswer(delivery.id, state, reason),
  ).then(
    () => answered(rt, { agent, terminal, question, given, who, delivery: delivery.id, began }),
    (error: unknown) => {
      rt.questions.release(question.id);
      courier.tellAnswer(delivery.id, "failed", (error as Error).message);
      throw error;
    },
  );
  const held = courier.whenHeld(delivery.id);
  const turn = await Promise.race([done, held.then(() => "held" as const)]);
  const latency_ms = Math.round(performance.now() - began);
  const told = { agent_id: agent?.id ?? terminal.id, mode: given.mode, latency_ms, delivery_id: delivery.id };
  if (turn === "held") {
    done.catch(() => {});
    return { ...told, status: "queued", new_state: "awaiting_input" };
  }
  return { ...told, status: "ok", new_state: "processing", ...(turn === undefined ? {} : { turn_id: turn }) };
}

interface Answered {
  readonly agent: AgentRecord | undefined;
  readonly terminal: TerminalRecord;
  readonly question: Question;
  readonly given: Understood;
  readonly who: string;
  readonly delivery: string;
  readonly began: number;
}

function answered(rt: Runtime, { agent, terminal, question, given, who, delivery, began }: Answered) {
  if (rt.questions.of(terminal.id)?.id === question.id) rt.questions.close(terminal.id, who);
  if (!agent) return undefined;
  const fact = { actor: "user", intent: "answer", text: given.words, question: question.id, delivery } as const;
  return rt.agents.said(agent.id, fact, Math.round(performance.now() - began)).turn?.id;
}

function meant(
  rt: Runtime,
  id: string,
): { readonly agent: AgentRecord | undefined; readonly terminal: TerminalRecord } {
  const agent = agentOr(rt, id);
  if (agent && agent.tmux_pane_id === null) {
    throw typed("bad_input", "no_pane_id", `the agent ${agent.id} has no pane that could be typed into`);
  }
  const terminal = agent ? rt.store.terminal(agent.terminal ?? "") : resolveTerminal(rt, id);
  if (terminal?.phase === "running" && terminal.place) return { agent, terminal };
  throw typed("unavailable", terminal ? "send_failed" : "pane_not_found", `the program of ${id} does not run any more`);
}

// A terminal in which no agent lives asks questions too.
function agentOr(rt: Runtime, id: string): AgentRecord | undefined {
  try {
    return resolveAgent(rt, id);
  } catch (error) {
    if (!(error instanceof PanewardError && error.code === "not_found")) throw error;
    if (rt.store.terminals().some((one) => one.id === id || one.name === id)) return undefined;
    throw typed("not_found", "agent_not_found", `there is no agent ${JSON.stringify(id)}`);
  }
}

function open(rt: Runtime, terminal: TerminalRecord, wanted: string | undefined): Question {
  const question = rt.questions.of(terminal.id);
  if (!question) {
    const gone = wanted === undefined ? undefined : rt.store.question(wanted);
    const why = gone ? `the question ${wanted} is closed: ${gone.closedBy ?? "it is gone"}` : "it asks nothing now";
    throw typed(gone ? "conflict" : "wrong_state", "wrong_state", why);
  }
  if (question.state === "answering") {
    throw typed("conflict", "wrong_state", `the question is being answered by ${question.closedBy ?? "somebody else"}`);
  }
  if (wanted === undefined || wanted === question.id) return question;
  throw typed("conflict", "wrong_state", `another question is open now: ${question.id} ${question.text}`);
}

function typed(code: PanewardError["code"], errorType: string, message: string): PanewardError {
  return new PanewardError(code, message, { errorType, hint: "look at it again: `paneward questions`" });
}
