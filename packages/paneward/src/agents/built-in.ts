// The built-in agents, by name. To add one: its folder, and a line here.
export { claude } from "./claude/agent.ts";
export { codex } from "./codex/agent.ts";
export { gemini } from "./gemini/agent.ts";
export { opencode } from "./opencode/agent.ts";
export { pi } from "./pi/agent.ts";
export { shell } from "./shell/agent.ts";
