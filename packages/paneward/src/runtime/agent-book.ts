import type { Agent, Turn } from "@paneward/sdk";
import { nextState } from "../model/agent-states.ts";
import type { AgentRecord, TerminalRecord } from "../model/records.ts";
import type { Answer } from "./attention.ts";
import type { Clock, Store, Writer } from "./ports.ts";

/** Something that was said in a conversation, however it became known. */
export type Fact = Pick<Turn, "actor" | "intent"> & Partial<Pick<Turn, "text" | "question" | "delivery">>;

export interface Told {
  readonly agent: AgentRecord;
  /** The turn that this made, or the one that told the same before. */
  readonly turn?: Turn;
  readonly changed: boolean;
}

/** Agents, their states and what was said. The same fact that comes by two ways is one turn. */
export class AgentBook {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(ports: { readonly store: Store; readonly clock: Clock }) {
    this.#store = ports.store;
    this.#clock = ports.clock;
  }

  /** The agent that lives in a terminal; without a living one, the last that did. */
  of(terminal: string): AgentRecord | undefined {
    const there = this.#store.agents().filter((one) => one.terminal === terminal);
    return there.findLast(({ endedAt }) => endedAt === undefined) ?? there.at(-1);
  }

  living(): readonly AgentRecord[] {
    return this.#store.agents().filter(({ endedAt }) => endedAt === undefined);
  }

  /** A program that is an agent runs. What it was told on its command line is its first command. */
  began(terminal: TerminalRecord, kind: string, adopted: boolean, prompt?: string): AgentRecord {
    const now = this.#clock.now();
    const { id, name, task, cwd, place } = terminal;
    const agent = this.#store.write((writer) => {
      const record: AgentRecord = {
        id: writer.nextAgentId(),
        kind,
        name,
        terminal: id,
        ...(task === undefined ? {} : { task }),
        cwd,
        tmux_pane_id: place?.pane ?? null,
        iterm_pane_id: null,
        ...(place === undefined ? {} : { server: place.server }),
        state: "idle",
        stateSince: now,
        adopted,
        startedAt: now,
      };
      writer.putAgent(record);
      const { tmux_pane_id } = record;
      writer.append("session_created", { ...nameOf(record), kind, tmux_pane_id, adopted });
      return record;
    });
    if (prompt === undefined || prompt === "") return agent;
    return this.said(agent.id, { actor: "user", intent: "command", text: prompt }).agent;
  }

  /** A conversation that was over, or whose process is another one now, goes on. */
  goesOn(id: string, { place }: TerminalRecord): AgentRecord {
    const { endedAt: _ended, ...before } = this.#required(id);
    const agent: AgentRecord = {
      ...before,
      state: "idle",
      stateSince: this.#clock.now(),
      tmux_pane_id: place?.pane ?? before.tmux_pane_id,
      ...(place === undefined ? {} : { server: place.server }),
    };
    this.#store.write((writer) => {
      writer.putAgent(agent);
      const { kind, tmux_pane_id, adopted } = agent;
      writer.append("session_created", { ...nameOf(agent), kind, tmux_pane_id, adopted });
    });
    return agent;
  }

  /** The conversation is over. The pane's id stays. */
  ended(agent: AgentRecord, reason: string): void {
    if (agent.endedAt !== undefined) return;
    this.#store.write((writer) => {
      writer.putAgent({ ...agent, endedAt: this.#clock.now() });
      writer.append("session_ended", { ...nameOf(agent), reason });
    });
  }

  /** What is learned beside states: the conversation's id, the pane, that hooks come. */
  learned(id: string, news: Partial<Omit<AgentRecord, "id" | "state" | "stateSince">>): AgentRecord {
    const record = this.#required(id);
    const { endedAt: _ended, ...rest } = record;
    const next = { ...("endedAt" in news && news.endedAt === undefined ? rest : record), ...news } as AgentRecord;
    this.#store.write((writer) => writer.putAgent(next));
    return next;
  }

  /** Something was said. It becomes a turn unless it was told already; the state follows if it can. */
  said(id: string, fact: Fact, latencyMs?: number): Told {
    const agent = this.#required(id);
    const state = nextState(agent.state, fact);
    if (state === undefined) return { agent, changed: false };
    const before = this.#toldBefore(agent, fact, state);
    if (before) return { agent, turn: this.#completed(before, fact), changed: false };
    return this.#store.write((writer) => {
      const turn = this.#turn(writer, agent, fact);
      return { ...this.#moved(writer, agent, state, turn.id, latencyMs), turn };
    });
  }

  /** What the judge says, for agents whose hooks say less or nothing. */
  judged(answer: Answer, question: string | undefined): void {
    const agent = this.of(answer.terminal);
    if (!agent || agent.endedAt !== undefined) return;
    const fact = factOf(agent.state, answer, question);
    if (fact) this.said(agent.id, fact);
  }

  #turn(writer: Writer, agent: AgentRecord, { actor, intent, text = "", question, delivery }: Fact): Turn {
    const turn: Turn = {
      id: writer.nextTurnId(),
      agent: agent.id,
      actor,
      intent,
      text,
      at: this.#clock.now(),
      ...(question === undefined ? {} : { question }),
      ...(delivery === undefined ? {} : { delivery }),
    };
    writer.putTurn(turn);
    writer.append("turn_created", { turn });
    return turn;
  }

  #moved(
    writer: Writer,
    agent: AgentRecord,
    state: Agent["state"],
    turn_id: string,
    latency: number | undefined,
  ): { readonly agent: AgentRecord; readonly changed: boolean } {
    if (state === agent.state) return { agent, changed: false };
    const next: AgentRecord = { ...agent, state, stateSince: this.#clock.now() };
    writer.putAgent(next);
    const latency_ms = latency === undefined ? {} : { latency_ms: latency };
    writer.append("state_changed", { ...nameOf(agent), state, before: agent.state, turn_id, ...latency_ms });
    return { agent: next, changed: true };
  }

  // Respond, a hook and the judge tell of one answer; Stop and an idle screen of one completion.
  #toldBefore(agent: AgentRecord, fact: Fact, state: Agent["state"]): Turn | undefined {
    if (agent.state !== state) return undefined;
    if (fact.intent === "progress") return this.#store.turns(agent.id, 1)[0];
    const now = this.#clock.now();
    return this.#store
      .turns(agent.id, 4)
      .findLast((turn) => turn.actor === fact.actor && now - turn.at < sameWithinMs && isSameFact(turn, fact));
  }

  #completed(turn: Turn, { text = "", question }: Fact): Turn {
    const next: Turn = {
      ...turn,
      ...(turn.text === "" && text !== "" ? { text } : {}),
      ...(turn.question === undefined && question !== undefined ? { question } : {}),
    };
    if (JSON.stringify(next) !== JSON.stringify(turn)) this.#store.write((writer) => writer.putTurn(next));
    return next;
  }

  #required(id: string): AgentRecord {
    const agent = this.#store.agent(id);
    if (!agent) throw new Error(`there is no agent ${id}`);
    return agent;
  }
}

const sameWithinMs = 10_000;

// Whoever answers by typing a prompt answers and commands at once.
function isSameFact(turn: Turn, fact: Fact): boolean {
  const text = fact.text ?? "";
  const sameText = turn.text === text || turn.text === "" || text === "";
  const sameQuestion = turn.question === undefined || fact.question === undefined || turn.question === fact.question;
  if (turn.intent === fact.intent) return sameText && sameQuestion;
  const spoken = ["command", "answer"];
  return spoken.includes(turn.intent) && spoken.includes(fact.intent) && turn.text === text && text !== "";
}

/** Mere output proves no work of an agent: it may just draw its screen. */
const agentsOwn = ["hook", "event_stream", "extension", "state_file", "screen", "title", "osc"];

function factOf(state: Agent["state"], answer: Answer, question: string | undefined): Fact | undefined {
  const own = agentsOwn.includes(answer.why.source);
  const busy = state === "commanded" || state === "processing";
  if (answer.says === "needs_input" && question !== undefined) {
    return { actor: "agent", intent: "question", text: answer.question?.text ?? "", question };
  }
  if (answer.says === "working") {
    if (state === "awaiting_input") return { actor: "agent", intent: "progress" };
    return own && state !== "processing" ? { actor: "agent", intent: "progress" } : undefined;
  }
  if (answer.says !== "idle") return undefined;
  if (state === "awaiting_input") return { actor: "agent", intent: "end_of_task", text: "the question was dismissed" };
  return own && busy && answer.detail === undefined ? { actor: "agent", intent: "completion" } : undefined;
}

function nameOf({ id, name, terminal, task }: AgentRecord) {
  return {
    agent: id,
    name,
    ...(terminal === undefined ? {} : { terminal }),
    ...(task === undefined ? {} : { task }),
  };
}
