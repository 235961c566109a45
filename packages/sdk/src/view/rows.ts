import type { Agent, End, Question, Status, Task, Terminal, Why, WorkAmount } from "../shapes.ts";
import type { LastLine, View } from "./view.ts";

/** One line of the list: a task, a plain terminal, or an agent in the user's own tmux. */
export interface Row {
  /** Unique across kinds, unlike ids. */
  readonly key: string;
  readonly kind: "task" | "terminal" | "agent";
  /** The id that operations take: a task's number, a terminal's or an agent's id. */
  readonly id: string;
  readonly name: string;
  /** The repository's top folder; otherwise the working folder. */
  readonly folder: string;
  readonly agent: string;
  readonly status: Status;
  readonly why: Why;
  readonly end: End | undefined;
  readonly branch: string;
  readonly work: WorkAmount | undefined;
  /** The terminal it runs in, if it was ever started. */
  readonly terminal: string | undefined;
  readonly agentId: string | undefined;
  /** It runs in the user's own tmux: it can be read and answered, nothing else. */
  readonly adopted: boolean;
  readonly question: Question | undefined;
  readonly needsMe: boolean;
  readonly progress: string;
  readonly lastLine: string;
  /** The task's text, or the program's command. */
  readonly text: string;
  readonly createdAt: number;
}

/** Everything in the view as rows, unordered. */
export function rowsOf(view: View): readonly Row[] {
  const questions = new Map([...view.questions.values()].map((question) => [question.terminal, question]));
  const agents = new Map([...view.agents.values()].map((agent) => [agent.terminal, agent]));
  const inside = (terminal: string | undefined) =>
    terminal === undefined
      ? ([undefined, undefined] as const)
      : ([questions.get(terminal), agents.get(terminal)] as const);
  const rows = [
    ...[...view.tasks.values()].map((task) => taskRow(view, task, ...inside(task.terminal))),
    ...[...view.terminals.values()].map((terminal) => terminalRow(terminal, ...inside(terminal.id))),
  ];
  // An agent in an unlisted terminal is newer than the list; its row comes with the next one.
  const elsewhere = [...view.agents.values()].filter(
    ({ terminal, endedAt }) => endedAt === undefined && terminal === undefined,
  );
  return [...rows, ...elsewhere.map((agent) => agentRow(view, agent))];
}

/** Whether a person must act before it can continue. */
function needsMe(status: Status, why: Why, question: Question | undefined): boolean {
  if (endedStatuses.has(status)) return false;
  return question !== undefined || status === "Waiting" || (why.detail !== undefined && blocked.has(why.detail));
}

const endedStatuses: ReadonlySet<Status> = new Set(["Draft", "Stopped", "Exited", "Completed", "Lost"]);
const blocked: ReadonlySet<string> = new Set(["quota_reached", "login_expired", "stuck"]);

function taskRow(view: View, task: Task & LastLine, question: Question | undefined, agent: Agent | undefined): Row {
  const { status, why } = task;
  return {
    key: `task ${task.id}`,
    kind: "task",
    id: String(task.id),
    name: task.slug,
    folder: task.root,
    agent: task.agent,
    status,
    why,
    end: task.end,
    branch: task.branch,
    work: task.work,
    terminal: task.terminal,
    agentId: agent?.id ?? task.agentId,
    adopted: false,
    question,
    needsMe: needsMe(status, why, question),
    progress: view.progress.get(task.id) ?? "",
    lastLine: task.lastLine ?? "",
    text: task.text,
    createdAt: task.createdAt,
  };
}

function terminalRow(terminal: Terminal & LastLine, question: Question | undefined, agent: Agent | undefined): Row {
  const { status, why } = terminal;
  return {
    key: `terminal ${terminal.id}`,
    kind: "terminal",
    id: terminal.id,
    name: terminal.name,
    folder: terminal.cwd,
    agent: agent?.kind ?? programOf(terminal.argv),
    status,
    why,
    end: terminal.end,
    branch: "",
    work: undefined,
    terminal: terminal.id,
    agentId: agent?.id ?? terminal.agent,
    adopted: terminal.adopted ?? false,
    question,
    needsMe: needsMe(status, why, question),
    progress: "",
    lastLine: terminal.lastLine ?? "",
    text: terminal.argv.join(" "),
    createdAt: terminal.createdAt,
  };
}

function agentRow(view: View, agent: Agent): Row {
  const latest = [...view.questions.values()].find((question) => question.agent === agent.id) ?? agent.question;
  const question = agent.state === "awaiting_input" ? latest : undefined;
  const status = agent.timed_out ? "Idle" : stateStatuses[agent.state];
  const rule = agent.timed_out ? "no output for a very long time" : stateWords[agent.state];
  const why: Why = { source: "agent", rule, since: agent.stateSince };
  return {
    key: `agent ${agent.id}`,
    kind: "agent",
    id: agent.id,
    name: agent.name,
    folder: agent.cwd ?? "",
    agent: agent.kind,
    status,
    why,
    end: undefined,
    branch: "",
    work: undefined,
    terminal: agent.terminal,
    agentId: agent.id,
    adopted: true,
    question,
    needsMe: needsMe(status, why, question),
    progress: "",
    lastLine: "",
    text: agent.tmux_pane_id === null ? "" : `pane ${agent.tmux_pane_id}`,
    createdAt: agent.startedAt,
  };
}

const stateStatuses = {
  idle: "Idle",
  commanded: "Running",
  processing: "Running",
  awaiting_input: "Waiting",
  complete: "Idle",
} as const satisfies Readonly<Record<Agent["state"], Status>>;

const stateWords = {
  idle: "the agent waits for a command",
  commanded: "the agent received a command",
  processing: "the agent works",
  awaiting_input: "the agent asks",
  complete: "the agent has finished",
} as const satisfies Readonly<Record<Agent["state"], string>>;

function programOf(argv: readonly string[]): string {
  return argv[0]?.split("/").at(-1) ?? "";
}
