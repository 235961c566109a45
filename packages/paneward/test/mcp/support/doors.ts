import type { TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Scope } from "@paneward/sdk";
import { cliArgv } from "../../cli/support/cli.ts";
import { compileCache } from "../../support/compile-cache.ts";
import type { TestDaemon } from "../../support/daemon.ts";

/** One way for an MCP client to reach the daemon. */
export interface McpDoor {
  readonly name: string;
  connect(t: TestContext, daemon: TestDaemon): Promise<Client>;
}

const modern = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

/** The official client over both transports, each with the protocols of 2025 and 2026. */
export const mcpDoors: readonly McpDoor[] = [
  { name: "stdio, 2025", connect: (t, daemon) => connected(t, onStdio(daemon)) },
  { name: "stdio, 2026", connect: (t, daemon) => connected(t, onStdio(daemon), modern) },
  { name: "HTTP, 2025", connect: (t, daemon) => overHttp(t, daemon, "admin") },
  {
    name: "HTTP, 2026",
    connect: async (t, daemon) => connected(t, onHttp(daemon, await tokenFor(daemon, "admin")), modern),
  },
];

export async function overHttp(t: TestContext, daemon: TestDaemon, scope: Scope): Promise<Client> {
  return connected(t, onHttp(daemon, await tokenFor(daemon, scope)));
}

export async function tokenFor(daemon: TestDaemon, scope: Scope): Promise<string> {
  return (await daemon.client.token_create({ scope, name: scope })).token;
}

export function mcpUrl(daemon: TestDaemon): URL {
  return new URL(`http://127.0.0.1:${daemon.port}/mcp`);
}

function onStdio(daemon: TestDaemon): Transport {
  const [command, ...args] = cliArgv;
  return new StdioClientTransport({
    command,
    args: [...args, "mcp"],
    env: { ...daemon.env, NODE_COMPILE_CACHE: compileCache },
    cwd: daemon.folder,
  });
}

function onHttp(daemon: TestDaemon, token: string): Transport {
  return new StreamableHTTPClientTransport(mcpUrl(daemon), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}

type ClientOptions = NonNullable<ConstructorParameters<typeof Client>[1]>;

async function connected(t: TestContext, transport: Transport, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  t.after(() => client.close());
  await client.connect(transport);
  return client;
}
