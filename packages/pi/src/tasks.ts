import { join } from "node:path";
import { visible } from "@paneward/sdk";
import type { Pi, PiContext, ToolResult } from "./pi/api.ts";
import { tasksCommand } from "./tasks/command.ts";
import { type Conversation, openConversation } from "./tasks/conversation.ts";
import { startedTasks } from "./tasks/helper-output.ts";
import { projectPrefix, taskSessionName } from "./tasks/names.ts";
import { scanOldSessions } from "./tasks/scan.ts";

/** Background tasks in tmux for pi. Registers no tool: the model uses bash as the skill describes. */
export default function tasks(pi: Pi): void {
  let conversation: Conversation | undefined;

  pi.on("session_start", async ({ reason }, ctx) => {
    conversation?.stop();
    const opened = await openConversation(pi, ctx, reason !== "reload");
    conversation = opened;
    await opened.refresh();
    if (reason !== "reload") await reportOldSessions(opened, ctx);
  });

  pi.on("session_shutdown", () => {
    conversation?.stop();
    conversation = undefined;
  });

  pi.on("tool_call", ({ toolName, input }, ctx) => {
    if (toolName !== "bash" || !isCommand(input)) return undefined;
    const session = taskSessionName(ctx.cwd, ctx.sessionManager.getSessionId());
    const server = conversation?.server.exported ?? "";
    input.command = `export PI_TMUX_SESSION="${session}"\n${commandsOnPath}${server}${input.command}`;
    return undefined;
  });

  pi.on("tool_result", (event) => {
    if (event.toolName !== "bash" || event.isError || !conversation) return;
    const { session } = conversation;
    for (const task of startedTasks(textOf(event), session)) conversation.started(task).catch(() => {});
  });

  pi.on("session_info_changed", () => conversation?.renamed());
  pi.on("agent_start", () => conversation?.startNotice.seen());
  pi.on("message_start", ({ message }) => conversation?.outbox.arrived(message));
  pi.on("agent_end", ({ messages }) => conversation?.outbox.ended(messages));
  pi.on("agent_settled", () => conversation?.outbox.settled());

  pi.registerCommand("tmux-tasks", {
    description: "Show, prune and end this conversation's background tasks",
    handler: async (args, ctx) => {
      if (conversation) await tasksCommand(pi, conversation, args, ctx);
    },
  });
}

async function reportOldSessions(conversation: Conversation, ctx: PiContext): Promise<void> {
  const { server, memory, session } = conversation;
  try {
    const notices = await scanOldSessions(server, memory, projectPrefix(ctx.cwd), session);
    if (notices.length > 0) conversation.startNotice.show(visible(notices.join("\n")), "info");
  } catch (error) {
    if (ctx.hasUI) ctx.ui.notify(visible(`cannot check old task sessions: ${(error as Error).message}`), "warning");
  }
}

/** The package's commands, behind everything that is on PATH already. */
const commandsOnPath = `export PATH="$PATH":'${join(import.meta.dirname, "../bin").replaceAll("'", "'\\''")}'\n`;

function isCommand(input: object): input is { command: string } {
  return "command" in input && typeof input.command === "string";
}

function textOf({ content }: ToolResult): string {
  return content.map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("\n");
}
