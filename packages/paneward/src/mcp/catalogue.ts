import { allows, routes, type Scope } from "@paneward/sdk";
import { bridgeTool } from "./bridge-tool.ts";
import { type ObjectSchema, shortSchema } from "./json-schema.ts";
import { respondTool } from "./respond-tool.ts";
import { taskTools } from "./task-tools.ts";
import { terminalTools } from "./terminal-tools.ts";
import { threadTools } from "./thread-tools.ts";
import { tmuxTool } from "./tmux-tool.ts";
import type { Tool } from "./tool.ts";
import { waitTool } from "./wait-tool.ts";

/** Every tool, in the order in which clients list them. */
export const catalogue: readonly Tool[] = [
  ...terminalTools,
  waitTool,
  ...taskTools,
  respondTool,
  ...threadTools,
  tmuxTool,
  bridgeTool,
];

/** A tool as `tools/list` returns it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  /** Those that differ from the protocol's defaults. */
  readonly annotations: Partial<Tool["hints"]>;
}

/** The tools that a caller with this scope may use. */
export function toolsFor(scope: Scope): readonly ListedTool[] {
  return catalogue.filter((tool) => missingScope(scope, tool) === undefined).map(listedTool);
}

/** The scope that the tool needs and the caller lacks, if any. */
export function missingScope(scope: Scope, tool: Pick<Tool, "operations">): Scope | undefined {
  return tool.operations.map((name) => routes[name].scope).find((needed) => !allows(scope, needed));
}

// Cached: building the schemas takes longer than most calls.
const listed = new Map<Tool, ListedTool>();

function listedTool(tool: Tool): ListedTool {
  const { name, description, input, output, hints } = tool;
  const known = listed.get(tool);
  if (known) return known;
  const inputSchema = shortSchema(input, "input");
  const outputSchema = shortSchema(output, "output");
  const { destructiveHint: _destructive, idempotentHint: _idempotent, ...ofReading } = hints;
  // The other two mean nothing for a tool that only reads.
  const given = hints.readOnlyHint ? ofReading : hints;
  const differing = Object.entries(given).filter(
    ([hint, value]) => value !== defaultHints[hint as keyof Tool["hints"]],
  );
  const annotations: Partial<Tool["hints"]> = Object.fromEntries(differing);
  const built = { name, description, inputSchema, outputSchema, annotations };
  listed.set(tool, built);
  return built;
}

/** What a client assumes of a hint that is not given. */
const defaultHints: Tool["hints"] = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
