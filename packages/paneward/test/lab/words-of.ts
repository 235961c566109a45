import { color, say } from "./scenes/asking.ts";
import type { Words } from "./words.ts";

// Gemini and opencode name it otherwise.
const { multiSelect: _multiSelect, ...question } = color;

const claude: Words = {
  run: (command) => `RUN: ${command}`,
  ask: say.tool("AskUserQuestion", { questions: [color] }),
  dialog: /Do you want to proceed\?/,
};

// Outside of its plan mode Codex has no tool to ask with.
const codex: Words = {
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
};

const gemini: Words = {
  run: (command) => `RUN: ${command}`,
  ask: say.tool("ask_user", { questions: [{ ...question, type: "choice" }] }),
  dialog: /Allow execution of/,
};

const opencode: Words = {
  run: (command) => `RUN: ${command}`,
  ask: say.tool("question", { questions: [question] }),
  dialog: /Permission required/,
  overHttp: true,
};

// pi asks for no leave; its extensions ask.
const pi: Words = {
  run: () => "",
  commands: [
    { command: "/ask-color", asks: "Which color do you like best?", answer: { option: 2 }, given: "Blue" },
    { command: "/ask-sure", asks: "Delete everything?\nIt cannot be undone.", answer: { option: 1 }, given: true },
    {
      command: "/ask-name",
      asks: "What is your name?",
      answer: { text: 'Grace "Hop" $HOME' },
      given: 'Grace "Hop" $HOME',
    },
    { command: "/ask-sure", asks: "Delete everything?\nIt cannot be undone.", answer: { option: 2 }, given: false },
  ],
};

export const wordsOf = { claude, codex, gemini, opencode, pi } as const;
