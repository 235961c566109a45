import type { Agent, Question, Turn } from "@paneward/sdk";
import { nextState } from "../../model/agents/agent-states.ts";
import { type Fact, isOver, sameTurn, withFact } from "../../model/agents/conversation.ts";
import type { AttentionChange } from "../../model/attention/change.ts";
import { cutText } from "../../model/cut-texts.ts";
import type { AgentRecord, TerminalRecord, TurnRecord } from "../../model/records.ts";
import type { Store, Writer } from "../ports.ts";
import { SteadyDates, type Times } from "../steady-time.ts";
import { verdictFact } from "./verdict-fact.ts";

export interface Recorded {
  readonly agent: AgentRecord;
  /** The turn that this made, or the one that recorded the same before. */
  readonly turn?: Turn;
  readonly changed: boolean;
}

/** Agents, their states and their turns. A fact that arrives by two ways is one turn. */
export class AgentBook {
  readonly #store: Store;
  readonly #clock: Times;
  readonly #dates: SteadyDates;

  constructor(ports: { readonly store: Store; readonly clock: Times }) {
    this.#store = ports.store;
    this.#clock = ports.clock;
    this.#dates = new SteadyDates(ports.clock);
  }

  /** The agent in a terminal; without a living one, the last one there. */
  of(terminal: string): AgentRecord | undefined {
    const there = this.#store.agents().filter((one) => one.terminal === terminal);
    return there.findLast(({ endedAt }) => endedAt === undefined) ?? there.at(-1);
  }

  active(): readonly AgentRecord[] {
    return this.#store.agents().filter(({ endedAt }) => endedAt === undefined);
  }

  /** When an agent's first process started, in monotonic time. */
  beganAt({ id, startedAt }: Pick<AgentRecord, "id" | "startedAt">): number {
    return this.#dates.at(id, startedAt);
  }

  /** A program that is an agent runs. The prompt on its command line is its first command. */
  began(terminal: TerminalRecord, kind: string, adopted: boolean, prompt?: string): AgentRecord {
    const { id, name, task, cwd, place } = terminal;
    const agent = this.#begins({
      ...{ kind, name, terminal: id, cwd, adopted, tmux_pane_id: place?.pane ?? null },
      ...(task === undefined ? {} : { task }),
      ...(place === undefined ? {} : { server: place.server }),
    });
    if (prompt === undefined || prompt === "") return agent;
    return this.said(agent.id, { actor: "user", intent: "command", text: prompt, way: "given" }).agent;
  }

  /** An agent outside of tmux reports itself; it has no terminal. */
  beganOutside(kind: string, cwd: string | undefined): AgentRecord {
    return this.#begins({ kind, name: kind, ...(cwd === undefined ? {} : { cwd }), adopted: true });
  }

  /** An agent that was known without a terminal is found in one. */
  foundIn(id: string, { id: terminal, name, place }: TerminalRecord): AgentRecord {
    return this.learned(id, {
      ...{ terminal, name, tmux_pane_id: place?.pane ?? null },
      ...(place === undefined ? {} : { server: place.server }),
    });
  }

  /** A conversation that had ended, or whose process was replaced, continues. */
  resume(id: string, { place }: TerminalRecord): AgentRecord {
    const { endedAt: _ended, ...before } = this.#required(id);
    const agent: AgentRecord = {
      ...before,
      state: "idle",
      stateSince: this.#clock.now(),
      tmux_pane_id: place?.pane ?? before.tmux_pane_id,
      ...(place === undefined ? {} : { server: place.server }),
    };
    this.#store.keep((writer) => {
      writer.putAgent(agent);
      const { kind, tmux_pane_id, adopted } = agent;
      writer.append("session_created", { ...nameOf(agent), kind, tmux_pane_id, adopted });
    });
    return agent;
  }

  /** The conversation is over. The pane's id stays. */
  ended({ id }: Pick<AgentRecord, "id">, reason: string): void {
    const agent = this.#store.agent(id);
    if (!agent || agent.endedAt !== undefined) return;
    this.#store.keep((writer) => {
      writer.putAgent({ ...agent, endedAt: this.#clock.now() });
      writer.append("session_ended", { ...nameOf(agent), reason });
    });
  }

  /** Records what is learned beside states: the conversation's id, the pane, that hooks arrive. */
  learned(id: string, news: Partial<Omit<AgentRecord, "id" | "state" | "stateSince">>): AgentRecord {
    const record = this.#required(id);
    const { endedAt: _ended, ...rest } = record;
    const next = { ...("endedAt" in news && news.endedAt === undefined ? rest : record), ...news } as AgentRecord;
    this.#store.keep((writer) => writer.putAgent(next));
    return next;
  }

  /** Something was said. It becomes a turn unless it is one already; the state follows where it can. */
  said(id: string, given: Fact, latencyMs?: number): Recorded {
    const fact = given.text === undefined ? given : { ...given, text: cutText(given.text, maxTurnText) };
    const agent = this.#required(id);
    const turns = this.#store.turns(agent.id, remembered);
    const same = sameTurn(turns, fact, { state: agent.state, ageMs: (turn) => this.#ageMs(turn) });
    const next = nextState(agent.state, fact);
    if (!same && next === undefined) return { agent, changed: false };
    const isLate = fact.way === "told" && same !== undefined && isOver(turns, same);
    const state = isLate || isOnItsWay(fact) ? agent.state : (next ?? agent.state);
    return this.#store.keep((writer) => {
      const turn = same ? this.#completed(writer, same, fact) : this.#turn(writer, agent, fact);
      return { ...this.#moved(writer, agent, state, turn?.id, latencyMs), ...(turn ? { turn: turnView(turn) } : {}) };
    });
  }

  /** Applies a changed verdict, for agents whose hooks report less or nothing. */
  judged(change: AttentionChange, question: Question | undefined): void {
    const agent = this.of(change.terminal);
    if (!agent || agent.endedAt !== undefined) return;
    const fact = verdictFact(agent.state, change, question);
    if (fact) this.said(agent.id, { ...fact, way: "seen" });
  }

  #begins(known: Pick<AgentRecord, "kind" | "name" | "adopted"> & Partial<AgentRecord>): AgentRecord {
    const now = this.#clock.now();
    return this.#store.keep((writer) => {
      const record: AgentRecord = {
        ...{ id: writer.nextAgentId(), tmux_pane_id: null, iterm_pane_id: null },
        ...{ state: "idle", stateSince: now, startedAt: now },
        ...known,
      };
      writer.putAgent(record);
      this.beganAt(record);
      const { kind, tmux_pane_id, adopted } = record;
      writer.append("session_created", { ...nameOf(record), kind, tmux_pane_id, adopted });
      return record;
    });
  }

  // Also called when a turn is made, so that its date is converted then.
  #ageMs({ id, at }: TurnRecord): number {
    return this.#clock.monotonic() - this.#dates.at(id, at);
  }

  // Work alone is a state; a turn has text.
  #turn(writer: Writer, agent: AgentRecord, fact: Fact): TurnRecord | undefined {
    const { actor, intent, text = "" } = fact;
    if (intent === "progress" && text === "") return undefined;
    const id = writer.nextTurnId();
    const turn = withFact({ id, agent: agent.id, actor, intent, text, at: this.#clock.now(), ways: [] }, fact);
    writer.putTurn(turn);
    this.#ageMs(turn);
    writer.append("turn_created", { turn: turnView(turn) });
    return turn;
  }

  #completed(writer: Writer, turn: TurnRecord, fact: Fact): TurnRecord {
    const next = withFact(turn, fact);
    if (JSON.stringify(next) !== JSON.stringify(turn)) writer.putTurn(next);
    return next;
  }

  #moved(
    writer: Writer,
    agent: AgentRecord,
    state: Agent["state"],
    turn: string | undefined,
    latency: number | undefined,
  ): { readonly agent: AgentRecord; readonly changed: boolean } {
    if (state === agent.state) return { agent, changed: false };
    const next: AgentRecord = { ...agent, state, stateSince: this.#clock.now() };
    writer.putAgent(next);
    const turn_id = turn === undefined ? {} : { turn_id: turn };
    const latency_ms = latency === undefined ? {} : { latency_ms: latency };
    writer.append("state_changed", { ...nameOf(agent), state, before: agent.state, ...turn_id, ...latency_ms });
    return { agent: next, changed: true };
  }

  #required(id: string): AgentRecord {
    const agent = this.#store.agent(id);
    if (!agent) throw new Error(`there is no agent ${id}`);
    return agent;
  }
}

/** A turn as doors show it. */
export function turnView({ ways: _ways, called: _called, ...turn }: TurnRecord): Turn {
  return turn;
}

/** What an agent says at once, in characters. */
const maxTurnText = 65_536;

/** A fact is compared with this many turns. */
const remembered = 50;

// A submitted command: the agent's own report shows when it begins to work on it.
function isOnItsWay({ intent, delivery }: Fact): boolean {
  return intent === "command" && delivery !== undefined;
}

function nameOf({ id, name, terminal, task }: AgentRecord) {
  return {
    agent: id,
    agent_id: id,
    name,
    ...(terminal === undefined ? {} : { terminal }),
    ...(task === undefined ? {} : { task }),
  };
}
