import { allows, routes, type Scope } from "@paneward/sdk";
import { type ObjectSchema, shortSchema } from "./json-schema.ts";
import { respondTool } from "./respond-tool.ts";
import { taskTools } from "./task-tools.ts";
import { terminalTools } from "./terminal-tools.ts";
import { threadTools } from "./thread-tools.ts";
import { tmuxTool } from "./tmux-tool.ts";
import type { Tool } from "./tool.ts";
import { waitTool } from "./wait-tool.ts";

/** Every tool, in the order in which a model reads them. */
export const catalogue: readonly Tool[] = [
  ...terminalTools,
  waitTool,
  ...taskTools,
  respondTool,
  ...threadTools,
  tmuxTool,
];

/** How a tool is announced. */
export interface Announced {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: Tool["hints"];
}

/** The tools that somebody with this scope may call. */
export function announcedFor(scope: Scope): readonly Announced[] {
  return catalogue.filter((tool) => missingScope(scope, tool) === undefined).map(announce);
}

/** The scope that a tool needs and this caller lacks. */
export function missingScope(scope: Scope, tool: Tool): Scope | undefined {
  return tool.operations.map((name) => routes[name].scope).find((needed) => !allows(scope, needed));
}

// The same for everybody, and worth making once: the schemas take longer than most calls.
const announced = new Map<Tool, Announced>();

function announce(tool: Tool): Announced {
  const { name, description, input, output, hints: annotations } = tool;
  const known = announced.get(tool);
  if (known) return known;
  const inputSchema = shortSchema(input, "input");
  const outputSchema = shortSchema(output, "output");
  const made = { name, description, inputSchema, outputSchema, annotations };
  announced.set(tool, made);
  return made;
}
