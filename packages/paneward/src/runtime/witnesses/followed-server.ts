import type { HookPayload } from "../../agents/agent.ts";
import type { AgentServer, ServerEvent, ServerState } from "../../agents/server.ts";
import type { ServerPlace, ServerRequest, ServerSaid } from "../../model/agents/agent-server.ts";
import { startRecordedMs, steadyStreamMs } from "../../model/timing.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Attention } from "../attention/attention.ts";
import { withHash } from "../attention/question-identity.ts";
import type { Prompts } from "../courier/prompts.ts";
import type { AgentHttp, Clock, Log, Store } from "../ports.ts";

export interface FollowedPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly attention: Attention;
  readonly agents: AgentBook;
  readonly prompts: Prompts;
  readonly http: AgentHttp;
}

/** The server of one running agent: its event stream is kept open, and what it reports is evidence. */
export class FollowedServer {
  readonly server: AgentServer;
  readonly at: ServerPlace;
  readonly #ports: FollowedPorts;
  readonly #terminal: string;
  readonly #stopped = new AbortController();
  /** Undefined while the stream is not open. */
  #state: ServerState | undefined;
  /** What was reported last. */
  #reported = "";

  constructor(ports: FollowedPorts, terminal: string, server: AgentServer, at: ServerPlace) {
    this.#ports = ports;
    this.#terminal = terminal;
    this.server = server;
    this.at = at;
  }

  /** Until it is stopped. */
  async follow(): Promise<void> {
    const { log, clock } = this.#ports;
    const { signal } = this.#stopped;
    for (let wait = minWaitMs; !signal.aborted; wait = Math.min(wait * 2, maxWaitMs)) {
      const began = clock.monotonic();
      const reason = await this.#followOnce();
      const wasOpen = this.#state !== undefined;
      this.#state = undefined;
      if (signal.aborted) return;
      if (wasOpen) log.info("an agent's event stream broke off", { terminal: this.#terminal, reason });
      if (wasOpen && clock.monotonic() - began > steadyStreamMs) wait = minWaitMs;
      await clock.sleep(wait, signal);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  ask(request: ServerRequest): Promise<ServerSaid> {
    return this.#ports.http.ask(this.at, request, this.#stopped.signal);
  }

  /** From its stream; undefined while that is not open. */
  get streamed(): ServerState | undefined {
    return this.#state;
  }

  /** From its stream, or asked for now while that is not open; undefined when it does not answer. */
  async state(): Promise<ServerState | undefined> {
    const state = this.#state ?? (await this.#caughtUp());
    return typeof state === "string" ? undefined : state;
  }

  // Events that arrive before the catch-up are applied after it: replay is idempotent.
  async #followOnce(): Promise<string> {
    const { server } = this;
    const one = new AbortController();
    const signal = AbortSignal.any([this.#stopped.signal, one.signal]);
    const early: ServerEvent[] = [];
    let failed: string | undefined;
    const opened = () => {
      this.#caughtUp().then((state) => {
        if (typeof state === "string") {
          failed = state;
          one.abort();
        } else if (!signal.aborted) {
          this.#moved(early.reduce(server.after, state));
          for (const event of early) this.#report(event);
        }
      });
    };
    const message = (data: string) => {
      const event = eventIn(data);
      if (!event) return;
      if (!this.#state) return void early.push(event);
      this.#moved(server.after(this.#state, event));
      this.#report(event);
    };
    const reason = await this.#ports.http.follow(this.at, server.events, { opened, message }, signal);
    one.abort();
    return failed ?? reason;
  }

  /** The state now, or why it cannot be known. */
  async #caughtUp(): Promise<ServerState | string> {
    const answers: unknown[] = [];
    for (const path of this.server.catchUp) {
      const reply = await this.ask({ method: "GET", path });
      if (reply.kind !== "said") return reply.reason;
      if (reply.status !== 200) return `${path} was answered with ${reply.status}`;
      answers.push(reply.body);
    }
    const { agents, store } = this.#ports;
    const startedAt = (store.terminal(this.#terminal)?.startedAt ?? Number.POSITIVE_INFINITY) - startRecordedMs;
    return this.server.began(answers, { current: agents.of(this.#terminal)?.session_id, startedAt });
  }

  #moved(state: ServerState): void {
    const before = this.#state;
    this.#state = state;
    if (state === before) return;
    this.#learn(state.current);
    const reading = this.server.reads(state);
    if (!reading) return;
    const { says, rule, detail } = reading.reading;
    const { question, others = [] } = reading;
    const report = [says, rule, question?.request, ...others.map(({ request }) => request)].join(" ");
    if (before && report === this.#reported) return;
    this.#reported = report;
    this.#ports.attention.report(this.#terminal, {
      ...{ witness: "event_stream", says, rule, at: this.#ports.clock.monotonic() },
      ...(detail === undefined ? {} : { detail }),
      ...(question ? { question: withHash(question) } : {}),
      ...(others.length > 0 ? { others: others.map(withHash) } : {}),
    });
  }

  #report(event: ServerEvent): void {
    const { text, at, called } = (this.#state && this.server.prompted(this.#state, event)) ?? {};
    if (text === undefined || at === undefined) return;
    this.#ports.prompts.match(this.#terminal, text, at, { way: "event stream", as: "event stream", called });
  }

  // So that its conversation can be resumed later.
  #learn(current: string | undefined): void {
    const { agents } = this.#ports;
    const agent = agents.of(this.#terminal);
    if (current === undefined || !agent || agent.endedAt !== undefined || agent.session_id === current) return;
    agents.learned(agent.id, { session_id: current });
  }
}

const minWaitMs = 200;
/** A starting agent opens its port after seconds; one that hangs is asked no more often than this. */
const maxWaitMs = 2_000;

function eventIn(data: string): ServerEvent | undefined {
  try {
    const { type, properties } = JSON.parse(data) as { readonly type?: unknown; readonly properties?: unknown };
    if (typeof type !== "string" || typeof properties !== "object" || properties === null) return undefined;
    return { type, properties: properties as HookPayload };
  } catch {
    // Not JSON: no event.
    return undefined;
  }
}
