import { opencode } from "./agents/opencode.ts";
import { color, say } from "./scenes/asking.ts";
import { provedOn } from "./suite.ts";

const { multiSelect: _multiSelect, ...question } = color;

provedOn(opencode, {
  run: (command) => `RUN: ${command}`,
  ask: say.tool("question", { questions: [question] }),
  dialog: /Permission required/,
  overHttp: true,
});
