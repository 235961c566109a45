// The usual way to write an MCP server for tmux: one tool, and a tmux process for every call. For comparison only.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const [socket = ""] = process.argv.slice(2);

serveStdio(() => {
  const server = new McpServer({ name: "spawning", version: "1.0.0" });
  const inputSchema = z.object({ pane: z.string() });
  server.registerTool("read", { description: "What a pane shows", inputSchema }, async ({ pane }) => {
    const asked = ["-S", socket, "capture-pane", "-p", "-t", pane, "-S", "-100"];
    const { stdout } = await promisify(execFile)("tmux", asked);
    return { content: [{ type: "text", text: stdout }] };
  });
  return server;
});
