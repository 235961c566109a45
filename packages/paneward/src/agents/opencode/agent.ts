import type { Agent } from "../agent.ts";
import { answerOpencode } from "./answer.ts";
import { readOpencodeEvent } from "./events.ts";
import { readOpencodeScreen } from "./screen.ts";
import { opencodeServer, withOpencodeServer } from "./server.ts";

export const opencode: Agent = {
  name: "opencode",
  cmd: ["opencode"],
  withPrompt: (cmd, prompt) => [...cmd, "--prompt", prompt],
  resume: (cmd, sessionId) => [...cmd, "--session", sessionId],
  env: /^(OPENCODE_|ANTHROPIC_|OPENAI_|GEMINI_|GOOGLE_|OPENROUTER_)/,
  withHooks: withOpencodeServer,
  server: opencodeServer,
  readScreen: readOpencodeScreen,
  readHook: readOpencodeEvent,
  submit: {
    textEnterDelayMs: 400,
    keyDelayMs: 150,
    dialogGraceMs: 500,
    pasteLine: true,
    // [Pasted ~5 lines]
    pasteMark: /^\[Pasted~(\d+)(lines)\]$/,
    blankAfterMark: true,
  },
  interrupt: ["Escape", "Escape"],
  answer: answerOpencode,
};
