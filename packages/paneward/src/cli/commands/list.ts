import type { Output, Task, Terminal } from "@paneward/sdk";
import { ageOf, restoreWords } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import type { Out } from "../look/out.ts";
import { statusColour } from "../look/status.ts";
import { type Column, printTable, tableLines } from "../look/table.ts";
import { given } from "../options.ts";

export const listCommands: readonly Command[] = [
  {
    name: "ps",
    operations: ["ps"],
    summary: "tasks and terminals: status, why, since, branch, changes",
    details:
      "`+12 -3` are uncommitted lines, `^2` are commits that the base does not have. Without `--all`, it leaves out completed tasks and terminals that ended more than 24 hours ago. `--watch` follows events; it does not poll.",
    options: [
      ["-a, --all", "include completed tasks and ended terminals"],
      ["-w, --watch", "show every change until Ctrl-C"],
      ["--here", "only tasks of this folder's repository"],
    ],
    examples: ["paneward ps", "paneward ps --all --json", "paneward ps --watch"],
    run: ps,
  },
  {
    name: "sessions",
    operations: ["sessions"],
    summary: "sessions of the private tmux server",
    details: "The keeper that holds the server open is not listed.",
    examples: ["paneward sessions", "paneward sessions --json"],
    run: sessions,
  },
];

async function ps(call: Call): Promise<undefined> {
  const { client, options, out } = call;
  const input = given({
    all: options.flag("all") ? "true" : undefined,
    root: options.flag("here") ? process.cwd() : undefined,
  });
  const first = await client.ps(input);
  if (options.flag("watch")) {
    const { watchList } = await import("../watch.ts");
    return watchList(call, first, () => call.connection.running.ps(input), psLines);
  }
  if (options.flag("json")) return void out.json(first);
  if (first.storage !== undefined) out.note(`paneward: ${first.storage}`);
  const lost = first.restore && restoreWords(first.restore);
  if (lost !== undefined) out.note(`paneward: ${lost}`);
  const lines = psLines(out, first);
  if (lines.length === 0) {
    out.note("nothing is running; start with `paneward new TEXT` or `paneward run -- CMD`");
    if (!options.flag("all")) out.note("`paneward ps --all` includes completed tasks and old terminals");
  }
  for (const line of lines) out.line(line);
}

/** The table of `ps`; no lines when there is nothing. */
function psLines(out: Pick<Out, "columns" | "paint">, { tasks, terminals }: Output<"ps">): readonly string[] {
  const rows = [...tasks.map(taskRow), ...terminals.filter(({ task }) => task === undefined).map(terminalRow)];
  return rows.length === 0 ? [] : tableLines(out, rows, columns(Date.now()));
}

interface Row extends Pick<Task, "status" | "why" | "end"> {
  readonly id: string;
  readonly name: string;
  readonly what: string;
  readonly branch: string;
  readonly work: string;
}

const columns = (now: number): readonly Column<Row>[] => [
  { title: "ID", of: ({ id }) => id, right: true },
  { title: "NAME", of: ({ name }) => name, cut: true },
  { title: "STATUS", of: ({ status }) => status, colour: statusColour },
  { title: "SINCE", of: ({ why }) => ageOf(why.since, now), right: true },
  { title: "WHY", of: ({ why }) => why.rule, cut: true },
  { title: "WHAT", of: ({ what }) => what, colour: () => "dim", cut: true, spare: true },
  { title: "BRANCH", of: ({ branch }) => branch, cut: true, spare: true },
  { title: "+/-", of: ({ work }) => work },
];

function taskRow({ id, slug, agent, branch, work, status, why, end }: Task): Row {
  return { id: String(id), name: slug, what: agent, branch, work: workText(work), status, why, end };
}

function terminalRow({ id, name, argv, keepRunning, status, why, end }: Terminal): Row {
  const what = `${keepRunning ? "(kept running) " : ""}${argv.join(" ")}`;
  return { id, name, what, branch: "", work: "", status, why, end };
}

/** Uncommitted lines and commits ahead: `+12 -3 ^2`. */
function workText(work: Task["work"]): string {
  if (!work) return "";
  const { added, removed, ahead } = work;
  const lines = added + removed > 0 ? [`+${added} -${removed}`] : [];
  return [...lines, ...(ahead > 0 ? [`^${ahead}`] : [])].join(" ");
}

async function sessions({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.sessions({});
  if (options.flag("json")) return void out.json(answer);
  if (answer.sessions.length === 0) return void out.note("the private tmux server has no sessions");
  const now = Date.now();
  printTable(out, answer.sessions, [
    { title: "SESSION", of: ({ session }) => session },
    { title: "NAME", of: ({ name }) => name, cut: true },
    { title: "TASK", of: ({ task }) => (task === undefined ? "" : String(task)) },
    { title: "TERMINAL", of: ({ terminal }) => terminal ?? "" },
    { title: "WINDOWS", of: ({ windows }) => String(windows), right: true },
    { title: "ATTACHED", of: ({ attached }) => String(attached), right: true },
    { title: "AGE", of: ({ createdAt }) => ageOf(createdAt, now), right: true },
  ]);
}
