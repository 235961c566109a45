import { freeName, PanewardError } from "@paneward/sdk";
import { builtInAgents, isShell, shellAgent } from "../../agents/registry.ts";
import type { AgentRecord, TerminalRecord } from "../../model/records.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Attention } from "../attention/attention.ts";
import type { Cancel, FoundProgram } from "../ports.ts";
import type { HookCall } from "../witnesses/hooks.ts";
import type { World } from "../world.ts";
import { foreignHost, plainSocket } from "./foreign-host.ts";
import type { Supervisor } from "./supervisor.ts";

export interface AdoptedDeps extends World {
  readonly attention: Attention;
  readonly agents: AgentBook;
  readonly supervisor: Supervisor;
}

/** Agents that the user started in their own tmux: Paneward reads and answers them, and touches nothing else there. */
export class Adopted {
  readonly #deps: AdoptedDeps;
  readonly #screens = new Map<string, string>();
  #cancel: Cancel | undefined;

  constructor(deps: AdoptedDeps) {
    this.#deps = deps;
  }

  /** Such a pane has no journal that reports output; poll its screen. */
  begin(): void {
    this.#cancel = this.#deps.clock.interval(lookEveryMs, () => void this.#lookAll());
  }

  stop(): void {
    this.#cancel?.();
  }

  /** A hook that names only its pane comes from the server that plain tmux reaches. */
  async byHook(call: HookCall, kind: string, known?: AgentRecord): Promise<AgentRecord | undefined> {
    const [, socket = plainSocket(this.#deps.env)] = /^(.+?)(,\d+,\d+)?$/.exec(call.tmux ?? "") ?? [];
    if (call.pane === undefined || socket === this.#deps.places.tmuxSocket) return undefined;
    try {
      return await this.adopt(socket, call.pane, kind, known);
    } catch (error) {
      this.#deps.log.warn("an agent could not be adopted", { pane: call.pane, socket, error: String(error) });
      return undefined;
    }
  }

  async adopt(socket: string, pane: string, kind: string | undefined, unplaced?: AgentRecord): Promise<AgentRecord> {
    const { agents, terminals, places } = this.#deps;
    if (socket === places.tmuxSocket) {
      throw new PanewardError("wrong_state", `${pane} belongs to Paneward already`, { hint: "`paneward ps` shows it" });
    }
    const host = foreignHost(socket);
    const found = await terminals.find(host, pane);
    if (!found) throw noSuchPane(pane, socket);
    const { server } = found.place;
    const known = agents.active().find((one) => one.tmux_pane_id === pane && one.server === server);
    if (known) return known;
    const name = kind ?? (builtInAgents.includes(found.command) ? found.command : shellAgent);
    const record = this.#record(host, name, found);
    this.#deps.supervisor.watchAdopted(record);
    return unplaced ? agents.foundIn(unplaced.id, record) : agents.began(record, name, true);
  }

  #record(host: string, kind: string, found: FoundProgram): TerminalRecord {
    const { store, clock, places } = this.#deps;
    const { place, session, columns, rows, cwd, command } = found;
    return store.write((writer) => {
      const id = writer.nextTerminalId();
      const taken = new Set(store.terminals().map(({ name }) => name));
      const now = clock.now();
      const record: TerminalRecord = {
        id,
        name: freeName(kind, (name) => taken.has(name)),
        host,
        // The full command is not known; the kind of agent selects how its screen is read.
        argv: [isShell(kind) ? command : kind],
        cwd,
        env: {},
        keep: true,
        columns,
        rows,
        session,
        journal: `${places.journals}/${id}`,
        adopted: true,
        phase: "running",
        place,
        createdAt: now,
        startedAt: now,
      };
      writer.putTerminal(record);
      const { name, argv } = record;
      writer.append("terminal_opened", { terminal: id, name, argv, cwd, restarted: false });
      return record;
    });
  }

  async #lookAll(): Promise<void> {
    const running = this.#deps.store.terminals().filter(({ adopted, phase }) => adopted && phase === "running");
    await Promise.all(running.map((record) => this.#look(record)));
  }

  // A screen that differs from the last one has new output.
  async #look(record: TerminalRecord): Promise<void> {
    const { terminals, attention } = this.#deps;
    const { id, host, place } = record;
    if (!place) return;
    try {
      const found = await terminals.find(host, place.pane);
      if (!found || found.place.server !== place.server || found.place.pid !== place.pid) return this.#gone(id);
      const { lines } = await terminals.look(host, place);
      const screen = lines.join("\n");
      const before = this.#screens.get(id);
      if (before !== screen) attention.output(id, { old: before === undefined });
      this.#screens.set(id, screen);
    } catch {
      if (!(await terminals.health(host, place, "exists", [])).available) this.#gone(id);
    }
  }

  #gone(id: string): void {
    this.#screens.delete(id);
    this.#deps.supervisor.adoptedEnded(id, { kind: "unknown" });
  }
}

export const lookEveryMs = 1_000;

function noSuchPane(pane: string, socket: string): PanewardError {
  const hint = `\`tmux -S ${socket} list-panes -a\` lists them`;
  return new PanewardError("not_found", `there is no pane ${pane} with a running program on ${socket}`, { hint });
}
