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
const runningTerminalErrors = [...known, "wrong_state", "unavailable", "outcome_unknown"] as const;
const git = [...known, "wrong_state", "conflict", "unavailable"] as const;

/**
 * Every operation of Paneward. `{id}` is a task's id or slug, or a terminal's id or name, wherever that makes sense: a
 * task names the terminal it runs in.
 */
export const routes = {
  ping: row("get", "/api/ping", "read", "The daemon's version, pid, start time and last event", []),
  shutdown: row("post", "/api/shutdown", "admin", "Stop the daemon; terminals keep running", []),
  doctor: row("get", "/api/doctor", "read", "Check the installation: programs, paths, problems", []),
  config: row("get", "/api/config", "read", "The configuration in force", []),
  hosts: row("get", "/api/hosts", "read", "Hosts and the state of their tmux servers", []),

  ps: row("get", "/api/ps", "read", "Tasks and terminals with status, reason and age", [], models),
  sessions: row("get", "/api/sessions", "read", "Sessions of the private tmux server", ["unavailable"]),
  refresh: row("post", "/api/refresh", "send", "Check worktrees and terminals again and notify all clients", []),
  focus: row("post", "/api/terminals/{id}/focus", "send", "Report which terminal a person looks at", known, [
    "http",
    "client",
    "tui",
    "web",
  ]),
  explain: row(
    "get",
    "/api/terminals/{id}/explain",
    "read",
    "Why a task or terminal has its status: source, rule, age",
    known,
  ),

  run: row(
    "post",
    "/api/terminals",
    "send",
    "Run a program in its own terminal",
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
  screen: row(
    "get",
    "/api/terminals/{id}/screen",
    "read",
    "The current screen, rendered",
    runningTerminalErrors,
    models,
  ),
  send: row(
    "post",
    "/api/terminals/{id}/send",
    "send",
    "Type text or press keys; returns a receipt",
    runningTerminalErrors,
    models,
  ),
  attachment_add: row(
    "post",
    "/api/terminals/{id}/attachments",
    "send",
    "Keep a file for an agent to read; its path goes into a text that is sent",
    [...known, "wrong_state", "too_large"],
  ),
  stop: row(
    "post",
    "/api/terminals/{id}/stop",
    "send",
    "End the program; what it printed stays readable",
    runningTerminalErrors,
    models,
  ),
  restart: row("post", "/api/terminals/{id}/restart", "send", "Run the same program again, in the same place", [
    ...runningTerminalErrors,
    "untrusted",
  ]),
  restore: row(
    "post",
    "/api/restore",
    "send",
    "Start lost programs again, each once, agents with their conversations",
    [...known, "wrong_state"],
    models,
  ),
  keep_running: row(
    "post",
    "/api/terminals/{id}/keep-running",
    "send",
    "Whether a program comes back by itself after the tmux server was lost",
    [...known, "wrong_state"],
  ),
  attach: row("post", "/api/terminals/{id}/attach", "send", "How to attach with tmux; starts a stopped task", [
    ...runningTerminalErrors,
    "conflict",
    "untrusted",
  ]),
  rm: row("delete", "/api/terminals/{id}", "send", "Remove a task or a terminal; unmerged work is kept for undo", [
    ...runningTerminalErrors,
    "conflict",
  ]),

  new: row(
    "post",
    "/api/tasks",
    "send",
    "Create a task with its own branch and worktree",
    ["not_found", "wrong_state", "conflict", "untrusted", "unavailable", "outcome_unknown"],
    models,
  ),
  edit: row("post", "/api/tasks/{id}/edit", "send", "Change the text, agent or base of a draft", [
    ...known,
    "wrong_state",
    "unavailable",
  ]),
  start: row(
    "post",
    "/api/tasks/{id}/start",
    "send",
    "Start a task's agent",
    [...runningTerminalErrors, "conflict", "untrusted"],
    models,
  ),
  complete: row("post", "/api/tasks/{id}/complete", "send", "Mark a task as completed; everything is kept", known),
  reset: row("post", "/api/tasks/{id}/reset", "send", "Stop, keep unmerged work for undo, start over from the base", [
    ...runningTerminalErrors,
    "conflict",
    "untrusted",
  ]),
  merge: row(
    "post",
    "/api/tasks/{id}/merge",
    "approve",
    "Rebase the task's branch and fast-forward its base",
    git,
    models,
  ),
  diff: row("get", "/api/tasks/{id}/diff", "read", "What a task changed against its base", git),
  path: row("get", "/api/tasks/{id}/path", "read", "The path of a task's worktree", known),
  branch: row("get", "/api/tasks/{id}/branch", "read", "A task's branch and base", known),
  bootstrap: row(
    "post",
    "/api/tasks/{id}/bootstrap",
    "send",
    "Prepare a worktree again: copy files, run the setup script",
    [...git, "untrusted"],
  ),
  undo: row("post", "/api/undo", "send", "Undo the last rm or reset", git),
  undo_look: row("get", "/api/undo", "read", "What an undo would undo, and whether that ends a program", [
    "wrong_state",
  ]),

  trust: row(
    "post",
    "/api/trust",
    "admin",
    "Trust what a repository's configuration and scripts run, as they are now",
    ["not_found", "wrong_state", "conflict", "unavailable"],
  ),
  trust_look: row("get", "/api/trust/look", "approve", "What a repository would run, and whether it is trusted", [
    "not_found",
    "wrong_state",
    "unavailable",
  ]),
  trust_list: row("get", "/api/trust", "approve", "Repositories that are trusted", []),
  trust_revoke: row("delete", "/api/trust", "admin", "Trust a repository no longer", ["not_found"]),

  agents: row("get", "/api/agents", "read", "Agents with state, question and availability", []),
  agent: row("get", "/api/agents/{id}", "read", "One agent, by its own id or by its task or terminal", known),
  turns: row("get", "/api/agents/{id}/turns", "read", "An agent's conversation, newest last", known),
  questions: row("get", "/api/questions", "read", "Open questions, oldest first", []),
  question: row("get", "/api/questions/{id}", "read", "One question, open or closed, and the last words before it", [
    "not_found",
  ]),
  deliveries: row(
    "get",
    "/api/terminals/{id}/deliveries",
    "read",
    "What was typed into a terminal, with receipts",
    known,
  ),
  adopt: row("post", "/api/adopt", "send", "Read and answer an agent in a pane of your own tmux", [
    "not_found",
    "wrong_state",
    "unavailable",
  ]),
  respond: row(
    "post",
    "/api/respond/{id}",
    "approve",
    "Answer the open question",
    [...runningTerminalErrors, "conflict"],
    models,
  ),
  interrupt: row(
    "post",
    "/api/terminals/{id}/interrupt",
    "send",
    "End an agent's turn; it stays ready for the next prompt",
    runningTerminalErrors,
  ),
  availability: row(
    "get",
    "/api/respond/{id}/availability",
    "read",
    "Whether an answer can reach the agent now",
    known,
  ),

  send_text: row(
    "post",
    "/api/bridge/send_text",
    "approve",
    "Type a text and Enter into any pane by its tmux id; failures are results",
    [],
    models,
  ),
  send_keys: row(
    "post",
    "/api/bridge/send_keys",
    "approve",
    "Press keys in any pane by its tmux id; failures are results",
    [],
    models,
  ),
  health: row(
    "post",
    "/api/bridge/health",
    "read",
    "Whether a pane exists and an agent runs in it; failures are results",
    [],
    models,
  ),

  events: row("get", "/api/events", "read", "Events after a number", []),
  wait: row(
    "post",
    "/api/wait",
    "read",
    "Wait until a condition holds; returns at once if it already does",
    [...known],
    models,
  ),

  capability: row(
    "post",
    "/api/capability",
    "send",
    "The capability tmux: calls as XML text, or one action with its parameters",
    [],
    models,
  ),

  whoami: row("get", "/api/whoami", "read", "The caller's identity and scope", []),
  activity: row("get", "/api/activity", "read", "How busy each terminal was in the last hour, and its last line", []),
  recording: row(
    "get",
    "/api/terminals/{id}/recording",
    "read",
    "How much a terminal printed, and when; for a replay",
    [...known, "unavailable"],
  ),
  login_link: row("post", "/api/logins/links", "admin", "A link that logs one browser in to the dashboard, once", [
    "unavailable",
  ]),
  login_list: row("get", "/api/logins", "admin", "Browsers that are logged in, and devices that are paired", []),
  login_rename: row("post", "/api/logins/{id}/name", "admin", "Give a browser or device another name", ["not_found"]),
  login_revoke: row("delete", "/api/logins/{id}", "admin", "Log a browser out immediately", ["not_found"]),
  pair_start: row("post", "/api/pairings", "admin", "Begin to pair a device; the pairing before ends", ["unavailable"]),
  pair_wait: row("get", "/api/pairings/{id}", "admin", "Wait until a pairing is in another state than you saw", [
    "not_found",
  ]),
  pair_confirm: row("post", "/api/pairings/{id}/confirm", "admin", "Confirm the device that shows this number", [
    "not_found",
    "wrong_state",
  ]),
  pair_refuse: row("delete", "/api/pairings/{id}", "admin", "End a pairing", ["not_found"]),
  teams: row("get", "/api/teams", "read", "Teams and their members", []),
  team_open: row("post", "/api/teams", "send", "Open a team; returns its address and a token for this team only", [
    "unavailable",
  ]),
  team_tasks: row("get", "/api/team-tasks", "read", "A team's board: tasks with status and lease", ["not_found"]),
  team_workers: row("get", "/api/team-workers", "read", "A team's workers with state, terminal and thread", [
    "not_found",
  ]),
  threads: row(
    "get",
    "/api/threads",
    "read",
    "Threads, most recent first; with a text, those that contain it",
    [],
    models,
  ),
  thread_start: row("post", "/api/threads", "send", "Start a thread", [], models),
  thread_read: row("get", "/api/threads/{id}", "read", "The last messages of a thread", ["not_found"], models),
  thread_post: row("post", "/api/threads/{id}/messages", "send", "Post to a thread", ["not_found"], models),

  notify_list: row("get", "/api/notify/channels", "read", "Channels of notices, and whether they work", []),
  notify_history: row("get", "/api/notify/notices", "read", "Notices, newest first, and what became of each", []),
  notify_test: row(
    "post",
    "/api/notify/channels/{id}/test",
    "send",
    "Send one notice through a channel, and report what came back",
    ["not_found", "unavailable"],
  ),
  presence: row(
    "post",
    "/api/notify/presence",
    "send",
    "Report what a person is looking at; no notice is sent about that",
    [],
    ["http", "client", "tui", "web"],
  ),

  push_look: row(
    "get",
    "/api/push",
    "read",
    "Whether this browser gets notices while no page is open, and under which key",
    [],
    ["http", "client", "web"],
  ),
  push_subscribe: row(
    "post",
    "/api/push",
    "read",
    "Send notices to this browser through its push service",
    [],
    ["http", "client", "web"],
  ),
  push_unsubscribe: row(
    "delete",
    "/api/push",
    "read",
    "Send no more notices to this browser",
    [],
    ["http", "client", "web"],
  ),

  token_create: row("post", "/api/tokens", "admin", "Create a token for HTTP; it is shown only once", []),
  token_list: row("get", "/api/tokens", "admin", "Tokens with scope and last use", []),
  token_revoke: row("delete", "/api/tokens/{id}", "admin", "Revoke a token immediately", ["not_found"]),
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
