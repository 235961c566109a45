import { allows, routes, type Scope } from "@paneward/sdk";
import { type ObjectSchema, shortSchema } from "./json-schema.ts";
import { taskTools } from "./task-tools.ts";
import { terminalTools } from "./terminal-tools.ts";
import type { Tool } from "./tool.ts";
import { waitTool } from "./wait-tool.ts";

/** Every tool, in the order in which a model reads them. */
export const catalogue: readonly Tool[] = [...terminalTools, waitTool, ...taskTools];

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
  announced ??= catalogue.map(announce);
  return announced.filter((_, at) => mayCall(scope, catalogue[at]));
}

export function mayCall(scope: Scope, tool: Tool | undefined): boolean {
  return tool !== undefined && allows(scope, routes[tool.operation].scope);
}

// The same for everybody, and worth making once: the schemas take longer than most calls.
let announced: readonly Announced[] | undefined;

function announce({ name, description, input, output, hints }: Tool): Announced {
  return {
    name,
    description,
    inputSchema: shortSchema(input, "input"),
    outputSchema: shortSchema(output, "output"),
    annotations: hints,
  };
}
