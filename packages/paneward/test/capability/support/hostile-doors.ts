import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { callText } from "@paneward/sdk/reference";
import { paneward } from "../../cli/support/cli.ts";
import { mcpDoors } from "../../mcp/support/doors.ts";
import type { TestDaemon } from "../../support/daemon.ts";
import { modelAt, type Result } from "./model.ts";

export interface Call {
  readonly action: string;
  readonly params: Readonly<Record<string, string>>;
}

/** A program to run in its own terminal. */
export interface Program {
  readonly argv: readonly string[];
  readonly name: string;
  readonly cwd: string;
}

/** What a model can do through one door. */
export interface HostileDoor {
  /** One result for each call, in order. */
  asks(calls: readonly Call[]): Promise<readonly Result[]>;
  /** Whether the program was accepted. */
  runs(program: Program): Promise<boolean>;
}

interface Entrance {
  readonly name: string;
  open(t: TestContext, daemon: TestDaemon): Promise<HostileDoor>;
}

/** Every door that accepts a model's text. */
export const entrances: readonly Entrance[] = [
  {
    name: "http",
    open: async (_t, daemon) => ({
      asks: asText("http", daemon),
      runs: ({ argv, ...rest }) =>
        daemon.client.run({ argv: [...argv], ...rest }).then(
          () => true,
          () => false,
        ),
    }),
  },
  {
    name: "cli",
    open: async (_t, daemon) => ({
      asks: asText("cli", daemon),
      runs: async ({ argv, name, cwd }) => {
        const words = ["run", `--name=${name}`, `--cwd=${cwd}`, "--", ...argv];
        return (await paneward(words, { env: daemon.env })).code === 0;
      },
    }),
  },
  ...mcpDoors
    .filter(({ name }) => name.endsWith("2025"))
    .map(
      (door): Entrance => ({
        name: `MCP over ${door.name}`,
        async open(t, daemon) {
          const client = await manyClients(() => door.connect(t, daemon));
          return {
            async asks(calls) {
              const results: Result[] = [];
              for (const { action, params } of calls) {
                const answer = await (await client()).callTool({ name: "tmux", arguments: { action, params } });
                const { results: returned } = answer.structuredContent as { readonly results?: readonly Result[] };
                results.push(...(returned ?? [refusal(answer)]));
              }
              return results;
            },
            runs: async ({ argv, name, cwd }) => {
              const input = { argv: [...argv], name, cwd };
              const answer = await (await client()).callTool({ name: "terminal_start", arguments: input });
              return answer.isError !== true;
            },
          };
        },
      }),
    ),
];

// Rate limit per token over HTTP: bursts of 200, then 50 per second. The soak tests use several tokens.
async function manyClients(connect: () => Promise<Client>): Promise<() => Promise<Client>> {
  let client = await connect();
  let asked = 0;
  return async () => {
    if (++asked % maxCallsPerClient === 0) client = await connect();
    return client;
  };
}

const maxCallsPerClient = 150;

// Input that does not match the tool's schema is refused before the capability sees it.
function refusal({ isError, content }: CallToolResult): Result {
  assert.equal(isError, true);
  const error = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  assert.match(error, /^Hint: /m);
  return { success: false, error, suggestion: "" };
}

// Many calls in one text: each must get its own result.
function asText(door: "http" | "cli", daemon: TestDaemon): HostileDoor["asks"] {
  const { says } = modelAt(door, daemon);
  return async (calls) => {
    const results = await says(calls.map(({ action, params }) => callText(action, params)).join(" and "));
    assert.equal(results.length, calls.length);
    return results;
  };
}
