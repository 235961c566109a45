import { type End, PanewardError, shellVariables } from "@paneward/sdk";
import type { PanePlace, TaskRecord, TerminalRecord } from "../../model/records.ts";
import { removeAttachments } from "../attachment-folder.ts";
import type { Handlers } from "../calls.ts";
import type { Courier } from "../courier/courier.ts";
import { readAdopted } from "../output/adopted-read.ts";
import { type ReadDeps, read } from "../output/reader.ts";
import { current, resolveTerminal, terminalOf } from "../resolve.ts";
import { restartRunning, type TaskDeps } from "../tasks/resume.ts";
import type { Variables } from "../tasks/task-launch.ts";
import { startTask } from "../tasks/tasks.ts";
import { removeTask } from "../tasks/undo.ts";
import type { World } from "../world.ts";
import { type LockDeps, locked } from "./locked.ts";
import { terminalView, type ViewDeps } from "./views.ts";
import { orWorkspace, type WorkspaceDeps } from "./workspace-view.ts";

export interface TerminalDeps extends TaskDeps, ViewDeps, LockDeps, WorkspaceDeps, Pick<ReadDeps, "terminalAt"> {
  readonly courier: Courier;
}

/** Operations on a terminal. A task's id means the terminal it runs in. */
export function terminalOperations(deps: TerminalDeps) {
  const { supervisor, courier } = deps;
  return {
    run: async (input) => {
      const host = input.host ?? "local";
      const record = await supervisor.run({
        name: input.name ?? nameFrom(input.argv),
        host,
        argv: input.argv,
        cwd: input.cwd ?? (await deps.terminals.home(host)),
        env: { ...variablesFor(deps, host, input.variables), ...input.env },
        keep: input.keep,
        ...(input.keep_running ? { keepRunning: true } : {}),
        columns: input.columns,
        rows: input.rows,
      });
      return terminalView(deps, record);
    },
    read: (input, caller) => {
      const terminal = resolveTerminal(deps, input.id);
      return terminal.adopted ? readAdopted(deps, terminal, input, caller.signal) : read(deps, terminal, input, caller);
    },
    screen: async ({ id, escapes = false }) => {
      const screenAt = async (name: string, host: string, place: PanePlace) => {
        const screen = await deps.terminals.screen(host, place, escapes);
        return { id: name, ...screen, lines: [...screen.lines] };
      };
      const ofTerminal = async () => {
        const terminal = resolveTerminal(deps, id);
        if (!terminal.place) throw new PanewardError("wrong_state", `${terminal.name} has no screen yet`);
        return screenAt(terminal.id, terminal.host, terminal.place);
      };
      return orWorkspace(deps, id, ofTerminal, ({ host, session, pane }) =>
        screenAt(`${session}:${pane.address}`, host, pane.place),
      );
    },
    send: (input, caller) => courier.send(input, caller),
    stop: ({ id }, { who }) =>
      locked(deps, id, async (found) => {
        const terminal = terminalOf(deps, found);
        return { id: terminal.id, stopped: await supervisor.stop(terminal, who) };
      }),
    restart: ({ id, variables }, { who }) =>
      locked(deps, id, async (found) => {
        if (found.kind === "task" && found.task.terminal === undefined) await startTask(deps, found.task, variables);
        else await restartRunning(deps, terminalOf(deps, found), who, variables);
        return terminalView(deps, terminalOf(deps, current(deps, found)));
      }),
    attach: ({ id, variables }) => {
      const toTerminal = () =>
        locked(deps, id, async (found) => {
          const started = found.kind === "task" && needsStart(deps, found.task);
          if (found.kind === "task" && started) await startTask(deps, found.task, variables);
          const terminal = requireSession(terminalOf(deps, current(deps, found)), id);
          const { host, session, adopted, place } = terminal;
          if (terminal.phase === "ended") await requireScreen(deps, terminal, id);
          const target = adopted && place ? place.pane : `=${session}`;
          const { end } = terminal;
          const argv = [...deps.terminals.attachArgv(host, target)];
          return { argv, session, started, ...(end === undefined ? {} : { end }) };
        });
      return orWorkspace(deps, id, toTerminal, async ({ host, session }) => ({
        argv: [...deps.terminals.attachArgv(host, `=${session}`)],
        session,
        started: false,
      }));
    },
    rm: ({ id }, { who }) =>
      locked(deps, id, async (found) => {
        if (found.kind === "terminal") return { removed: await removeTerminal(deps, found.terminal, who) };
        const rescue = await removeTask(deps, found.task, who);
        return { removed: `task ${found.task.id}`, ...(rescue === undefined ? {} : { rescue }) };
      }),
  } satisfies Partial<Handlers>;
}

async function removeTerminal(deps: TerminalDeps, terminal: TerminalRecord, by: string): Promise<string> {
  if (!terminal.adopted) await deps.supervisor.stop(terminal, by);
  await deps.supervisor.remove(terminal);
  await removeAttachments(deps, terminal.id);
  deps.store.keep((writer) => {
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

// What a shell of this machine says of programs and folders means nothing on another.
function variablesFor({ env }: Pick<World, "env">, host: string, given: Variables | undefined): Variables {
  return host === "local" ? { ...shellVariables(env), ...given } : {};
}

function needsStart(deps: Pick<World, "store">, task: TaskRecord): boolean {
  const terminal = task.terminal === undefined ? undefined : deps.store.terminal(task.terminal);
  return !terminal || (terminal.phase === "ended" && !keepsScreen(terminal.end));
}

function requireSession(terminal: TerminalRecord, id: string): TerminalRecord {
  if (terminal.phase !== "ended" || (!terminal.adopted && keepsScreen(terminal.end))) return terminal;
  if (terminal.adopted) throw new PanewardError("wrong_state", `${terminal.name} has ended in your own tmux`);
  const hint = `\`paneward restart ${id}\` runs it again`;
  throw new PanewardError("wrong_state", `${terminal.name} does not run`, { hint });
}

/** The last screen is lost with the tmux server; the journal is not. */
async function requireScreen(
  deps: Pick<World, "terminals">,
  { host, name, session }: TerminalRecord,
  id: string,
): Promise<void> {
  const sessions = await deps.terminals.sessions(host);
  if (sessions.some((one) => one.name === session)) return;
  const hint = `\`paneward read ${id}\` has what it printed, \`paneward restart ${id}\` runs it again`;
  throw new PanewardError("wrong_state", `${name} has ended, and its last screen is gone with the tmux server`, {
    hint,
  });
}

// A program that ended by itself keeps its pane in tmux, so that its last screen can be seen.
function keepsScreen(end: End | undefined): boolean {
  return end?.kind === "exited" || end?.kind === "killed" || end?.kind === "unknown";
}
