import type { ErrorCode } from "./errors.ts";
import type { Scope } from "./scopes.ts";

/** One operation, without its schemas: all that a client needs to call it. Schemas are in operations.ts. */
export interface Route {
  readonly method: "get" | "post" | "delete";
  readonly path: `/api/${string}`;
  readonly scope: Scope;
  readonly summary: string;
  /** Failures beyond bad_input, not_allowed and unexpected, which every operation may answer with. */
  readonly errors: readonly ErrorCode[];
  readonly doors: readonly Door[];
}

/** The ways in. */
export const doors = ["http", "client", "cli", "tui", "web", "mcp", "capability", "pi"] as const;

export type Door = (typeof doors)[number];

const everywhere = ["http", "client", "cli"] as const;
const models = [...everywhere, "mcp"] as const;
const known = ["not_found", "ambiguous"] as const;
const living = [...known, "wrong_state", "unavailable", "outcome_unknown"] as const;
const git = [...known, "wrong_state", "conflict", "unavailable"] as const;

/**
 * Every operation of Paneward. `{id}` is a task's id or slug, or a terminal's id or name, wherever that makes sense: a
 * task names the terminal it runs in.
 */
export const routes = {
  ping: row("get", "/api/ping", "read", "Is the daemon there, and which one", []),
  shutdown: row("post", "/api/shutdown", "admin", "Stop the daemon; terminals go on", []),
  doctor: row("get", "/api/doctor", "read", "What is installed, where things are, what is wrong", []),
  config: row("get", "/api/config", "read", "The configuration in force", []),
  hosts: row("get", "/api/hosts", "read", "The places with a tmux server", []),

  ps: row("get", "/api/ps", "read", "Tasks and terminals with status, reason and since", [], models),
  sessions: row("get", "/api/sessions", "read", "Sessions of the private tmux server", ["unavailable"]),
  refresh: row("post", "/api/refresh", "send", "Look at worktrees and terminals again and tell everybody", []),
  focus: row("post", "/api/terminals/{id}/focus", "send", "Say which one a person looks at", known, [
    "http",
    "client",
    "tui",
    "web",
  ]),
  explain: row("get", "/api/terminals/{id}/explain", "read", "Why it has this status: source, rule, age", known),

  run: row(
    "post",
    "/api/terminals",
    "send",
    "Run a program in a terminal of its own",
    ["wrong_state", "unavailable", "outcome_unknown"],
    models,
  ),
  read: row(
    "get",
    "/api/terminals/{id}/output",
    "read",
    "New output since a cursor, as plain text",
    [...known, "unavailable"],
    models,
  ),
  screen: row("get", "/api/terminals/{id}/screen", "read", "The rendered screen now", living, models),
  send: row(
    "post",
    "/api/terminals/{id}/send",
    "send",
    "Type text or press keys; answers with a receipt",
    living,
    models,
  ),
  stop: row(
    "post",
    "/api/terminals/{id}/stop",
    "send",
    "End the program; what it printed stays readable",
    living,
    models,
  ),
  restart: row("post", "/api/terminals/{id}/restart", "send", "Run the same program again in the same place", living),
  attach: row("post", "/api/terminals/{id}/attach", "send", "How to attach with tmux; starts a stopped task", [
    ...living,
    "conflict",
  ]),
  rm: row("delete", "/api/terminals/{id}", "send", "Remove a task or a terminal; unmerged work is kept for undo", [
    ...living,
    "conflict",
  ]),

  new: row(
    "post",
    "/api/tasks",
    "send",
    "A task: its own branch and worktree",
    ["not_found", "wrong_state", "conflict", "unavailable", "outcome_unknown"],
    models,
  ),
  start: row("post", "/api/tasks/{id}/start", "send", "Start a task's agent", [...living, "conflict"], models),
  complete: row("post", "/api/tasks/{id}/complete", "send", "Mark a task as completed; everything is kept", known),
  reset: row("post", "/api/tasks/{id}/reset", "send", "Stop, rescue unmerged work, begin again from the base", [
    ...living,
    "conflict",
  ]),
  merge: row(
    "post",
    "/api/tasks/{id}/merge",
    "approve",
    "Rebase the task's branch and fast-forward its base",
    git,
    models,
  ),
  diff: row("get", "/api/tasks/{id}/diff", "read", "What the task changed against its base", git),
  path: row("get", "/api/tasks/{id}/path", "read", "Where the task's worktree is", known),
  branch: row("get", "/api/tasks/{id}/branch", "read", "The task's branch and base", known),
  bootstrap: row(
    "post",
    "/api/tasks/{id}/bootstrap",
    "send",
    "Make the worktree ready again: copies and setup script",
    git,
  ),
  undo: row("post", "/api/undo", "send", "Bring back what the last rm or reset took away", git),

  agents: row("get", "/api/agents", "read", "Agents with state, question and availability", []),
  agent: row("get", "/api/agents/{id}", "read", "One agent; a task or a terminal names the agent in it", known),
  turns: row("get", "/api/agents/{id}/turns", "read", "An agent's conversation, newest last", known),
  questions: row("get", "/api/questions", "read", "The questions that are open now, oldest first", []),
  deliveries: row("get", "/api/terminals/{id}/deliveries", "read", "What was typed into it, with receipts", known),
  adopt: row("post", "/api/adopt", "send", "Read and answer an agent in a pane of your own tmux", [
    "not_found",
    "wrong_state",
    "unavailable",
  ]),
  respond: row(
    "post",
    "/api/respond/{id}",
    "approve",
    "Answer the question that is open now",
    [...living, "conflict"],
    models,
  ),
  interrupt: row("post", "/api/terminals/{id}/interrupt", "send", "End an agent's turn; the agent stays", living),
  availability: row(
    "get",
    "/api/respond/{id}/availability",
    "read",
    "Whether an answer can reach the agent now",
    known,
  ),

  events: row("get", "/api/events", "read", "Events after a number", []),
  wait: row("post", "/api/wait", "read", "Wait until something is true; answers at once if it is", [...known], models),

  capability: row(
    "post",
    "/api/capability",
    "send",
    "The capability tmux: calls as XML text, or one action with its parameters",
    [],
    models,
  ),

  whoami: row("get", "/api/whoami", "read", "Who you are to the daemon, and what you may do", []),
  activity: row("get", "/api/activity", "read", "How busy each terminal was in the last hour, and its last line", []),
  recording: row("get", "/api/terminals/{id}/recording", "read", "When a terminal had printed how much, for a replay", [
    ...known,
    "unavailable",
  ]),
  login_link: row("post", "/api/logins/links", "admin", "A link that logs one browser in to the dashboard, once", [
    "unavailable",
  ]),
  login_list: row("get", "/api/logins", "admin", "Browsers that are logged in", []),
  login_revoke: row("delete", "/api/logins/{id}", "admin", "Log a browser out at once", ["not_found"]),
  teams: row("get", "/api/teams", "read", "Teams with their agents", []),
  team_open: row("post", "/api/teams", "send", "Open a team: where it is reached, and a token for it alone", [
    "unavailable",
  ]),
  team_tasks: row("get", "/api/team-tasks", "read", "A team's board: tasks with status and lease", ["not_found"]),
  team_workers: row("get", "/api/team-workers", "read", "A team's workers with state, terminal and thread", [
    "not_found",
  ]),
  threads: row("get", "/api/threads", "read", "Threads, the last spoken in first; or those with a text", [], models),
  thread_start: row("post", "/api/threads", "send", "Start a thread", [], models),
  thread_read: row("get", "/api/threads/{id}", "read", "The last messages of a thread", ["not_found"], models),
  thread_post: row("post", "/api/threads/{id}/messages", "send", "Say something in a thread", ["not_found"], models),

  token_create: row("post", "/api/tokens", "admin", "A token for HTTP, shown once", []),
  token_list: row("get", "/api/tokens", "admin", "Tokens with scope and last use", []),
  token_revoke: row("delete", "/api/tokens/{id}", "admin", "Make a token useless at once", ["not_found"]),
  audit: row("get", "/api/audit", "admin", "Who changed what, and through which door", []),
} as const satisfies Readonly<Record<string, Route>>;

export type OperationName = keyof typeof routes;

export const operationNames = Object.keys(routes) as readonly OperationName[];

/** The names in braces of a path. */
export function pathParameters(path: string): readonly string[] {
  const known = parametersOf.get(path);
  if (known) return known;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  parametersOf.set(path, names);
  return names;
}

// Asked for at every request, and there are only so many routes.
const parametersOf = new Map<string, readonly string[]>();

/** Where the rest of the input travels: in the query, or as a JSON body. */
export function inQuery(route: Pick<Route, "method">): boolean {
  return route.method === "get" || route.method === "delete";
}

function row<const Method extends Route["method"], const Path extends Route["path"]>(
  method: Method,
  path: Path,
  scope: Scope,
  summary: string,
  errors: readonly ErrorCode[],
  doors: readonly Door[] = everywhere,
) {
  return { method, path, scope, summary, errors, doors } satisfies Route;
}
