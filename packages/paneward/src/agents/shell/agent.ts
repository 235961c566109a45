import type { Agent } from "../agent.ts";

/** A shell in the task's worktree: the prompt waits in $PANEWARD_TASK for whoever works there. */
export const shell: Agent = {
  name: "shell",
  cmd: ["$SHELL"],
  withPrompt: (cmd) => cmd,
  env: /^$/,
  submit: { textEnterDelayMs: 0, keyDelayMs: 0, dialogGraceMs: 0 },
};
