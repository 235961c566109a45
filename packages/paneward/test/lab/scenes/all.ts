import type { Scene } from "../stage.ts";
import { claudeScenes } from "./claude.ts";
import { codexScenes } from "./codex.ts";
import { geminiScenes } from "./gemini.ts";
import { opencodeScenes } from "./opencode.ts";
import { piScenes } from "./pi.ts";

export const scenes: Readonly<Record<string, Readonly<Record<string, Scene>>>> = {
  claude: claudeScenes,
  codex: codexScenes,
  gemini: geminiScenes,
  opencode: opencodeScenes,
  pi: piScenes,
};
