import { type End, PanewardError } from "@paneward/sdk";
import type { keyedMutex } from "../../model/keyed-mutex.ts";
import type { TaskRecord, TerminalRecord } from "../../model/records.ts";
import type { Handlers } from "../calls.ts";
import type { Courier } from "../courier/courier.ts";
import { readAdopted } from "../output/adopted-read.ts";
import { type ReadDeps, read } from "../output/reader.ts";
import { lockKey, resolve, resolveTerminal } from "../resolve.ts";
import { restartTerminal, type TaskDeps } from "../tasks/resume.ts";
import { removeTask, startTask } from "../tasks/tasks.ts";
import type { World } from "../world.ts";
import { terminalView, type ViewDeps } from "./views.ts";

export interface TerminalDeps extends TaskDeps, ViewDeps, Pick<ReadDeps, "terminalAt"> {
  readonly courier: Courier;
  readonly lock: ReturnType<typeof keyedMutex>;
}

/** What can be done with a terminal; a task's id means the terminal it runs in. */
export function terminalOperations(deps: TerminalDeps) {
  const { supervisor, courier, lock } = deps;
  return {
    run: async (input) => {
      const host = input.host ?? "local";
      const record = await supervisor.run({
        name: input.name ?? nameFrom(input.argv),
        host,
        argv: input.argv,
        cwd: input.cwd ?? (await deps.terminals.home(host)),
        env: input.env ?? {},
        keep: input.keep,
        columns: input.columns,
        rows: input.rows,
      });
      return terminalView(deps, record);
    },
    read: (input, { signal }) => {
      const terminal = resolveTerminal(deps, input.id);
      return (terminal.adopted ? readAdopted : read)(deps, terminal, input, signal);
    },
    screen: async ({ id, escapes }) => {
      const terminal = resolveTerminal(deps, id);
      if (!terminal.place) throw new PanewardError("wrong_state", `${terminal.name} has no screen yet`);
      const screen = await deps.terminals.screen(terminal.host, terminal.place, escapes ?? false);
      return { id: terminal.id, ...screen, lines: [...screen.lines] };
    },
    send: (input, caller) => courier.send(input, caller),
    stop: ({ id }, { who }) =>
      lock(lockKey(deps, id), async () => {
        const terminal = resolveTerminal(deps, id);
        return { id: terminal.id, stopped: await supervisor.stop(terminal, who) };
      }),
    restart: ({ id }) =>
      lock(lockKey(deps, id), async () => {
        const found = resolve(deps, id);
        if (found.kind === "task" && found.task.terminal === undefined) await startTask(deps, found.task);
        else await restartTerminal(deps, resolveTerminal(deps, id));
        return terminalView(deps, resolveTerminal(deps, id));
      }),
    attach: ({ id }) =>
      lock(lockKey(deps, id), async () => {
        const found = resolve(deps, id);
        const started = found.kind === "task" && needsStart(deps, found.task);
        if (found.kind === "task" && started) await startTask(deps, found.task);
        const terminal = requireSession(resolveTerminal(deps, id), id);
        const { host, session, adopted, place } = terminal;
        if (terminal.phase === "ended") await requireScreen(deps, terminal, id);
        const target = adopted && place ? place.pane : `=${session}`;
        return { argv: [...deps.terminals.attachArgv(host, target)], session, started };
      }),
    rm: ({ id }, { who }) =>
      lock(lockKey(deps, id), async () => {
        const found = resolve(deps, id);
        if (found.kind === "terminal") return { removed: await removeTerminal(deps, found.terminal, who) };
        const rescue = await removeTask(deps, found.task, who);
        return { removed: `task ${found.task.id}`, ...(rescue === undefined ? {} : { rescue }) };
      }),
  } satisfies Partial<Handlers>;
}

async function removeTerminal(deps: TerminalDeps, terminal: TerminalRecord, by: string): Promise<string> {
  if (!terminal.adopted) await deps.supervisor.stop(terminal, by);
  await deps.supervisor.remove(terminal);
  deps.store.write((writer) => {
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

function needsStart(deps: Pick<World, "store">, task: TaskRecord): boolean {
  const terminal = task.terminal === undefined ? undefined : deps.store.terminal(task.terminal);
  return !terminal || (terminal.phase === "ended" && !keepsItsScreen(terminal.end));
}

function requireSession(terminal: TerminalRecord, id: string): TerminalRecord {
  if (terminal.phase !== "ended" || (!terminal.adopted && keepsItsScreen(terminal.end))) return terminal;
  if (terminal.adopted) throw new PanewardError("wrong_state", `${terminal.name} has ended in your own tmux`);
  const hint = `\`paneward restart ${id}\` runs it again`;
  throw new PanewardError("wrong_state", `${terminal.name} does not run`, { hint });
}

/** The last screen goes with the tmux server; what was printed stays. */
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

// What ended by itself stays in tmux, so that its last screen can be looked at.
function keepsItsScreen(end: End | undefined): boolean {
  return end?.kind === "exited" || end?.kind === "killed" || end?.kind === "unknown";
}
