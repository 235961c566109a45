// The usual way to write an MCP server for tmux: a tmux process for every call. For comparison only.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const [socket = ""] = process.argv.slice(2);

const tmux = async (...asked: readonly string[]) => {
  const { stdout } = await promisify(execFile)("tmux", ["-S", socket, ...asked]);
  return { content: [{ type: "text" as const, text: stdout }] };
};

serveStdio(() => {
  const server = new McpServer({ name: "spawning", version: "1.0.0" });
  const inputSchema = z.object({ pane: z.string() });
  server.registerTool("read", { description: "The last lines of a pane", inputSchema }, ({ pane }) =>
    tmux("capture-pane", "-p", "-t", pane, "-S", "-100"),
  );
  server.registerTool("screen", { description: "What a pane shows", inputSchema }, ({ pane }) =>
    tmux("capture-pane", "-p", "-t", pane),
  );
  server.registerTool("press", { description: "Press a key in a pane", inputSchema }, ({ pane }) =>
    tmux("send-keys", "-t", pane, "a"),
  );
  return server;
});
