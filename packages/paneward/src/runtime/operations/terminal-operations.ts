import { type End, PanewardError } from "@paneward/sdk";
import type { takingTurns } from "../../model/keyed-mutex.ts";
import type { TaskRecord, TerminalRecord } from "../../model/records.ts";
import type { Courier } from "../courier/courier.ts";
import type { Handlers } from "../handlers.ts";
import { read } from "../output/reader.ts";
import { resolve, resolveTerminal, turnOf } from "../resolve.ts";
import { restartTerminal } from "../tasks/resume.ts";
import { removeTask, startTask } from "../tasks/tasks.ts";
import { readAdopted } from "../terminals/adopted.ts";
import type { Supervisor } from "../terminals/supervisor.ts";
import type { Runtime } from "../world.ts";
import { terminalView } from "./views.ts";

/** What can be done with a terminal; a task's id means the terminal it runs in. */
export function terminalOperations(
  rt: Runtime,
  supervisor: Supervisor,
  courier: Courier,
  inTurn: ReturnType<typeof takingTurns>,
) {
  return {
    run: async (input) => {
      const host = input.host ?? "local";
      const record = await supervisor.run({
        name: input.name ?? nameFrom(input.argv),
        host,
        argv: input.argv,
        cwd: input.cwd ?? (await rt.terminals.home(host)),
        env: input.env ?? {},
        keep: input.keep,
        columns: input.columns,
        rows: input.rows,
      });
      return terminalView(rt, record);
    },
    read: (input, { signal }) => {
      const terminal = resolveTerminal(rt, input.id);
      return terminal.adopted ? readAdopted(rt, terminal, input, signal) : read(rt, input, signal);
    },
    screen: async ({ id, escapes }) => {
      const terminal = resolveTerminal(rt, id);
      if (!terminal.place) throw new PanewardError("wrong_state", `${terminal.name} has no screen yet`);
      const screen = await rt.terminals.screen(terminal.host, terminal.place, escapes ?? false);
      return { id: terminal.id, ...screen, lines: [...screen.lines] };
    },
    send: (input, caller) => courier.send(input, caller),
    stop: ({ id }, { who }) =>
      inTurn(turnOf(rt, id), async () => {
        const terminal = resolveTerminal(rt, id);
        return { id: terminal.id, stopped: await supervisor.stop(terminal, who) };
      }),
    restart: ({ id }) =>
      inTurn(turnOf(rt, id), async () => {
        const found = resolve(rt, id);
        if (found.kind === "task" && found.task.terminal === undefined) await startTask(rt, supervisor, found.task);
        else await restartTerminal(rt, supervisor, resolveTerminal(rt, id));
        return terminalView(rt, resolveTerminal(rt, id));
      }),
    attach: ({ id }) =>
      inTurn(turnOf(rt, id), async () => {
        const found = resolve(rt, id);
        const started = found.kind === "task" && needsStart(rt, found.task);
        if (found.kind === "task" && started) await startTask(rt, supervisor, found.task);
        const terminal = requireSession(resolveTerminal(rt, id), id);
        const { host, session, adopted, place } = terminal;
        if (terminal.phase === "ended") await requireScreen(rt, terminal, id);
        const target = adopted && place ? place.pane : `=${session}`;
        return { argv: [...rt.terminals.attachArgv(host, target)], session, started };
      }),
    rm: ({ id }, { who }) =>
      inTurn(turnOf(rt, id), async () => {
        const found = resolve(rt, id);
        if (found.kind === "terminal") return { removed: await removeTerminal(rt, supervisor, found.terminal, who) };
        const rescue = await removeTask(rt, supervisor, found.task, who);
        return { removed: `task ${found.task.id}`, ...(rescue === undefined ? {} : { rescue }) };
      }),
  } satisfies Partial<Handlers>;
}

async function removeTerminal(
  rt: Runtime,
  supervisor: Supervisor,
  terminal: TerminalRecord,
  by: string,
): Promise<string> {
  if (!terminal.adopted) await supervisor.stop(terminal, by);
  await supervisor.remove(terminal);
  rt.store.write((writer) => {
    writer.removeTerminal(terminal.id);
    writer.append("terminal_removed", { terminal: terminal.id, name: terminal.name });
  });
  return `terminal ${terminal.id}`;
}

function nameFrom(argv: readonly string[]): string {
  const program = argv[0]?.split("/").at(-1) ?? "";
  const name = program.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z]+/, "");
  return name === "" || /^t\d+$/.test(name) ? "terminal" : name.slice(0, 50);
}

function needsStart(rt: Runtime, task: TaskRecord): boolean {
  const terminal = task.terminal === undefined ? undefined : rt.store.terminal(task.terminal);
  return !terminal || (terminal.phase === "ended" && !keepsItsScreen(terminal.end));
}

function requireSession(terminal: TerminalRecord, id: string): TerminalRecord {
  if (terminal.phase !== "ended" || (!terminal.adopted && keepsItsScreen(terminal.end))) return terminal;
  if (terminal.adopted) throw new PanewardError("wrong_state", `${terminal.name} has ended in your own tmux`);
  const hint = `\`paneward restart ${id}\` runs it again`;
  throw new PanewardError("wrong_state", `${terminal.name} does not run`, { hint });
}

/** The last screen goes with the tmux server; what was printed stays. */
async function requireScreen(rt: Runtime, { host, name, session }: TerminalRecord, id: string): Promise<void> {
  const sessions = await rt.terminals.sessions(host);
  if (sessions.some((one) => one.name === session)) return;
  const hint = `\`paneward read ${id}\` has what it printed, \`paneward restart ${id}\` runs it again`;
  throw new PanewardError("wrong_state", `${name} has ended, and its last screen is gone with the tmux server`, {
    hint,
  });
}

// What ended by itself stays in tmux, so that its last screen can be looked at.
function keepsItsScreen(end: End | undefined): boolean {
  return end?.kind === "exited" || end?.kind === "killed" || end?.kind === "unknown";
}
