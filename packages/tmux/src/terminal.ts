import { statSync } from "node:fs";
import { hasEnded } from "./has-ended.ts";
import { type Journal, lastExitMark, pipeInto, shellMessageFile } from "./journal.ts";
import { newMarkSecret } from "./journal-marks.ts";
import { TmuxError } from "./protocol/errors.ts";
import { type PaneId, type SessionId, sessionName, type WindowId, windowName } from "./protocol/names.ts";
import { type Command, literal, type Sequence } from "./protocol/quote.ts";
import { wrapped } from "./protocol/wrapper.ts";
import type { Server } from "./server.ts";
import { runChild } from "./transport/child.ts";
import { findProgram, isLocal } from "./transport/host.ts";
import { type RunOptions, startLimitMs } from "./transport/transport.ts";

/** A program to run in a pane: argv, never a shell string. */
export interface ProgramSpec {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Where its output is stored. With a journal, the exit status and the last output are never lost. */
  readonly journal?: Journal;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface OpenedPane {
  readonly pane: PaneId;
  /** The pane's process: the wrapper's when there is a journal. */
  readonly pid: number;
  readonly window: WindowId;
  readonly session: SessionId;
}

/** Opens a session with one pane. An existing name is an error and leaves that session untouched. */
export async function openSession(
  server: Server,
  spec: ProgramSpec & {
    readonly name: string;
    readonly windowName?: string;
    readonly size?: Size;
    /** Options of this session only, set before its pane is created, as `history-limit` requires. */
    readonly options?: Readonly<Record<string, string>>;
  },
): Promise<OpenedPane> {
  const name = sessionName(spec.name);
  await checkProgram(server, spec);
  const { columns, rows } = spec.size ?? { columns: 200, rows: 50 };
  const session: Command = [
    ...["new-session", "-d", "-s", name, "-x", String(columns), "-y", String(rows)],
    ...(spec.windowName === undefined ? [] : ["-n", literal(windowName(spec.windowName))]),
  ];
  const target = `=${name}:`;
  if (spec.options === undefined) {
    const open = [...session, "-P", "-F", openedFormat, ...(await programArguments(spec))];
    return opened(await server.run(await withPipe(open, spec.journal, target), starting(server)), open);
  }
  // A pane takes its options from the session when it is created: the first pane is only a placeholder.
  const open = ["split-window", "-P", "-F", openedFormat, "-t", target, ...(await programArguments(spec))];
  const options = Object.entries(spec.options).map(([option, value]) => ["set-option", "-t", target, option, value]);
  const sequence: Sequence = [
    [...session, "--", "sleep", "60"],
    ...options,
    ...(await withPipe(open, spec.journal, target)),
    ["kill-pane", "-a", "-t", target],
  ];
  return opened(await server.run(sequence, starting(server)), open);
}

/** Opens a window in an existing session, without making it the current one. */
export async function openWindow(
  server: Server,
  spec: ProgramSpec & { readonly session: string; readonly name: string },
): Promise<OpenedPane> {
  const session = sessionName(spec.session);
  const name = windowName(spec.name);
  await checkProgram(server, spec);
  // The sequence finds the window by a unique name, then gives it the requested name.
  const unique = `paneward_${process.pid}_${++windowsOpened}`;
  const target = `=${session}:=${unique}`;
  const open: Command = [
    ...["new-window", "-d", "-P", "-F", openedFormat, "-t", `=${session}:`, "-n", unique],
    ...(await programArguments(spec)),
  ];
  const sequence = [
    ...(await withPipe(open, spec.journal, target)),
    ["rename-window", "-t", target, "--", literal(name)],
  ];
  return opened(await server.run(sequence, starting(server)), open);
}

let windowsOpened = 0;

/** Splits a pane. `vertical` puts the new one below, as tmux's `-v` does. */
export async function splitPane(
  server: Server,
  spec: ProgramSpec & {
    readonly pane: PaneId;
    readonly direction: "horizontal" | "vertical";
    readonly title?: string;
  },
): Promise<OpenedPane> {
  await checkProgram(server, spec);
  const { window, active } = await whereIs(server, spec.pane);
  // A new pane is the active one of its window, so the window's id targets it; nothing else can within one sequence.
  const open: Command = [
    ...["split-window", spec.direction === "horizontal" ? "-h" : "-v", "-P", "-F", openedFormat, "-t", spec.pane],
    ...(await programArguments(spec)),
  ];
  const title: Sequence = spec.title === undefined ? [] : [["select-pane", "-t", window, "-T", literal(spec.title)]];
  const sequence = [...(await withPipe(open, spec.journal, window)), ...title, ["select-pane", "-t", active]];
  return opened(await server.run(sequence, starting(server)), open);
}

/** Runs a program in a pane whose program ended, or replaces the running one. Pane, journal and epoch stay. */
export async function respawnPane(
  server: Server,
  pane: PaneId,
  spec: ProgramSpec & { readonly kill?: boolean },
): Promise<OpenedPane> {
  await checkProgram(server, spec);
  const program = await programArguments(spec);
  const respawn = (flags: readonly string[]) =>
    server.run(
      [
        ["respawn-pane", ...flags, "-t", pane, ...program],
        ["display-message", "-p", "-t", pane, openedFormat],
      ],
      starting(server),
    );
  const lines = await respawn(spec.kill ? ["-k"] : []).catch(async (error: unknown) => {
    // The wrapper runs a moment longer than the program whose exit it reported.
    if (!(await isWrapperOnly(server, pane, spec.journal, error))) throw error;
    return respawn(["-k"]);
  });
  return opened(lines, ["respawn-pane", "-t", pane]);
}

async function isWrapperOnly(server: Server, pane: PaneId, journal: Journal | undefined, error: unknown) {
  if (!journal || !(error instanceof TmuxError) || !/still active/.test(error.stderr)) return false;
  const [pid] = await server.run([["display-message", "-p", "-t", pane, "#{pane_pid}"]], { readOnly: true });
  const mark = await lastExitMark(journal);
  return mark !== undefined && String(mark.pid) === pid && (await hasEnded(server, mark.pid));
}

// tmux forks for each new program and does nothing else during that time: fifty at a time take seconds on a busy machine.
function starting({ host }: Server): RunOptions {
  return { timeoutMs: startLimitMs(host) };
}
const openedFormat = "#{pane_id} #{pane_pid} #{window_id} #{session_id}";

async function whereIs(server: Server, pane: PaneId): Promise<{ readonly window: string; readonly active: string }> {
  const [line = "", active = ""] = await server.run(
    [
      ["display-message", "-p", "-t", pane, "#{pane_id} #{window_id}"],
      ["list-panes", "-t", pane, "-f", "#{pane_active}", "-F", "#{pane_id}"],
    ],
    { readOnly: true },
  );
  const [id, window] = line.split(" ");
  if (id !== pane || !window) throw new TmuxError("pane_not_found", `can't find pane: ${pane}`);
  return { window, active };
}

// tmux reads a pane only after the whole sequence has run, so a pipe opened in the same sequence misses nothing; as two
// commands it lost the beginning in 16 of 50 tries.
async function withPipe(open: Command, journal: Journal | undefined, target: string): Promise<Sequence> {
  return journal ? [open, await pipeInto(journal, target)] : [open];
}

async function programArguments(spec: ProgramSpec): Promise<readonly string[]> {
  const env = Object.entries(spec.env ?? {}).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const argv = spec.journal
    ? wrapped(spec.argv, await newMarkSecret(spec.journal), shellMessageFile(spec.journal))
    : direct(spec.argv);
  return [...env, ...(spec.cwd === undefined ? [] : ["-c", literal(spec.cwd)]), "--", ...argv];
}

// tmux treats a single argument as a shell string; `env` makes it two.
function direct(argv: readonly string[]): readonly string[] {
  return argv.length === 1 ? ["/usr/bin/env", ...argv] : argv;
}

function opened(lines: readonly string[], argv: Command): OpenedPane {
  const line = lines.find((candidate) => /^%\d+ \d+ @\d+ \$\d+$/.test(candidate));
  if (line === undefined) {
    throw new TmuxError("unknown", `tmux did not say which pane it opened: ${lines.join(" ")}`, {
      argv,
      delivered: "maybe",
    });
  }
  const [pane, pid, window, session] = line.split(" ") as [PaneId, string, WindowId, SessionId];
  return { pane, pid: Number(pid), window, session };
}

// tmux falls back to another folder if the given one is missing, and reports success for a missing program.
async function checkProgram(server: Server, { argv, cwd, env }: ProgramSpec): Promise<void> {
  const [program] = argv;
  if (program === undefined || program === "") throw new TmuxError("subprocess_failed", "no program was given");
  const path = env?.PATH ?? server.host.env.PATH ?? "/bin:/usr/bin";
  const missing = isLocal(server.host)
    ? await missingHere(program, path, cwd)
    : await missingThere(server, program, path, cwd);
  if (missing) throw new TmuxError("subprocess_failed", missing, { argv });
}

async function missingHere(program: string, path: string, cwd: string | undefined): Promise<string | undefined> {
  if (cwd !== undefined) {
    if (!isFolder(cwd)) return noFolder(cwd);
  }
  const place = program.includes("/") && !program.startsWith("/") && cwd !== undefined ? `${cwd}/${program}` : program;
  return findProgram(place, path) ? undefined : noProgram(program);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

async function missingThere(server: Server, program: string, path: string, cwd = "/"): Promise<string | undefined> {
  const script = 'cd -- "$1" 2>/dev/null || exit 3; PATH=$2; command -v -- "$3" >/dev/null || exit 4';
  const { code } = await runChild(server.host, ["sh", "-c", script, "paneward", cwd, path, program], {
    timeoutMs: startLimitMs(server.host),
    harmless: true,
  });
  if (code === 3) return noFolder(cwd);
  return code === 4 ? noProgram(program) : undefined;
}

function noFolder(cwd: string): string {
  return `the folder ${cwd} does not exist on this host`;
}

function noProgram(program: string): string {
  return `the program ${program} was not found on this host's PATH`;
}
