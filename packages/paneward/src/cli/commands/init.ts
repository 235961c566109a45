import type { Command } from "../command.ts";

export const initCommands: readonly Command[] = [
  {
    name: "init",
    operations: ["login_revoke"],
    summary: "set up what is still missing: hooks, completion, notices, a phone; shows every change first",
    details:
      "Finds tmux, git, your agents and shells, and offers one step after the other. Nothing is changed without your " +
      "yes. Run again, it offers only what is missing or damaged. `--undo` takes all of it back, byte for byte; in a " +
      "file that was changed since, only Paneward's own part.",
    page: "init.md",
    options: [
      ["--yes", "do everything that is offered, without asking"],
      ["--dry-run", "only show what would be changed, line by line"],
      ["--undo", "take back what it made, after asking once"],
    ],
    examples: ["paneward init", "paneward init --dry-run", "paneward init --yes", "paneward init --undo"],
    run: async (call) => (await import("../init/run-init.ts")).runInit(call),
  },
];
