import type { Agent } from "../agent.ts";

/** A shell in the task's worktree: the prompt waits in $PANEWARD_TASK for the person who works there. */
export const shell: Agent = {
  name: "shell",
  cmd: ["$SHELL"],
  withPrompt: (cmd) => cmd,
  isShell: true,
  env: /^$/,
  submit: { textEnterDelayMs: 0, keyDelayMs: 0, dialogGraceMs: 0 },
};
