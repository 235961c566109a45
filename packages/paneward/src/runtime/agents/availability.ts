import type { AgentRecord } from "../../model/records.ts";
import type { Clock, Store, Terminals } from "../ports.ts";
import type { AgentBook } from "./agent-book.ts";

interface AvailabilityPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly terminals: Pick<Terminals, "health">;
  readonly agents: Pick<AgentBook, "active">;
}

/** Whether an answer can reach each agent: its pane exists. Checked at intervals, and at once when tmux reports news. */
export class Availability {
  readonly #ports: AvailabilityPorts;
  #stopTimer = () => {};
  #stopEvents = () => {};

  constructor(ports: AvailabilityPorts) {
    this.#ports = ports;
  }

  begin(intervalSeconds: number): void {
    this.#stopTimer = this.#ports.clock.interval(intervalSeconds * 1_000, () => this.checkAll());
    this.#stopEvents = this.#ports.store.onEvents((events) => {
      if (events.some(({ type }) => changes.has(type))) this.checkAll();
    });
    this.checkAll();
  }

  stop(): void {
    this.#stopTimer();
    this.#stopEvents();
  }

  /** As last checked. An agent that was not checked yet counts as available while it has a pane. */
  isAvailable({ id, endedAt, tmux_pane_id: pane }: AgentRecord): boolean {
    return endedAt === undefined && pane !== null && (this.#ports.store.agent(id)?.reachable ?? true);
  }

  async checkAll(): Promise<void> {
    // An agent whose conversation is over cannot be answered; the book keeps its pane.
    for (const { id, endedAt } of this.#ports.store.agents()) if (endedAt !== undefined) this.#report(id, false);
    await Promise.all(this.#ports.agents.active().map((agent) => this.check(agent)));
  }

  async check(agent: AgentRecord): Promise<boolean> {
    const terminal = agent.terminal === undefined ? undefined : this.#ports.store.terminal(agent.terminal);
    const place = terminal?.phase === "running" ? terminal.place : undefined;
    const health = terminal && place && (await this.#ports.terminals.health(terminal.host, place, "exists", []));
    const available = health?.available ?? false;
    if (this.#ports.store.agent(agent.id)?.endedAt === undefined) this.#report(agent.id, available);
    return available;
  }

  // What ended before it was ever checked was never reported as available.
  #report(id: string, available: boolean): void {
    const { store, clock } = this.#ports;
    const agent = store.agent(id);
    if (!agent || agent.reachable === available || (agent.endedAt !== undefined && agent.reachable === undefined))
      return;
    store.keep((writer) => {
      writer.putAgent({ ...agent, reachable: available });
      writer.append("commander_availability", { agent_id: id, available, timestamp: clock.now() });
    });
  }
}

const changes = new Set<string>([
  "session_created",
  "session_ended",
  "terminal_closed",
  "task_exited",
  "task_stopped",
  "task_lost",
  "host_changed",
]);
