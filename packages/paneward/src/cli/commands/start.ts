import { resolve } from "node:path";
import { PanewardError, type Task } from "@paneward/sdk";
import { trusting } from "../ask-trust.ts";
import type { Call, Command } from "../command.ts";
import { noteEmptySubmodules } from "../empty-submodules.ts";
import { forEachId } from "../for-each-id.ts";
import type { Out } from "../look/out.ts";
import { given } from "../options.ts";
import { isInteractive, readStdin } from "../prompt.ts";
import { withTaskProgress } from "../task-progress.ts";
import { attachTo } from "./terminal.ts";

export const startCommands: readonly Command[] = [
  {
    name: "new",
    operations: ["new", "attach", "trust_look", "trust"],
    summary: "a task for an agent: its own branch and worktree",
    details:
      "Needs a git repository. The first line of the text becomes the slug. On a terminal, it attaches afterwards. The task's id goes to stdout, everything else to stderr, so `id=$(paneward new …)` works.",
    page: "tasks.md",
    takes: "[text...]",
    options: [
      ["--agent <agent>", "which agent (default: the configuration's)"],
      ["--base <branch>", "start from this branch (default: the current one)"],
      ["--draft", "only create it; `paneward start` runs it"],
      ["--edit", "write the text in $VISUAL or $EDITOR"],
      ["--no-attach", "do not attach, even on a terminal"],
      ["--trust", "trust what the repository's configuration and setup script run; without it, a terminal asks"],
    ],
    examples: [
      'paneward new "Fix the login redirect"',
      "paneward new --agent codex --no-attach - < prompt.md",
      "paneward new --edit --draft",
    ],
    run: newTask,
  },
  {
    name: "edit",
    operations: ["edit", "ps"],
    summary: "change the text, agent or base of a draft",
    details:
      "Only of a task that was never started. Without a text and options, a terminal opens the text in $VISUAL or $EDITOR. The id, the slug and the branch's name stay.",
    takes: "<id> [text...]",
    completes: "tasks",
    options: [
      ["--agent <agent>", "which agent"],
      ["--base <branch>", "start from this branch"],
      ["--edit", "write the text in $VISUAL or $EDITOR, beginning with the one it has"],
    ],
    examples: ["paneward edit 12", "paneward edit 12 --agent codex", "paneward edit 12 - < prompt.md"],
    run: editTask,
  },
  {
    name: "start",
    operations: ["start", "attach", "path", "trust_look", "trust"],
    summary: "start the agent of a draft, stopped or exited task",
    details:
      "Creates branch and worktree and runs the bootstrap first if there are none. The agent's command is read from the configuration anew. With one id on a terminal, it attaches afterwards. Refuses a task that already runs, with exit code 6.",
    takes: "<id...>",
    completes: "tasks",
    options: [
      ["--attach", "attach afterwards, or fail without a terminal"],
      ["--no-attach", "do not attach, even on a terminal"],
      ["--trust", "trust what the task's branch runs; without it, a terminal asks"],
    ],
    examples: ["paneward start 12", "paneward start 12 13 14", "paneward start fix-login --no-attach"],
    run: startTasks,
  },
  {
    name: "run",
    operations: ["run"],
    summary: "run a program in its own terminal; prints the terminal's id",
    details:
      "The command is an argv; no shell parses it unless you name one. A terminal is removed 24 hours after its program ended, unless it was started with `--keep`. A name in use gets a number: `sh`, `sh2`.",
    takes: "<command...>",
    passesOn: true,
    options: [
      ["--name <name>", "a name for the terminal (default: the program's)"],
      ["--cwd <folder>", "where it runs (default: here)"],
      ["--host <host>", "on which host (default: this machine)"],
      ["--env <K=V>", "an environment variable; without =V, its value in this shell", "repeated"],
      ["--keep", "keep the terminal after the program has ended"],
      ["--keep-running", "start it again by itself after the tmux server was lost, as by a reboot"],
      ["--columns <n>", "width of the terminal (default: 200)"],
      ["--rows <n>", "height of the terminal (default: 50)"],
    ],
    examples: [
      "paneward run -- npm run dev",
      "paneward run --name db --env PGPORT=5433 -- postgres -D data",
      "paneward run --host sandbox -- sh -c 'make && make check'",
    ],
    run: runProgramInTerminal,
  },
];

async function newTask(call: Call): Promise<number | undefined> {
  const { client, options, out } = call;
  const text = await textOf(call, options.flag("edit"));
  const input = given({
    root: process.cwd(),
    text,
    agent: options.text("agent"),
    base: options.text("base"),
    draft: options.flag("draft"),
  });
  const task = await trusting(
    call,
    async () => input.root,
    () => withTaskProgress(call, undefined, () => client.new(input)),
  );
  if (options.flag("json")) return void out.json(task);
  const wantsAttach = isInteractive() && !options.flag("draft") && options.flag("attach");
  printTask(out, task, !wantsAttach);
  if (wantsAttach) return attachTo(call, String(task.id));
}

export function printTask(out: Out, task: Task, withNext = true): void {
  out.line(String(task.id));
  out.note(`task ${task.slug}: ${task.status}, branch ${task.branch}, worktree ${task.worktree}`);
  noteEmptySubmodules(out, task);
  if (withNext) out.note(`next: paneward ${task.status === "Draft" ? "start" : "attach"} ${task.id}`);
}

async function editTask(call: Call): Promise<undefined> {
  const { client, options, out } = call;
  const [id = "", ...typed] = call.args;
  const [agent, base] = [options.text("agent"), options.text("base")];
  const names = typed.length > 0 || agent !== undefined || base !== undefined;
  const opens = options.flag("edit") || (!names && isInteractive());
  if (!opens && !names)
    throw new PanewardError("bad_input", "nothing to change is given", { hint: "a text, --agent, --base or --edit" });
  const before = opens && typed.length === 0 ? [await currentText(call, id)] : typed;
  const text = opens || typed.length > 0 ? await textOf({ ...call, args: before }, opens) : undefined;
  const task = await client.edit(given({ id, text, agent, base }));
  if (options.flag("json")) return void out.json(task);
  out.line(`${task.id} ${task.slug}: ${task.status}, agent ${task.agent}${task.base ? `, from ${task.base}` : ""}`);
}

async function currentText({ client }: Call, id: string): Promise<string> {
  const { tasks } = await client.ps({ all: "true" });
  return tasks.find((task) => String(task.id) === id || task.slug === id)?.text ?? "";
}

async function textOf({ args, env, progress }: Call, opens: boolean): Promise<string> {
  const typed = args.length === 1 && args[0] === "-" ? await readStdin() : args.join(" ");
  const { editedText } = opens ? await import("../editor.ts") : { editedText: undefined };
  if (editedText) progress.clear();
  const text = editedText ? await editedText(typed, env) : typed;
  if (text.trim() !== "") return text;
  throw new PanewardError("bad_input", "a task needs a text", {
    hint: 'paneward new "what to do", `-` to read it from stdin, or --edit',
  });
}

async function startTasks(call: Call): Promise<number | undefined> {
  const { client, options, out, args } = call;
  const [id = ""] = args;
  const isOne = args.length === 1;
  const attaches = options.choice("attach") ?? (isOne && isInteractive() && !options.flag("json"));
  if (attaches && !isOne) throw new PanewardError("bad_input", "--attach needs exactly one id");
  const code = await forEachId(call, async (id) => {
    const task = await trusting(
      call,
      () => folderOf(call, id),
      () => withTaskProgress(call, id, () => client.start({ id })),
    );
    if (options.flag("json")) out.json(task);
    else {
      out.line(`${task.id} ${task.slug}: ${task.status}`);
      noteEmptySubmodules(out, task);
    }
  });
  return code === 0 && attaches ? attachTo(call, id) : code;
}

/** Its worktree, whose branch may have another setup script; before there is one, the repository. */
async function folderOf({ client }: Call, id: string): Promise<string> {
  const { path, exists, env } = await client.path({ id });
  return exists ? path : (env.PANEWARD_ROOT ?? path);
}

async function runProgramInTerminal({ client, options, out, args, env }: Call): Promise<undefined> {
  const host = options.text("host");
  const cwd = options.text("cwd");
  const variables = options.list("env").map((entry) => variableOf(entry, env));
  const terminal = await client.run(
    given({
      argv: [...args],
      name: options.text("name"),
      // A path on another host cannot be resolved here.
      cwd: host === undefined ? resolve(cwd ?? ".") : cwd,
      host,
      env: variables.length === 0 ? undefined : Object.fromEntries(variables),
      keep: options.flag("keep"),
      keep_running: options.flag("keepRunning") || undefined,
      columns: options.number("columns"),
      rows: options.number("rows"),
    }),
  );
  if (options.flag("json")) out.json(terminal);
  else out.line(terminal.id);
}

function variableOf(entry: string, env: NodeJS.ProcessEnv): readonly [string, string] {
  const at = entry.indexOf("=");
  if (at > 0) return [entry.slice(0, at), entry.slice(at + 1)];
  const value = env[entry];
  if (at < 0 && value !== undefined) return [entry, value];
  throw new PanewardError(
    "bad_input",
    `--env needs NAME=VALUE or the name of a variable set in this shell, got "${entry}"`,
  );
}
