import type { Command } from "./command.ts";

type Group = () => Promise<readonly Command[]>;

/** Loads the file with the commands of a first word, and no other: that keeps `paneward ps` fast. */
export function groupOf(word: string): Group | undefined {
  return Object.hasOwn(groups, word) ? groups[word as keyof typeof groups] : undefined;
}

const agents: Group = async () => (await import("./commands/agents.ts")).agentCommands;
const daemon: Group = async () => (await import("./commands/daemon.ts")).daemonCommands;
const list: Group = async () => (await import("./commands/list.ts")).listCommands;
const start: Group = async () => (await import("./commands/start.ts")).startCommands;
const terminal: Group = async () => (await import("./commands/terminal.ts")).terminalCommands;
const restore: Group = async () => (await import("./commands/restore.ts")).restoreCommands;
const output: Group = async () => (await import("./commands/output.ts")).outputCommands;
const task: Group = async () => (await import("./commands/task.ts")).taskCommands;
const worktree: Group = async () => (await import("./commands/worktree.ts")).worktreeCommands;
const trust: Group = async () => (await import("./commands/trust.ts")).trustCommands;
const inspect: Group = async () => (await import("./commands/inspect.ts")).inspectCommands;
const token: Group = async () => (await import("./commands/token.ts")).tokenCommands;
const login: Group = async () => (await import("./commands/login.ts")).loginCommands;
const pair: Group = async () => (await import("./commands/pair.ts")).pairCommands;
const notify: Group = async () => (await import("./commands/notify.ts")).notifyCommands;
const activity: Group = async () => (await import("./commands/activity.ts")).activityCommands;
const team: Group = async () => (await import("./commands/team.ts")).teamCommands;
const capability: Group = async () => (await import("./commands/capability.ts")).capabilityCommands;
const demo: Group = async () => (await import("./commands/demo.ts")).demoCommands;
const send: Group = async () => (await import("./commands/send.ts")).sendCommands;
const pane: Group = async () => (await import("./commands/pane.ts")).paneCommands;
const wait: Group = async () => (await import("./commands/wait.ts")).waitCommands;
const mcp: Group = async () => (await import("./commands/mcp.ts")).mcpCommands;
const hooks: Group = async () => (await import("./commands/hooks.ts")).hookCommands;
const init: Group = async () => (await import("./commands/init.ts")).initCommands;
const events: Group = async () => (await import("./commands/events.ts")).eventCommands;
const service: Group = async () => (await import("./commands/service.ts")).serviceCommands;
const update: Group = async () => (await import("./commands/update.ts")).updateCommands;

const groups = {
  agents,
  questions: agents,
  deliveries: agents,
  adopt: agents,
  up: daemon,
  daemon,
  run: start,
  new: start,
  start,
  attach: terminal,
  stop: terminal,
  restart: terminal,
  restore,
  "keep-running": restore,
  ps: list,
  sessions: list,
  read: output,
  logs: output,
  screen: output,
  send,
  respond: send,
  interrupt: send,
  pane,
  wait,
  events,
  edit: start,
  complete: task,
  reset: task,
  rm: task,
  undo: task,
  merge: worktree,
  diff: worktree,
  path: worktree,
  branch: worktree,
  bootstrap: worktree,
  exec: worktree,
  trust,
  explain: inspect,
  hosts: inspect,
  config: inspect,
  doctor: inspect,
  refresh: inspect,
  audit: inspect,
  token,
  login,
  open: login,
  whoami: login,
  pair,
  activity,
  recording: activity,
  notify,
  team,
  capability,
  mcp,
  hooks,
  demo,
  init,
  service,
  update,
} as const;
