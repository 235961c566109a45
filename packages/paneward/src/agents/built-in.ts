// The agents that are built in. To add one: its folder here, and a line.
export { claude } from "./claude/agent.ts";
export { codex } from "./codex/agent.ts";
export { gemini } from "./gemini/agent.ts";
export { opencode } from "./opencode/agent.ts";
export { pi } from "./pi/agent.ts";
export { shell } from "./shell/agent.ts";
