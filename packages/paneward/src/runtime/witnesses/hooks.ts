import type { HookPayload, HookReading, ShownQuestion } from "../../agents/agent.ts";
import { readPlainHook } from "../../agents/plain-hooks.ts";
import { agentNamed, isSynthetic, unnamedHooksAgent } from "../../agents/registry.ts";
import { correlate, type HookOrigin } from "../../model/agents/correlate.ts";
import { questionWords } from "../../model/agents/question-words.ts";
import type { AgentRecord, TerminalRecord } from "../../model/records.ts";
import { lateHookMs, sameMomentMs } from "../../model/timing.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Attention } from "../attention/attention.ts";
import type { Prompts } from "../courier/prompts.ts";
import type { Clock, Store } from "../ports.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import type { HookRequests } from "./hook-requests.ts";
import { untilPlaced } from "./until-placed.ts";

export interface HookDeps {
  readonly clock: Clock;
  readonly store: Store;
  readonly attention: Attention;
  readonly questions: QuestionBook;
  readonly agents: AgentBook;
  readonly prompts: Prompts;
  readonly requests: Pick<HookRequests, "asked" | "after">;
}

/** One call of an agent's hook. */
export interface HookCall {
  /** The agent's own name for it. */
  readonly event: string;
  readonly payload: HookPayload;
  /** Which agent, if the caller names it. */
  readonly kind: string | undefined;
  readonly pane: string | undefined;
  /** `$TMUX` of the pane: socket, server process, session. */
  readonly tmux: string | undefined;
  /** Which installation of our hooks reports: with two of them, each reports everything. */
  readonly source?: string | undefined;
  /** The hook waits for an answer, if one decision can answer it. */
  readonly waits?: boolean;
}

export type HookOutcome =
  | {
      readonly status: "ok";
      readonly agent: AgentRecord;
      readonly isNew: boolean;
      readonly method: string;
      readonly changed: boolean;
      /** The hook reports that a conversation begins: a new one, or an old one again. */
      readonly begins: boolean;
      /** What it asks, and as which request, if one decision can answer it. */
      readonly asked?: { readonly question: ShownQuestion; readonly request: string };
    }
  | { readonly status: "dropped" | "ignored"; readonly reason: string };

/**
 * Records an agent of the user's own tmux, or the pane of one that was known without; undefined when that pane does not
 * exist.
 */
export type Adopt = (call: HookCall, kind: string, known?: AgentRecord) => Promise<AgentRecord | undefined>;

/** The hooks of agents: finds the agent of each, records what was said, and passes its report on as evidence. */
export class Hooks {
  readonly #deps: HookDeps;
  readonly #adopt: Adopt;
  readonly #ended = new Map<string, readonly string[]>();

  constructor(deps: HookDeps, adopt: Adopt) {
    this.#deps = deps;
    this.#adopt = adopt;
  }

  async receive(call: HookCall): Promise<HookOutcome> {
    const found = await this.#agentOf(call);
    if ("refused" in found) return { status: "dropped", reason: found.refused };
    const { agent, isNew, method } = found;
    const reading = readingOf(agent.kind, call);
    const known = this.#learn(agent, call, reading);
    if (!reading) return { status: "ignored", reason: `${call.event} carries no status` };
    if (reading.session === "ended") {
      if (this.#isOfTheProcessBefore(known))
        return { status: "ignored", reason: "a newer process has resumed this conversation" };
      this.#deps.agents.ended(known, reading.reason ?? "it ended");
      return { status: "ok", agent: known, isNew, method, changed: false, begins: false };
    }
    if (method !== "working_directory") this.#matchPrompt(known, call, reading);
    return { ...this.#apply(known, call, reading), isNew, method, begins: begins(reading) };
  }

  // Some agents date their hooks; a dated hook may have been on its way for a while.
  #matchPrompt({ terminal, kind }: AgentRecord, { payload }: HookCall, { turn }: HookReading): void {
    if (terminal === undefined || turn?.actor !== "user" || isSynthetic(kind, turn.text)) return;
    const now = this.#deps.clock.now();
    const dated = Date.parse(text(payload.timestamp) ?? "");
    const at = Math.min(now, Number.isFinite(dated) ? dated : now);
    this.#deps.prompts.match(terminal, turn.text, at, { way: "hook", as: "hook", called: nameOf(payload) });
  }

  // The end of the new process is reported by its terminal.
  #isOfTheProcessBefore(agent: AgentRecord): boolean {
    const { agents, attention, clock } = this.#deps;
    const since = attention.startedAt(agent.terminal ?? "") ?? 0;
    return agents.beganAt(agent) < since - sameMomentMs && clock.monotonic() - since < lateHookMs;
  }

  #apply(agent: AgentRecord, call: HookCall, reading: HookReading) {
    const { question } = reading;
    if (agent.terminal === undefined) return this.#reportsUnseen(agent, call, reading);
    return question && reading.reading
      ? this.#asks(agent, call, { ...reading, question, reading: reading.reading })
      : this.#reports(agent, call, reading);
  }

  #asks(
    agent: AgentRecord,
    call: HookCall,
    reading: HookReading & Required<Pick<HookReading, "question" | "reading">>,
  ) {
    const { terminal = "", state: before } = agent;
    const { question, asksSeveral, reading: said } = reading;
    const request = this.#deps.requests.asked(terminal, {
      ...{ question, rule: said.rule, tool: toolOf(call.payload, question), agent: subagentOf(call.payload) },
      ...{ source: call.source ?? "", waits: call.waits === true && !asksSeveral },
    });
    // Once the question is in the book it has an id, by which its dialog is recognised.
    this.#say(agent, call, reading, request);
    const now = this.#deps.store.agent(agent.id) ?? agent;
    const asked = asksSeveral ? {} : { asked: { question, request } };
    return { status: "ok" as const, agent: now, changed: now.state !== before, ...asked };
  }

  #reports(agent: AgentRecord, call: HookCall, reading: HookReading) {
    const { requests, attention, clock, store } = this.#deps;
    const { terminal = "", state: before } = agent;
    const at = clock.monotonic();
    const unchanged = { status: "ok" as const, agent, changed: false };
    if (reading.phase === "tool_ended" && this.#isRepeated(terminal, call.payload)) return unchanged;
    const unnamed = unnamedTool(text((Object(call.payload.tool_input) as HookPayload).command));
    const moment = { phase: reading.phase, tool: toolOf(call.payload), unnamed, agent: subagentOf(call.payload), at };
    if (!requests.after(terminal, { ...moment, says: reading.reading?.says })) return unchanged;
    this.#say(agent, call, reading);
    if (reading.reading) {
      const { says, rule, detail } = reading.reading;
      attention.report(terminal, { witness: "hook", says, at, rule, ...(detail === undefined ? {} : { detail }) });
      if (says === "needs_input" && attention.asks(terminal)) this.#saysItAsks(agent.id, call, rule);
    }
    const now = store.agent(agent.id) ?? agent;
    return { status: "ok" as const, agent: now, changed: now.state !== before };
  }

  // A notification that it asks is a question without its words; its dialog, once drawn, is the same question.
  #saysItAsks(id: string, { payload }: HookCall, rule: string): void {
    const { agents, store } = this.#deps;
    if (store.agent(id)?.state === "awaiting_input") return;
    agents.said(id, { actor: "agent", intent: "question", text: text(payload.message) ?? rule, way: "told" });
  }

  // The screen of an agent outside of tmux cannot be seen: only its hooks change its state.
  #reportsUnseen(agent: AgentRecord, call: HookCall, reading: HookReading) {
    const { agents, store } = this.#deps;
    const { says, rule } = reading.reading ?? {};
    this.#say(agent, call, reading);
    if (says === "needs_input") this.#saysItAsks(agent.id, call, rule ?? "");
    if (says === "working") agents.said(agent.id, { actor: "agent", intent: "progress", way: "told" });
    const now = store.agent(agent.id) ?? agent;
    return { status: "ok" as const, agent: now, changed: now.state !== agent.state };
  }

  // Hooks that are installed in two ways report the end of one tool twice; the second must not end another request.
  #isRepeated(terminal: string, payload: HookPayload): boolean {
    const id = text(payload.tool_use_id);
    if (id === undefined) return false;
    const known = this.#ended.get(terminal) ?? [];
    if (known.includes(id)) return true;
    this.#ended.set(terminal, [...known.slice(-rememberedEnds), id]);
    return false;
  }

  #say({ id, kind, terminal = "" }: AgentRecord, { payload }: HookCall, reading: HookReading, request?: string): void {
    const turn = turnOf(kind, reading);
    if (!turn) return;
    const called = turn.actor === "user" ? nameOf(payload) : undefined;
    const fact = { ...turn, way: "told", ...(called === undefined ? {} : { called }) } as const;
    const shown = reading.question ? this.#deps.questions.of(terminal) : undefined;
    const openQuestion = shown?.request === request ? shown : undefined;
    const text = reading.question ? questionWords(reading.question) : turn.text;
    this.#deps.agents.said(id, { ...fact, text, ...(openQuestion ? { question: openQuestion.id } : {}) });
  }

  #learn(agent: AgentRecord, { payload }: HookCall, reading: HookReading | undefined): AgentRecord {
    const session = text(payload.session_id);
    const renamed = session !== undefined && session !== agent.session_id && reading?.session !== "ended";
    return this.#deps.agents.learned(agent.id, {
      hookedAt: this.#deps.clock.now(),
      ...(renamed ? { session_id: session } : {}),
      ...(text(payload.iterm_pane_id) === undefined ? {} : { iterm_pane_id: text(payload.iterm_pane_id) ?? null }),
    });
  }

  async #agentOf(call: HookCall): Promise<Match> {
    const { agents } = this.#deps;
    const origin = originOf(call);
    if (origin.pane !== undefined && origin.serverPid !== undefined) {
      await untilPlaced(this.#deps, () => this.#terminalAt(origin) !== undefined);
    }
    const found = correlate(agents.active(), origin);
    if (found)
      return "refused" in found ? found : { ...found, agent: await this.#placed(found.agent, call), isNew: false };
    const terminal = this.#terminalAt(origin);
    // The last hook of a process may arrive after the first one of its successor.
    const before = terminal && agents.of(terminal.id);
    if (terminal && before?.session_id !== undefined && before.session_id === origin.sessionId) {
      return { agent: agents.resume(before.id, terminal), isNew: false, method: "session_id" };
    }
    if (terminal) {
      return { agent: agents.began(terminal, origin.kind ?? unnamedHooksAgent, false), isNew: true, method: "pane" };
    }
    const kind = origin.kind ?? unnamedHooksAgent;
    if (origin.pane === undefined) return this.#outside(call, origin, kind);
    const adopted = await this.#adopt(call, kind);
    if (adopted) return { agent: adopted, isNew: true, method: "adopted" };
    return unknownOrigin;
  }

  /** An agent outside of tmux: its conversation is known, and nothing can be typed into it. */
  #outside(call: HookCall, { sessionId, cwd }: HookOrigin, kind: string): Match {
    const { agents } = this.#deps;
    const reading = readingOf(kind, call);
    if (sessionId === undefined || !reading || reading.session === "ended") return unknownOrigin;
    if (agents.active().filter(({ terminal }) => terminal === undefined).length >= maxOutside) return unknownOrigin;
    return { agent: agents.beganOutside(kind, cwd), isNew: true, method: "session_id" };
  }

  /** An agent that was known without a pane, and whose hook names one, is in that pane. */
  async #placed(agent: AgentRecord, call: HookCall): Promise<AgentRecord> {
    if (call.pane === undefined || agent.tmux_pane_id !== null) return agent;
    return (await this.#adopt(call, agent.kind, agent)) ?? agent;
  }

  #terminalAt({ pane, serverPid }: HookOrigin): TerminalRecord | undefined {
    if (pane === undefined || serverPid === undefined) return undefined;
    return this.#deps.store
      .terminals()
      .find(
        ({ phase, place }) => phase === "running" && place?.pane === pane && place.server.startsWith(`${serverPid}.`),
      );
  }
}

/** Each of them is a process; more come from a caller that makes up conversations. */
const maxOutside = 200;

const unknownOrigin = { refused: "no agent is known for this conversation, pane or folder" } as const;

type Match =
  | { readonly agent: AgentRecord; readonly isNew: boolean; readonly method: string }
  | { readonly refused: string };

function readingOf(kind: string, { event, payload }: HookCall): HookReading | undefined {
  const own = agentNamed(kind, {})?.readHook;
  return own ? own(event, payload) : readPlainHook(event, payload);
}

function originOf(call: HookCall): HookOrigin {
  const { payload } = call;
  const [, serverPid] = /,(\d+),\d+$/.exec(call.tmux ?? "") ?? [];
  const reading = readingOf(call.kind ?? unnamedHooksAgent, call);
  return {
    sessionId: text(payload.session_id),
    pane: call.pane,
    serverPid,
    cwd: text(payload.cwd) ?? text(payload.working_directory),
    kind: call.kind,
    renamed: begins(reading) && reading?.reason !== undefined && reading.reason !== "startup",
  };
}

function begins(reading: HookReading | undefined): boolean {
  return reading?.session !== undefined && reading.session !== "ended";
}

/** What the agent calls a prompt that it was given. */
function nameOf(payload: HookPayload): string | undefined {
  return text(payload.prompt_id) ?? text(payload.turn_id) ?? text(payload.timestamp);
}

// What asks and what reports the end of a tool describe it in different words; its name and what it is given are the same.
function toolOf({ tool_name: name, tool_input: input }: HookPayload, question?: ShownQuestion): string {
  if (typeof name !== "string") return unnamedTool(question?.proposal?.command);
  const { description: _words, answers: _given, annotations: _notes, ...rest } = Object(input) as HookPayload;
  return `${name} ${JSON.stringify(rest)}`;
}

/** A tool of an agent whose requests do not name it, by its command. */
function unnamedTool(command: string | undefined): string {
  return command === undefined ? "" : ` ${command}`;
}

/** The subagent that a hook comes from; empty for the conversation itself. */
function subagentOf({ agent_id: id }: HookPayload): string {
  return text(id) ?? "";
}

const rememberedEnds = 100;

// A turn that ends while background work continues has not finished.
function turnOf(kind: string, { turn, reading }: HookReading): HookReading["turn"] {
  if (!turn || isSynthetic(kind, turn.text)) return undefined;
  return reading?.detail === "background_work" ? { ...turn, intent: "progress" } : turn;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
