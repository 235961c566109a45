import { gemini } from "./agents/gemini.ts";
import { color, say } from "./scenes/asking.ts";
import { provedOn } from "./suite.ts";

const { multiSelect: _multiSelect, ...question } = color;

provedOn(gemini, {
  run: (command) => `RUN: ${command}`,
  ask: say.tool("ask_user", { questions: [{ ...question, type: "choice" }] }),
  dialog: /Allow execution of/,
});
