import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { freeName, type Output, PanewardError, type Parsed } from "@paneward/sdk";
import { builtInAgents } from "../../agents/registry.ts";
import type { AgentRecord, TerminalRecord } from "../../model/records.ts";
import { judgeTerminal } from "../operations/views.ts";
import type { FoundProgram } from "../ports.ts";
import type { HookCall } from "../witnesses/hooks.ts";
import type { Runtime } from "../world.ts";
import { foreignHost } from "./foreign-host.ts";
import type { Supervisor } from "./supervisor.ts";

/** Agents that the user started in their own tmux. They are looked at and answered; nothing else there is touched. */
export class Adopted {
  readonly #rt: Runtime;
  readonly #supervisor: Supervisor;
  readonly #screens = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(rt: Runtime, supervisor: Supervisor) {
    this.#rt = rt;
    this.#supervisor = supervisor;
  }

  /** Such a pane tells nothing by itself: it is looked at once a second. */
  begin(): void {
    this.#timer = setInterval(() => this.#lookAll(), lookEveryMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async byHook(call: HookCall, kind: string): Promise<AgentRecord | undefined> {
    const [, socket] = /^(.+?)(,\d+,\d+)?$/.exec(call.tmux ?? "") ?? [];
    if (call.pane === undefined || socket === undefined || socket === this.#rt.places.tmuxSocket) return undefined;
    try {
      return await this.adopt(socket, call.pane, kind);
    } catch (error) {
      this.#rt.log.warn("an agent could not be adopted", { pane: call.pane, socket, error: String(error) });
      return undefined;
    }
  }

  async adopt(socket: string, pane: string, kind: string | undefined): Promise<AgentRecord> {
    const { agents, terminals, places } = this.#rt;
    if (socket === places.tmuxSocket) {
      throw new PanewardError("wrong_state", `${pane} belongs to Paneward already`, { hint: "`paneward ps` shows it" });
    }
    const host = foreignHost(socket);
    const found = await terminals.find(host, pane);
    if (!found) throw noSuchPane(pane, socket);
    const { server } = found.place;
    const known = agents.living().find((one) => one.tmux_pane_id === pane && one.server === server);
    if (known) return known;
    const name = kind ?? (builtInAgents.includes(found.command) ? found.command : "shell");
    const record = this.#written(host, name, found);
    this.#supervisor.adopted(record);
    return agents.began(record, name, true);
  }

  #written(host: string, kind: string, found: FoundProgram): TerminalRecord {
    const { store, clock, places } = this.#rt;
    const { place, session, columns, rows, cwd, command } = found;
    return store.write((writer) => {
      const id = writer.nextTerminalId();
      const taken = new Set(store.terminals().map(({ name }) => name));
      const now = clock.now();
      const record: TerminalRecord = {
        id,
        name: freeName(kind, (name) => taken.has(name)),
        host,
        // What it was started with is not known; the reader is chosen by the agent.
        argv: [kind === "shell" ? command : kind],
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
    const running = this.#rt.store.terminals().filter(({ adopted, phase }) => adopted && phase === "running");
    await Promise.all(running.map((record) => this.#look(record)));
  }

  // What is on the screen now was printed since the last look if it is not the same.
  async #look(record: TerminalRecord): Promise<void> {
    const { terminals, attention } = this.#rt;
    const { id, host, place } = record;
    if (!place) return;
    try {
      const found = await terminals.find(host, place.pane);
      if (!found || found.place.server !== place.server || found.place.pid !== place.pid) return this.#gone(id);
      const { lines } = await terminals.look(host, place);
      const screen = lines.join("\n");
      const before = this.#screens.get(id);
      if (before !== screen) attention.output(id, before === undefined);
      this.#screens.set(id, screen);
    } catch {
      if (!(await terminals.health(host, place, "exists", [])).available) this.#gone(id);
    }
  }

  #gone(id: string): void {
    this.#screens.delete(id);
    this.#supervisor.left(id, { kind: "unknown" });
  }
}

const lookEveryMs = 1_000;

/** Where plain `tmux` listens for this user. */
export function plainSocket(env: Runtime["env"]): string {
  return `${env.TMUX_TMPDIR ?? "/tmp"}/tmux-${process.getuid?.() ?? 0}/default`;
}

/**
 * A pane without a journal has no past: what it shows is all that can be read, and the cursor says what that was. Whoever
 * waits for something new waits until it shows something else.
 */
export async function readAdopted(
  rt: Runtime,
  terminal: TerminalRecord,
  { since, wait }: Pick<Parsed<"read">, "since" | "wait">,
  signal?: AbortSignal,
): Promise<Output<"read">> {
  if (!terminal.place || terminal.phase !== "running") {
    throw new PanewardError("wrong_state", `${terminal.name} has ended in your own tmux; what it showed was not kept`);
  }
  const deadline = rt.clock.now() + wait * 1_000;
  for (;;) {
    const { lines } = await rt.terminals.look(terminal.host, terminal.place);
    const screen = lines.join("\n").trimEnd();
    const cursor = `screen-${createHash("sha256").update(screen).digest("hex").slice(0, 16)}`;
    const output = cursor === since ? "" : screen;
    const { status } = judgeTerminal(rt, rt.store.terminal(terminal.id) ?? terminal);
    const left = deadline - rt.clock.now();
    if (output !== "" || left <= 0 || signal?.aborted || rt.store.terminal(terminal.id)?.phase !== "running") {
      const count = output === "" ? 0 : output.split("\n").length;
      return { output, cursor, lines: count, has_more: false, missed: 0, state: status };
    }
    await delay(Math.min(left, waitStepMs));
  }
}

const waitStepMs = 500;

function noSuchPane(pane: string, socket: string): PanewardError {
  const hint = `\`tmux -S ${socket} list-panes -a\` lists them`;
  return new PanewardError("not_found", `there is no living pane ${pane} on ${socket}`, { hint });
}
