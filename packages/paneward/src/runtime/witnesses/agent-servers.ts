import { randomBytes } from "node:crypto";
import type { Agent } from "../../agents/agent.ts";
import type { AgentServer, ServerState, Started } from "../../agents/server.ts";
import type { ServerAddress, ServerPlace, ServerRequest, ServerSaid } from "../../model/agents/agent-server.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { agentIn } from "../agent-kind.ts";
import { type FollowedPorts, FollowedServer } from "./followed-server.ts";

/**
 * The HTTP servers of running agents: their events are evidence, and answers go to them before keys. The address of each
 * is part of how its terminal was started, so that it is found again after a restart.
 */
export class AgentServers {
  readonly #ports: FollowedPorts;
  readonly #followed = new Map<string, FollowedServer>();
  #stopEvents = () => {};

  constructor(ports: FollowedPorts) {
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
    for (const followed of this.#followed.values()) followed.stop();
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
    const state = await followed.state();
    return state && { server: followed.server, state };
  }

  /** Asks the agent's server once. */
  async ask(terminal: string, request: ServerRequest): Promise<ServerSaid> {
    const followed = this.#followed.get(terminal);
    if (!followed) return { kind: "unreached", reason: "the agent has no server" };
    return followed.ask(request);
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
    for (const [id, followed] of this.#followed) {
      const now = running.get(id);
      if (now?.pid === followed.at.pid && now.port === followed.at.port) running.delete(id);
      else {
        followed.stop();
        this.#followed.delete(id);
      }
    }
    for (const [terminal, { server, ...at }] of running) {
      const followed = new FollowedServer(this.#ports, terminal, server, at);
      this.#followed.set(terminal, followed);
      void followed.follow();
    }
  }
}

const beginsOrEnds = new Set<string>([
  ...["terminal_opened", "terminal_closed", "terminal_removed"],
  ...["task_started", "task_exited", "task_stopped", "task_lost", "task_removed", "task_reset"],
]);
