import { once } from "node:events";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Client } from "@paneward/sdk";
import { BatchingWriter } from "./batching-writer.ts";
import { DistinctIds } from "./distinct-ids.ts";
import { createMcpServer } from "./server.ts";
import { remoteClient } from "./tool-client.ts";

export interface StdioOptions {
  readonly client: Client;
  readonly version: string;
  /** The folder it was started in: the model's project. */
  readonly folder: string;
  readonly note: (text: string) => void;
}

/** Serves MCP on stdin and stdout until stdin ends. Nothing else may be written to stdout. */
export async function serveMcpOnStdio({ client, version, folder, note }: StdioOptions): Promise<void> {
  // If stdin is a file, such as /dev/null, it ends but does not close.
  const ended = Promise.race([once(process.stdin, "close"), once(process.stdin, "end")]);
  const serving = serveStdio(
    ({ era }) =>
      createMcpServer(remoteClient(client), { version, scope: "admin", folder, persistent: era === "legacy" }),
    {
      transport: new DistinctIds(new StdioServerTransport(process.stdin, new BatchingWriter(process.stdout))),
      onerror: (error) => note(`paneward: ${error.message}`),
    },
  );
  await ended;
  await serving.close();
}
