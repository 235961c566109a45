import { once } from "node:events";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Client } from "@paneward/sdk";
import { Gathering } from "./gathering.ts";
import { createMcpServer } from "./server.ts";

export interface StdioOptions {
  readonly client: Client;
  readonly version: string;
  /** The folder of whoever started us: a model's project. */
  readonly folder: string;
  readonly note: (text: string) => void;
}

/** Speaks MCP on stdin and stdout until stdin ends. Nothing else may be written to stdout. */
export async function speakOnStdio({ client, version, folder, note }: StdioOptions): Promise<void> {
  // A file as stdin, such as /dev/null, ends and does not close.
  const ended = Promise.race([once(process.stdin, "close"), once(process.stdin, "end")]);
  const serving = serveStdio(
    ({ era }) => createMcpServer(client, { version, scope: "admin", folder, lasting: era === "legacy" }),
    {
      transport: new StdioServerTransport(process.stdin, new Gathering(process.stdout)),
      onerror: (error) => note(`paneward: ${error.message}`),
    },
  );
  await ended;
  await serving.close();
}
