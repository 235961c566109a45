import type { Agent, OperationName, Output, Question, Task, Terminal, Why } from "@paneward/sdk";

const moment = Date.now() - 185_000;
const why: Why = { source: "output", rule: "no output for 1 s", since: moment, evidence: "silent" };

export const sampleTask: Task = {
  id: 12,
  slug: "fix-login",
  root: "/repo",
  text: "Fix the login",
  agent: "claude",
  base: "main",
  branch: "paneward/12-fix-login",
  worktree: "/state/worktrees/12-fix-login",
  terminal: "t3",
  session: "paneward-12-fix-login",
  status: "Idle",
  why,
  work: { added: 12, removed: 3, ahead: 2 },
  createdAt: moment,
};

const sampleTerminal: Terminal = {
  id: "t4",
  name: "server",
  host: "local",
  argv: ["npm", "run", "dev"],
  cwd: "/repo",
  session: "paneward-t4-server",
  status: "Exited",
  why: { source: "exit", rule: "the program exited with code 3", since: moment },
  end: { kind: "exited", code: 3 },
  createdAt: moment,
};

const sampleQuestion: Question = {
  id: "q1",
  terminal: "t3",
  kind: "permission",
  text: "Run this command?",
  options: [
    { number: 1, label: "Yes" },
    { number: 2, label: "No" },
  ],
  freeText: false,
  proposal: { tool: "Bash", command: "npm test" },
  source: "hook",
  screenHash: "h1",
  state: "open",
  openedAt: 1,
};

const sampleAgent: Agent = {
  id: "a1",
  kind: "claude",
  name: "fix-login",
  terminal: "t3",
  tmux_pane_id: "%3",
  iterm_pane_id: null,
  state: "awaiting_input",
  stateSince: 1,
  timed_out: false,
  commander_available: true,
  adopted: false,
  question: sampleQuestion,
  startedAt: 1,
};

const teamTask = {
  schemaVersion: "1.0.0" as const,
  id: "task-0001",
  teamId: "demo",
  title: "Fix it",
  description: "",
  status: "in_progress" as const,
  owner: "worker1",
  deps: [],
  resources: ["src"],
  lease: { holder: "worker1", epoch: 1, expiresAt: "2026-01-01T00:05:00.000Z" },
  epoch: 1,
  timestamps: { createdAt: "2026-01-01T00:00:00.000Z", startedAt: null, completedAt: null, failedAt: null },
};

const thread = {
  schemaVersion: "1.0.0" as const,
  id: "thread-0001",
  teamId: "demo",
  title: "Hand-off",
  participants: ["leader", "worker1"],
  taskId: null,
  startedBy: "leader",
  createdAt: "2026-01-01T00:00:00.000Z",
  lastMessageAt: "2026-01-01T00:01:00.000Z",
  messages: 1,
};

const message = {
  schemaVersion: "1.0.0" as const,
  id: "msg-1",
  threadId: "thread-0001",
  from: "worker1",
  body: "It is fixed.",
  ts: "2026-01-01T00:01:00.000Z",
};

const worker = {
  teamId: "demo",
  session: "worker1",
  agentId: "worker1",
  leader: "leader",
  threadId: "thread-0001",
  socket: "/home/me/.pi/agent/tmux/demo/tmux.sock",
  cwd: "/repo",
  terminal: "t5",
  state: "working" as const,
  since: 1,
  startedAt: 1,
};

/** One good answer of every operation. */
export const sampleOutputs: { readonly [Name in OperationName]: Output<Name> } = {
  ping: { pong: true, version: "0.1.0", pid: 4242, startedAt: moment, lastEvent: 7 },
  shutdown: { stopping: true, pid: 4242 },
  doctor: {
    checks: [
      { name: "tmux", ok: true, detail: "tmux 3.5a" },
      { name: "git", ok: false, detail: "not found", hint: "install git" },
    ],
  },
  config: {
    config: { agent: "claude", web: { port: 7_420 } },
    files: ["/home/me/c.toml"],
    warnings: ["unknown key x"],
  },
  hosts: {
    hosts: [
      { name: "local", prefix: [], state: "connected", transport: "control", socket: "/run/tmux.sock", tmux: "3.5a" },
      {
        name: "box",
        prefix: ["docker", "exec"],
        state: "unavailable",
        transport: "spawn",
        socket: "/x",
        reason: "no such container",
      },
    ],
  },
  ps: {
    tasks: [sampleTask],
    terminals: [sampleTerminal, { ...sampleTerminal, id: "t3", name: "fix-login", task: 12 }],
    lastEvent: 7,
  },
  sessions: {
    sessions: [
      { name: "paneward-12-fix-login", session: "$1", windows: 1, attached: 0, createdAt: moment, task: 12 },
      { name: "paneward-t4-server", session: "$2", windows: 2, attached: 1, createdAt: moment, terminal: "t4" },
    ],
  },
  refresh: { told: true },
  focus: { told: true },
  explain: {
    id: "t3",
    name: "fix-login",
    status: "Idle",
    why,
    witnesses: [
      { witness: "output", says: "silent for 3 s", at: moment, used: true },
      { witness: "bell", says: "rang\u001b[31m", at: moment, used: false },
    ],
  },
  run: sampleTerminal,
  read: { output: "one\ntwo\n", cursor: "e1:8", lines: 2, has_more: false, missed: 0, state: "Idle" },
  screen: { id: "t3", lines: ["$ make", "done", "", ""], columns: 80, rows: 4 },
  send: { id: "d1", terminal: "t3", state: "submitted", createdAt: moment, updatedAt: moment },
  stop: { id: "t3", stopped: true },
  interrupt: { id: "t3", interrupted: true, by: "http" },
  restart: { ...sampleTerminal, status: "Running" },
  attach: { argv: ["true"], session: "paneward-12-fix-login", started: false },
  rm: { removed: "12", rescue: "refs/paneward/rescue/12" },
  new: sampleTask,
  start: { ...sampleTask, status: "Running" },
  complete: { ...sampleTask, status: "Completed" },
  reset: { task: { ...sampleTask, status: "Stopped" }, rescue: "refs/paneward/rescue/12" },
  merge: { base: "main", commits: 2, head: "0123456789abcdef0123456789abcdef01234567" },
  diff: { base: "main", diff: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n", truncated: false },
  path: { path: "/state/worktrees/12-fix-login", exists: true, env: { PANEWARD_TASK_ID: "12" } },
  branch: { branch: "paneward/12-fix-login", base: "main" },
  bootstrap: { copied: [".env"], ran: ".paneward/setup.sh", output: "installed\n" },
  undo: { undone: "rm", task: sampleTask },
  agents: { agents: [sampleAgent] },
  agent: sampleAgent,
  turns: { turns: [{ id: "u1", agent: "a1", actor: "user", intent: "command", text: "répare-le", at: 1 }] },
  questions: { questions: [sampleQuestion] },
  deliveries: {
    deliveries: [{ id: "d1", terminal: "t3", state: "acknowledged", createdAt: 1, updatedAt: 2, text: "go on" }],
  },
  adopt: sampleAgent,
  respond: { status: "ok", agent_id: "a1", mode: "select", new_state: "processing", latency_ms: 12, delivery_id: "d1" },
  availability: { status: "ok", agent_id: "a1", commander_available: true },
  events: {
    events: [
      {
        seq: 6,
        at: moment,
        type: "task_created",
        data: { task: 12, slug: "fix-login", agent: "claude", root: "/re po" },
      },
      { seq: 7, at: moment, type: "task_started", data: { task: 12, slug: "fix-login", terminal: "t3" } },
    ],
    last: 7,
  },
  wait: { results: [{ kind: "exited", id: "12", code: 3 }] },
  capability: { results: [{ success: true, data: { session: "artie" } }] },
  whoami: { who: "uid:1000", scope: "admin" },
  activity: { minute: 1, terminals: [{ id: "t3", counts: [0, 2, 5], last: "done" }] },
  recording: {
    id: "t3",
    columns: 80,
    rows: 24,
    parts: [{ epoch: "e1", from: 0, to: 9, times: [[9, 1_000]] }],
  },
  login_link: { url: "http://127.0.0.1:7420/#/login/x", scope: "admin", expiresAt: 9 },
  login_list: {
    logins: [{ id: "0a1b2c3d", name: "Chromium", scope: "read", by: "link", createdAt: 1, expiresAt: 9 }],
  },
  login_revoke: { revoked: "0a1b2c3d" },
  teams: {
    teams: [
      {
        schemaVersion: "1.0.0",
        teamId: "demo",
        agents: [{ id: "leader", role: "leader" }],
        createdAt: "2026-01-01T00:00:00.000Z",
      },
    ],
  },
  team_open: {
    teamId: "demo",
    url: "http://127.0.0.1:7420",
    token: "pw_0a1b2c3d_secret",
    pid: 4242,
    schemaVersion: "1.0.0",
    socket: "/run/daemon.sock",
    runtimePath: "/home/me/.pi/teams/demo/runtime.json",
  },
  team_tasks: { tasks: [teamTask] },
  team_workers: { workers: [worker] },
  threads: { threads: [thread] },
  thread_start: thread,
  thread_read: { thread, messages: [message] },
  thread_post: message,
  token_create: { id: "k1", name: "dashboard", scope: "read", token: "pw_secret" },
  token_list: { tokens: [{ id: "k1", name: "dashboard", scope: "read", createdAt: moment }] },
  token_revoke: { revoked: "k1" },
  audit: {
    entries: [{ at: moment, who: "me", door: "cli", operation: "rm", subject: "12", outcome: "ok" }],
  },
};
