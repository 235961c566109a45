import { claude } from "./agents/claude.ts";
import { launchedWithPrompt } from "./checks/launched.ts";
import { color, say } from "./scenes/asking.ts";
import { provedOn } from "./suite.ts";

provedOn(claude, {
  run: (command) => `RUN: ${command}`,
  ask: say.tool("AskUserQuestion", { questions: [color] }),
  dialog: /Do you want to proceed\?/,
});

launchedWithPrompt(claude, "RUN: touch made");
