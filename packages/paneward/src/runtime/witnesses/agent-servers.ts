import { randomBytes } from "node:crypto";
import type { Agent, HookPayload } from "../../agents/agent.ts";
import type { AgentServer, ServerEvent, ServerState, Started } from "../../agents/server.ts";
import type { ServerAddress, ServerPlace, ServerRequest, ServerSaid } from "../../model/agents/agent-server.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { agentIn } from "../agent-kind.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Attention } from "../attention/attention.ts";
import { withHash } from "../attention/question-identity.ts";
import type { AgentHttp, Clock, Log, Store } from "../ports.ts";

export interface AgentServersPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly attention: Attention;
  readonly agents: AgentBook;
  readonly http: AgentHttp;
}

interface Followed {
  readonly terminal: string;
  readonly server: AgentServer;
  readonly at: ServerPlace;
  readonly stopped: AbortController;
  /** Undefined while the stream is not open. */
  state: ServerState | undefined;
  /** What was reported last. */
  reported: string;
}

/**
 * The HTTP servers of running agents: their events are evidence, and answers go to them before keys. The address of each
 * is part of how its terminal was started, so that it is found again after a restart.
 */
export class AgentServers {
  readonly #ports: AgentServersPorts;
  readonly #followed = new Map<string, Followed>();
  #stopEvents = () => {};

  constructor(ports: AgentServersPorts) {
    this.#ports = ports;
  }

  begin(): void {
    this.#stopEvents = this.#ports.store.onEvents((events) => {
      if (events.some(({ type }) => beginsOrEnds.has(type))) this.#follow();
    });
    this.#follow();
  }

  stop(): void {
    this.#stopEvents();
    for (const { stopped } of this.#followed.values()) stopped.abort();
    this.#followed.clear();
  }

  /** Where an agent that is about to start listens. */
  async newAddress(): Promise<ServerAddress> {
    const taken = this.#ports.store.terminals().flatMap((terminal) => this.#serverOf(terminal)?.address.port ?? []);
    const port = await this.#ports.http.freePort(taken);
    return { port, user: "paneward", password: randomBytes(24).toString("base64url") };
  }

  addressOf(terminal: TerminalRecord): ServerAddress | undefined {
    return this.#serverOf(terminal)?.address;
  }

  /** How a terminal is started again: on its port, or on another when that one is taken by now. */
  async again(terminal: TerminalRecord): Promise<TerminalRecord> {
    const found = this.#serverOf(terminal);
    if (!found || (await this.#ports.http.isFree(found.address.port))) return terminal;
    const { argv, env } = terminal;
    const started: Started = found.server.moved({ argv, env }, await this.newAddress());
    return { ...terminal, ...started };
  }

  /** The state of the agent's server: from its stream, or asked for now while that is not open; else undefined. */
  async known(terminal: string): Promise<{ readonly server: AgentServer; readonly state: ServerState } | undefined> {
    const followed = this.#followed.get(terminal);
    if (!followed) return undefined;
    const state = followed.state ?? (await this.#caughtUp(followed));
    return typeof state === "string" ? undefined : { server: followed.server, state };
  }

  /** Asks the agent's server once. */
  async ask(terminal: string, request: ServerRequest): Promise<ServerSaid> {
    const followed = this.#followed.get(terminal);
    if (!followed) return { kind: "unreached", reason: "the agent has no server" };
    return this.#ports.http.ask(followed.at, request, followed.stopped.signal);
  }

  #serverOf(terminal: TerminalRecord): { readonly server: AgentServer; readonly address: ServerAddress } | undefined {
    // On another host the port is that host's.
    if (terminal.host !== "local" || terminal.adopted) return undefined;
    const agent: Agent | undefined = agentIn(this.#ports.store, terminal);
    const address = agent?.server?.at(terminal.argv, terminal.env);
    return agent?.server && address && { server: agent.server, address };
  }

  #follow(): void {
    const running = new Map<string, ServerPlace & { readonly server: AgentServer }>();
    for (const terminal of this.#ports.store.terminals()) {
      const found = terminal.phase === "running" && terminal.place ? this.#serverOf(terminal) : undefined;
      if (found && terminal.place) {
        running.set(terminal.id, { ...found.address, pid: terminal.place.pid, server: found.server });
      }
    }
    for (const [id, { at, stopped }] of this.#followed) {
      const now = running.get(id);
      if (now?.pid === at.pid && now.port === at.port) running.delete(id);
      else {
        stopped.abort();
        this.#followed.delete(id);
      }
    }
    for (const [terminal, { server, ...at }] of running) {
      const followed = { terminal, server, at, stopped: new AbortController(), state: undefined, reported: "" };
      this.#followed.set(terminal, followed);
      void this.#hearOn(followed);
    }
  }

  async #hearOn(followed: Followed): Promise<void> {
    const { terminal, stopped } = followed;
    const { log, clock } = this.#ports;
    for (let wait = minWaitMs; !stopped.signal.aborted; wait = Math.min(wait * 2, maxWaitMs)) {
      const began = clock.monotonic();
      const reason = await this.#hear(followed);
      const wasOpen = followed.state !== undefined;
      followed.state = undefined;
      if (stopped.signal.aborted) return;
      if (wasOpen) log.info("an agent's event stream broke off", { terminal, reason });
      if (wasOpen && clock.monotonic() - began > steadyMs) wait = minWaitMs;
      await clock.sleep(wait, stopped.signal);
    }
  }

  // Events that arrive before the catch-up are applied after it: replay is idempotent.
  async #hear(followed: Followed): Promise<string> {
    const { server, at, stopped } = followed;
    const one = new AbortController();
    const signal = AbortSignal.any([stopped.signal, one.signal]);
    const early: ServerEvent[] = [];
    let failed: string | undefined;
    const opened = () => {
      this.#caughtUp(followed).then((state) => {
        if (typeof state === "string") {
          failed = state;
          one.abort();
        } else if (!signal.aborted) this.#knows(followed, early.reduce(server.after, state));
      });
    };
    const message = (data: string) => {
      const event = eventIn(data);
      if (!event) return;
      if (followed.state) this.#knows(followed, server.after(followed.state, event));
      else early.push(event);
    };
    const reason = await this.#ports.http.follow(at, server.events, { opened, message }, signal);
    one.abort();
    return failed ?? reason;
  }

  async #caughtUp({ terminal, server, at, stopped }: Followed): Promise<ServerState | string> {
    const answers: unknown[] = [];
    for (const path of server.catchUp) {
      const said = await this.#ports.http.ask(at, { method: "GET", path }, stopped.signal);
      if (said.kind !== "said") return said.reason;
      if (said.status !== 200) return `${path} was answered with ${said.status}`;
      answers.push(said.body);
    }
    const { agents, store } = this.#ports;
    const startedAt = store.terminal(terminal)?.startedAt ?? Number.POSITIVE_INFINITY;
    return server.began(answers, { current: agents.of(terminal)?.session_id, startedAt: startedAt - startRecordedMs });
  }

  #knows(followed: Followed, state: ServerState): void {
    const before = followed.state;
    followed.state = state;
    if (state === before) return;
    this.#learn(followed.terminal, state.current);
    const reading = followed.server.reads(state);
    if (!reading) return;
    const { says, rule, detail } = reading.reading;
    const report = `${says} ${rule} ${reading.question?.request ?? ""}`;
    if (before && report === followed.reported) return;
    followed.reported = report;
    this.#ports.attention.hear(followed.terminal, {
      witness: "event_stream",
      says,
      rule,
      at: this.#ports.clock.monotonic(),
      ...(detail === undefined ? {} : { detail }),
      ...(reading.question ? { question: withHash(reading.question) } : {}),
    });
  }

  // So that its conversation can be resumed later.
  #learn(terminal: string, current: string | undefined): void {
    const { agents } = this.#ports;
    const agent = agents.of(terminal);
    if (current === undefined || !agent || agent.endedAt !== undefined || agent.session_id === current) return;
    agents.learned(agent.id, { session_id: current });
  }
}

const beginsOrEnds = new Set<string>([
  ...["terminal_opened", "terminal_closed", "terminal_removed"],
  ...["task_started", "task_exited", "task_stopped", "task_lost", "task_removed", "task_reset"],
]);

const minWaitMs = 200;
/** A starting agent opens its port after seconds; one that hangs is asked no more often than this. */
const maxWaitMs = 2_000;
const steadyMs = 10_000;
/** A start is recorded at most this long after it happened. */
const startRecordedMs = 10_000;

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
