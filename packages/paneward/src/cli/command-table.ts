import type { OperationName } from "@paneward/sdk";
import type { Command } from "./command.ts";
import { activityCommands } from "./commands/activity.ts";
import { agentCommands } from "./commands/agents.ts";
import { capabilityCommands } from "./commands/capability.ts";
import { completionCommands } from "./commands/completion.ts";
import { daemonCommands } from "./commands/daemon.ts";
import { demoCommands } from "./commands/demo.ts";
import { eventCommands } from "./commands/events.ts";
import { hookCommands } from "./commands/hooks.ts";
import { initCommands } from "./commands/init.ts";
import { inspectCommands } from "./commands/inspect.ts";
import { listCommands } from "./commands/list.ts";
import { loginCommands } from "./commands/login.ts";
import { mcpCommands } from "./commands/mcp.ts";
import { notifyCommands } from "./commands/notify.ts";
import { outputCommands } from "./commands/output.ts";
import { pairCommands } from "./commands/pair.ts";
import { paneCommands } from "./commands/pane.ts";
import { restoreCommands } from "./commands/restore.ts";
import { sendCommands } from "./commands/send.ts";
import { serviceCommands } from "./commands/service.ts";
import { startCommands } from "./commands/start.ts";
import { taskCommands } from "./commands/task.ts";
import { teamCommands } from "./commands/team.ts";
import { terminalCommands } from "./commands/terminal.ts";
import { tokenCommands } from "./commands/token.ts";
import { trustCommands } from "./commands/trust.ts";
import { updateCommands } from "./commands/update.ts";
import { waitCommands } from "./commands/wait.ts";
import { worktreeCommands } from "./commands/worktree.ts";

/** A heading of the help and of docs/cli.md, with its commands. */
export interface Section {
  readonly title: string;
  readonly commands: readonly Command[];
  /** The pages in docs that say more about them. */
  readonly pages?: readonly string[];
}

export const sections: readonly Section[] = [
  { title: "Start something", commands: startCommands },
  { title: "See and steer", commands: [...listCommands, ...terminalCommands, ...restoreCommands] },
  { title: "Output and input", commands: [...outputCommands, ...sendCommands, ...paneCommands, ...waitCommands] },
  { title: "Agents and their questions", commands: agentCommands },
  { title: "Finish a task", commands: taskCommands },
  { title: "Branch and worktree", commands: [...worktreeCommands, ...trustCommands] },
  { title: "Inspect", commands: [...eventCommands, ...inspectCommands, ...activityCommands] },
  { title: "Notices", commands: notifyCommands, pages: ["notify.md"] },
  { title: "The daemon", commands: [...daemonCommands, ...serviceCommands], pages: ["service.md"] },
  {
    title: "Access",
    commands: [...pairCommands, ...loginCommands, ...tokenCommands],
    pages: ["http.md#who-may-do-what", "dashboard.md", "devices.md"],
  },
  { title: "Teams and threads", commands: teamCommands, pages: ["team.md"] },
  { title: "For language models", commands: [...mcpCommands, ...capabilityCommands, ...hookCommands] },
  {
    title: "Setting up",
    commands: [...initCommands, ...updateCommands, ...demoCommands, ...completionCommands(() => allCommands)],
    pages: ["init.md"],
  },
];

/** Every command, in the order in which the help shows them. */
export const allCommands: readonly Command[] = sections.flatMap(({ commands }) => commands);

/** Which operations each command serves, for the parity test. */
export const commandTable: readonly {
  readonly command: string;
  readonly operations: readonly OperationName[];
}[] = allCommands.map(({ name, operations }) => ({ command: name, operations }));
