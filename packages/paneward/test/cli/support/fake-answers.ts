import type { OperationName, Output, Task, Terminal, Why } from "@paneward/sdk";
import { sampleOutputs } from "../../support/samples.ts";

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

/** What the fake daemon answers: a sample, and where a test reads what is printed of it, these. */
export const fakeAnswers: { readonly [Name in OperationName]: Output<Name> } = {
  ...sampleOutputs,
  ping: { pong: true, version: "0.1.0", pid: 4242, startedAt: moment, lastEvent: 7 },
  doctor: {
    checks: [
      { name: "tmux", ok: true, detail: "tmux 3.5a" },
      { name: "git", ok: false, detail: "not found", hint: "install git" },
      { name: "pi", ok: true, missing: true, detail: "not installed" },
    ],
  },
  config: {
    agents: ["claude", "codex"],
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
  send: { id: "d1", terminal: "t3", state: "acknowledged", createdAt: moment, updatedAt: moment },
  send_text: { success: true, error_type: null, error_message: null, latency_ms: 104 },
  send_keys: { success: true, error_type: null, error_message: null, latency_ms: 3 },
  health: { available: true, running: true, pid: 4711, error_type: null, error_message: null },
  stop: { id: "t3", stopped: true },
  restore: {
    restored: [
      { id: "t4", name: "server", outcome: "restored", as: "anew" },
      { id: "12", name: "fix-login", outcome: "restored", as: "conversation" },
      { id: "t5", name: "gone", outcome: "cannot", reason: "its folder /x is gone" },
    ],
  },
  keep_running: sampleTerminal,
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
  edit: sampleTask,
  undo_look: { undone: "rm", task: 12, slug: "fix-login", at: sampleTask.createdAt, running: false },
  undo: { undone: "rm", task: sampleTask },
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
    ...{ last: 7, more: false },
  },
  wait: { results: [{ kind: "exited", id: "12", code: 3 }] },
  token_create: { id: "k1", name: "dashboard", scope: "read", token: "pw_secret" },
  token_list: { tokens: [{ id: "k1", name: "dashboard", scope: "read", createdAt: moment }] },
  token_revoke: { revoked: "k1" },
  audit: {
    entries: [{ at: moment, who: "me", door: "cli", operation: "rm", subject: "12", outcome: "ok" }],
  },
};
