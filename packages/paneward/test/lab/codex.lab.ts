import { codex } from "./agents/codex.ts";
import { color, say } from "./scenes/asking.ts";
import { provedOn } from "./suite.ts";

// Outside of its plan mode Codex has no tool to ask with.
provedOn(codex, {
  run: (cmd) =>
    say.tool("exec_command", { cmd, sandbox_permissions: "require_escalated", justification: "It makes a file" }),
  dialog: /Would you like to run the following command\?/,
  askingMode: "/plan",
  ask: say.tool("request_user_input", { questions: [{ id: "color", ...color }] }),
  plan: {
    prompt: "Plan:\n<proposed_plan>\n- paint it\n</proposed_plan>",
    asks: "Implement this plan?",
    told: "Implement the plan.",
  },
});
