import type { Command } from "../command.ts";
import { cliVersion } from "../version.ts";

export const mcpCommands: readonly Command[] = [
  {
    name: "mcp",
    operations: [],
    door: "mcp",
    summary: "an MCP server on stdin and stdout, for language models",
    json: false,
    examples: ["paneward mcp", "claude mcp add paneward -- paneward mcp"],
    async run({ client, out, progress }) {
      progress.silence();
      const { serveMcpOnStdio } = await import("../../mcp/stdio.ts");
      await serveMcpOnStdio({ client, version: cliVersion(), folder: process.cwd(), note: out.note });
      return undefined;
    },
  },
];
