import type { Conversation } from "./conversation.ts";
import type { TaskSnapshot } from "./snapshot.ts";

/** Kills one task's window for the user. */
export async function killTask(conversation: Conversation, { windowId, dead }: TaskSnapshot): Promise<void> {
  if (!dead) conversation.killedByUser([windowId]);
  await conversation.server.run([["kill-window", "-t", windowId]]);
  await conversation.refresh();
}

export function stateOf({ dead, exitCode, exitSignal }: TaskSnapshot): string {
  if (!dead) return "running";
  if (exitSignal !== undefined) return `killed by signal ${exitSignal}`;
  return exitCode === undefined ? "exited" : `exited ${exitCode}`;
}
