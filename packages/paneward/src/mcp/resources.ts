import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from "@modelcontextprotocol/server";
import { type Client, PanewardError, type Terminal } from "@paneward/sdk";

/** Screen and journal of every terminal, to be read like files. */
export function serveResources(server: McpServer, client: Client): void {
  for (const { kind, description, read } of kinds) {
    const template = new ResourceTemplate(`paneward://terminals/{id}/${kind}`, {
      list: async () => ({ resources: (await shownBy(client)).map((terminal) => listed(terminal, kind)) }),
      complete: {
        id: async (begun) => (await shownBy(client)).map(({ id }) => id).filter((id) => id.startsWith(begun)),
      },
    });
    server.registerResource(`terminal_${kind}`, template, { description, mimeType }, async (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType, text: await told(() => read(client, decodeURIComponent(String(id)))) }],
    }));
  }
}

/** The addresses of one terminal's resources. */
export function resourcesOf(terminal: string): readonly string[] {
  return kinds.map(({ kind }) => `paneward://terminals/${terminal}/${kind}`);
}

const mimeType = "text/plain";
const journalLines = 1_000;

const kinds = [
  {
    kind: "screen",
    description: "The screen of a terminal as a person sees it now",
    read: async (client: Client, id: string) => (await client.screen({ id })).lines.join("\n").trimEnd(),
  },
  {
    kind: "journal",
    description: `The last ${journalLines} lines that a terminal printed, as plain text`,
    read: async (client: Client, id: string) => (await client.read({ id, lines: journalLines })).output,
  },
] as const;

type Listed = Pick<Terminal, "id" | "name" | "status">;

/** Terminals of their own, and those in which tasks run. */
async function shownBy(client: Client): Promise<readonly Listed[]> {
  const { terminals, tasks } = await client.ps({});
  const working = tasks.flatMap(({ terminal, slug, status }) =>
    terminal === undefined ? [] : [{ id: terminal, name: slug, status }],
  );
  return [...terminals, ...working];
}

function listed({ id, name, status }: Listed, kind: string) {
  return { uri: `paneward://terminals/${id}/${kind}`, name: `${name} ${kind}`, title: `${id} ${name} (${status})` };
}

/** A resource has no result that could be a failure, so the protocol's error carries the words. */
async function told(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof PanewardError)) throw error;
    const code = error.code === "not_found" ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, `${error.message}; ${error.hint}`);
  }
}
