import {
  type CompleteResourceTemplateCallback,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { PanewardError, type Terminal } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import type { ToolClient } from "./tool-client.ts";

/** Screen and journal of every terminal as MCP resources. */
export function serveResources(server: McpServer, client: ToolClient): void {
  for (const { kind, description, read } of kinds) {
    const template = new ResourceTemplate(`paneward://terminals/{id}/${kind}`, {
      list: async () => ({ resources: (await terminalsOf(client)).map((terminal) => listed(terminal, kind)) }),
      complete: withoutPrototype({
        id: async (prefix) => (await terminalsOf(client)).map(({ id }) => id).filter((id) => id.startsWith(prefix)),
      }),
    });
    server.registerResource(`terminal_${kind}`, template, { description, mimeType }, async (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType, text: await withProtocolErrors(() => read(client, decoded(String(id)))) }],
    }));
  }
}

type Completers = Readonly<Record<string, CompleteResourceTemplateCallback>>;

/** The library looks up a client's name in this table, which may be `valueOf`. */
function withoutPrototype(table: Completers): Completers {
  return Object.assign(Object.create(null), table);
}

/** The URIs of one terminal's resources. */
export function resourcesOf(terminal: string): readonly string[] {
  return kinds.map(({ kind }) => `paneward://terminals/${terminal}/${kind}`);
}

const mimeType = "text/plain";
const journalLines = 1_000;

const kinds = [
  {
    kind: "screen",
    description: "The current screen of a terminal",
    async read(client: ToolClient, given: string) {
      const { id } = idIn(given);
      return (await client.screen({ id })).lines.join("\n").trimEnd();
    },
  },
  {
    kind: "journal",
    description: `The last ${journalLines} lines that a terminal printed, as plain text`,
    async read(client: ToolClient, given: string) {
      const { id } = idIn(given);
      return (await client.read({ ...readDefaults, id, lines: journalLines })).output;
    },
  },
] as const;

const readDefaults = operations.read.input.pick({ max_bytes: true, wait: true }).parse({});

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new PanewardError("bad_input", `${JSON.stringify(part)} in the address is not a name`, { cause });
  }
}

/** The id comes from an address, which a model may have made up. */
function idIn(given: string): { readonly id: string } {
  const parsed = operations.screen.input.pick({ id: true }).safeParse({ id: given });
  if (parsed.success) return parsed.data;
  throw new PanewardError("bad_input", parsed.error.issues.map(({ message }) => message).join("; "));
}

type Listed = Pick<Terminal, "id" | "name" | "status">;

/** Terminals without a task, and those of tasks. */
async function terminalsOf(client: ToolClient): Promise<readonly Listed[]> {
  const { terminals, tasks } = await client.ps({});
  const working = tasks.flatMap(({ terminal, slug, status }) =>
    terminal === undefined ? [] : [{ id: terminal, name: slug, status }],
  );
  return [...terminals, ...working];
}

function listed({ id, name, status }: Listed, kind: string) {
  return { uri: `paneward://terminals/${id}/${kind}`, name: `${name} ${kind}`, title: `${id} ${name} (${status})` };
}

/** Unlike a tool, a resource has no error result, so throw a protocol error with message and hint. */
async function withProtocolErrors(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof PanewardError)) throw error;
    const isAboutInput = error.code === "not_found" || error.code === "bad_input" || error.code === "ambiguous";
    const code = isAboutInput ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, `${error.message}; ${error.hint}`);
  }
}
