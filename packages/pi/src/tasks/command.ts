import { visible } from "@paneward/sdk";
import type { Pi, PiContext } from "../pi/api.ts";
import type { Conversation } from "./conversation.ts";
import { stateOf } from "./kill.ts";
import { openPanel } from "./panel.ts";
import { killSession } from "./scan.ts";
import { liveTasks, type TaskSnapshot } from "./snapshot.ts";

const usage = "usage: /tmux-tasks [prune-dead | kill-all [--yes]]";

/** `/tmux-tasks`: shows and ends tasks. Nothing here starts a turn. */
export async function tasksCommand(pi: Pi, conversation: Conversation, args: string, ctx: PiContext): Promise<void> {
  const say = (text: string) => speak(pi, ctx, text);
  await conversation.refresh();
  switch (args.trim().replace(/\s+/g, " ")) {
    case "":
      if (ctx.mode === "tui") return openPanel(conversation, ctx);
      return say(summary(conversation.session, conversation.tasks));
    case "prune-dead":
      return say(await pruneDead(conversation));
    case "kill-all":
      return say(await killAll(conversation, ctx, false));
    case "kill-all --yes":
      return say(await killAll(conversation, ctx, true));
    default:
      return say(usage);
  }
}

function summary(session: string, tasks: readonly TaskSnapshot[]): string {
  if (tasks.length === 0) return `no tasks in tmux session ${session}`;
  const lines = tasks.map((task) => {
    const command = task.taskCommand ?? task.currentCommand ?? "";
    return `${task.windowId} ${task.windowName}: ${stateOf(task)}${command ? ` (${command})` : ""}`;
  });
  return [`tmux session ${session}`, ...lines].join("\n");
}

async function pruneDead(conversation: Conversation): Promise<string> {
  const dead = conversation.tasks.filter((task) => task.dead);
  for (const { windowId } of dead) await conversation.server.run([["kill-window", "-t", windowId]]);
  await conversation.refresh();
  return dead.length === 0 ? "no dead tasks" : `removed ${dead.map(({ windowName }) => windowName).join(", ")}`;
}

async function killAll(conversation: Conversation, ctx: PiContext, yes: boolean): Promise<string> {
  const { tasks, session } = conversation;
  if (tasks.length === 0) return "no tasks";
  if (!yes) {
    if (!ctx.hasUI) return "this ends every task: /tmux-tasks kill-all --yes";
    const list = tasks.map((task) => `${task.windowName}: ${stateOf(task)}`).join("\n");
    if (!(await ctx.ui.confirm("End all tasks of this conversation?", visible(list)))) return "no task was ended";
  }
  conversation.killedByUser(liveTasks({ tasks }).map(({ windowId }) => windowId));
  await killSession(conversation.server, session);
  await conversation.refresh();
  return `ended ${tasks.length} tasks`;
}

function speak(pi: Pi, ctx: PiContext, text: string): void {
  if (ctx.hasUI) ctx.ui.notify(visible(text), "info");
  else pi.sendMessage({ customType: "tmux-task-summary", content: text, display: true }, { triggerTurn: false });
}
