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
import { inspectCommands } from "./commands/inspect.ts";
import { listCommands } from "./commands/list.ts";
import { loginCommands } from "./commands/login.ts";
import { mcpCommands } from "./commands/mcp.ts";
import { outputCommands } from "./commands/output.ts";
import { sendCommands } from "./commands/send.ts";
import { startCommands } from "./commands/start.ts";
import { taskCommands } from "./commands/task.ts";
import { teamCommands } from "./commands/team.ts";
import { terminalCommands } from "./commands/terminal.ts";
import { tokenCommands } from "./commands/token.ts";
import { waitCommands } from "./commands/wait.ts";
import { worktreeCommands } from "./commands/worktree.ts";

/** Every command, in the order in which the help shows them. */
export const allCommands: readonly Command[] = [
  ...startCommands,
  ...listCommands,
  ...terminalCommands,
  ...outputCommands,
  ...sendCommands,
  ...waitCommands,
  ...agentCommands,
  ...taskCommands,
  ...worktreeCommands,
  ...eventCommands,
  ...teamCommands,
  ...capabilityCommands,
  ...inspectCommands,
  ...daemonCommands,
  ...tokenCommands,
  ...loginCommands,
  ...activityCommands,
  ...mcpCommands,
  ...hookCommands,
  ...demoCommands,
  ...completionCommands(() => allCommands),
];

/** Which operations each command serves: the command line's half of the parity test. */
export const commandTable: readonly {
  readonly command: string;
  readonly operations: readonly OperationName[];
}[] = allCommands.map(({ name, operations }) => ({ command: name, operations }));
