import type { McpCaller } from "./caller.ts";

export interface McpEndpoint {
  readonly answer: (request: Request, caller: McpCaller) => Promise<Response>;
  close(): Promise<void>;
}

export interface McpEndpointOptions {
  readonly version: string;
  /** Sessions unused for this long are closed. */
  readonly idleMs?: number;
}

/** MCP over HTTP. Loaded on the first request: most daemons never get one. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  let made: Promise<McpEndpoint> | undefined;
  const endpoint = async () => {
    const { openEndpoint } = await import("./http.ts");
    return openEndpoint(options);
  };
  return {
    async answer(request, caller) {
      made ??= endpoint();
      return (await made).answer(request, caller);
    },
    close: async () => (await made)?.close(),
  };
}
