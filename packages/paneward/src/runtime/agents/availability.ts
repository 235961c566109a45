import type { AgentRecord } from "../../model/records.ts";
import type { Clock, Store, Terminals } from "../ports.ts";
import type { AgentBook } from "./agent-book.ts";

interface AvailabilityPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly terminals: Pick<Terminals, "health">;
  readonly agents: AgentBook;
}

/** Whether an answer can reach each agent: its pane exists. Checked at intervals, and at once when tmux reports news. */
export class Availability {
  readonly #ports: AvailabilityPorts;
  readonly #known = new Map<string, boolean>();
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
    return endedAt === undefined && pane !== null && (this.#known.get(id) ?? true);
  }

  async checkAll(): Promise<void> {
    const active = new Set(this.#ports.agents.active().map(({ id }) => id));
    for (const id of this.#known.keys()) if (!active.has(id)) this.#gone(id);
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

  // An agent whose conversation is over cannot be answered; the book keeps its pane.
  #gone(id: string): void {
    this.#report(id, false);
    this.#known.delete(id);
  }

  #report(id: string, available: boolean): void {
    if (this.#known.get(id) === available) return;
    this.#known.set(id, available);
    const { store, clock } = this.#ports;
    store.keep((writer) =>
      writer.append("commander_availability", { agent_id: id, available, timestamp: clock.now() }),
    );
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
