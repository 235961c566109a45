import { randomBytes } from "node:crypto";
import type { PanewardEvent } from "@paneward/sdk";
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
      if (events.some(({ type }) => ofTasks.has(type))) this.#followAll();
      else for (const id of events.flatMap(terminalOf)) this.#follow(id, this.#ports.store.terminal(id));
    });
    this.#followAll();
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

  /** The same while its stream is open, without a wait. */
  streamed(terminal: string): { readonly server: AgentServer; readonly state: ServerState } | undefined {
    const followed = this.#followed.get(terminal);
    const state = followed?.streamed;
    return followed && state && { server: followed.server, state };
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

  #followAll(): void {
    const terminals = new Map(this.#ports.store.terminals().map((terminal) => [terminal.id, terminal]));
    for (const id of new Set([...this.#followed.keys(), ...terminals.keys()])) this.#follow(id, terminals.get(id));
  }

  #follow(id: string, terminal: TerminalRecord | undefined): void {
    const place = terminal?.phase === "running" ? terminal.place : undefined;
    const found = terminal && place && this.#serverOf(terminal);
    const followed = this.#followed.get(id);
    if (followed && found && place?.pid === followed.at.pid && found.address.port === followed.at.port) return;
    followed?.stop();
    this.#followed.delete(id);
    if (!found || !place) return;
    const at: ServerPlace = { ...found.address, pid: place.pid };
    const now = new FollowedServer(this.#ports, id, found.server, at);
    this.#followed.set(id, now);
    void now.follow();
  }
}

/** The terminal that an event says has begun or ended. A thousand may run: only this one is looked at. */
function terminalOf(event: PanewardEvent): readonly string[] {
  return ofTerminals.has(event.type) && "terminal" in event.data ? [String(event.data.terminal)] : [];
}

const ofTerminals = new Set<string>(["terminal_opened", "terminal_closed", "terminal_removed"]);
const ofTasks = new Set<string>([
  ...["task_started", "task_exited", "task_stopped", "task_lost", "task_removed", "task_reset"],
]);
