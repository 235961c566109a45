import { readFileSync } from "node:fs";
import { join } from "node:path";
import { claudeHooks, pluginHookCommand } from "../packages/paneward/src/agents/claude/launch.ts";
import { hookScript } from "../packages/paneward/src/agents/hook-script.ts";
import { guide } from "../packages/paneward/src/mcp/guide.ts";

export const pluginFolder = join(import.meta.dirname, "../packages/claude-code");

/** The files of the plugin for Claude Code, from the same sources as the daemon, `hooks install` and the MCP server. */
export function pluginFiles(): Readonly<Record<string, string>> {
  return {
    ".claude-plugin/plugin.json": json(manifest()),
    ".mcp.json": json({ mcpServers: { paneward: { command: "paneward", args: ["mcp"] } } }),
    "hooks/hooks.json": json({
      description: "Reports to the Paneward daemon what this agent does; does nothing if the daemon is not running.",
      hooks: claudeHooks({ reportCommand: pluginHookCommand("tell"), waitCommand: pluginHookCommand("ask") }),
    }),
    "hooks/hook.sh": hookScript(),
    "skills/paneward/SKILL.md": skill,
  };
}

function manifest(): object {
  const { version, description, license } = JSON.parse(readFileSync(join(pluginFolder, "package.json"), "utf8")) as {
    readonly version: string;
    readonly description: string;
    readonly license: string;
  };
  return { name: "paneward", version, description, author: { name: "Paneward contributors" }, license };
}

const skill = `---
name: paneward
description: Runs programs and other coding agents in tmux terminals that outlive this conversation, and waits for them without polling. Use it for servers, watchers, long builds and tests, REPLs and interactive programs, for several agents side by side in their own git worktrees, and to see and answer agents that wait. Not for a short command whose output is needed at once.
---

The tools named here are those of the MCP server \`paneward\`. If they are missing, use the commands
\`paneward run\`, \`paneward wait\`, \`paneward read\` and so on; \`paneward help\` lists all.

${guide}`;

/** JSON as biome formats it: a list of texts is on one line. */
function json(value: object): string {
  const text = JSON.stringify(value, undefined, 2);
  const textList = /\[\n\s+("(?:[^"\\]|\\.)*"(?:,\n\s+"(?:[^"\\]|\\.)*")*)\n\s+\]/g;
  return `${text.replace(textList, (_, texts: string) => `[${texts.replaceAll(/,\n\s+/g, ", ")}]`)}\n`;
}
