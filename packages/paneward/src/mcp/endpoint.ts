import type { Visitor } from "./visitor.ts";

export interface McpEndpoint {
  readonly answer: (request: Request, visitor: Visitor) => Promise<Response>;
  close(): Promise<void>;
}

export interface McpEndpointOptions {
  readonly version: string;
  /** A session that nobody used for so long is closed. */
  readonly idleMs?: number;
}

/** MCP over HTTP. What it needs is loaded when the first client comes: most daemons never see one. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  let made: Promise<McpEndpoint> | undefined;
  const endpoint = async () => {
    const { openEndpoint } = await import("./http.ts");
    return openEndpoint(options);
  };
  return {
    async answer(request, visitor) {
      made ??= endpoint();
      return (await made).answer(request, visitor);
    },
    close: async () => (await made)?.close(),
  };
}
