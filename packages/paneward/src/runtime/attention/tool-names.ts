/** A tool of an MCP server, by the name that an agent reports: `mcp__depot__order`, or `depot.order`. */
export function isServerTool(reported: string | undefined): boolean {
  return reported !== undefined && partsOf(reported) !== undefined;
}

/** Whether a dialog names this tool: `depot.order`, or `depot — Order Tool: (MCP)`. */
export function isToolNamed(drawn: string, reported: string): boolean {
  const parts = partsOf(reported);
  const wanted = plain(parts ? parts.join("") : reported);
  return wanted !== "" && plain(drawn.replace(/ Tool: \(MCP\)$/, "")) === wanted;
}

function partsOf(reported: string): readonly [server: string, tool: string] | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(reported) ?? /^([^.\s]+)\.(\S+)$/.exec(reported) ?? [];
  return server === undefined || tool === undefined ? undefined : [server, tool];
}

// Dialogs write `order_parts` as `Order Parts`.
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
