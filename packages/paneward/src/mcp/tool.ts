import type { OperationName } from "@paneward/sdk";
import { z } from "zod";
import { parseInput } from "./input.ts";
import type { ToolClient } from "./tool-client.ts";

/** One tool of the catalogue. */
export interface Tool {
  readonly name: string;
  /** What it calls. A caller needs the scope of all of them to see and use the tool. */
  readonly operations: readonly OperationName[];
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
  readonly hints: Hints;
  /** Parses the input and runs the tool. */
  readonly answer: (given: unknown, call: ToolCall) => Promise<ToolResult>;
}

/** MCP annotations, for clients that ask before they call. */
interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The context of one call. */
export interface ToolCall<Names extends OperationName = OperationName> {
  /** Has only the operations that the tool names: what it may do is what its callers need the scope of. */
  readonly client: Pick<ToolClient, Names>;
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  /** The default folder. */
  readonly folder: string | undefined;
  /** Reports how long a wait has lasted, if the client asked for progress. */
  readonly progress: ((seconds: number, of: number, message: string) => void) | undefined;
}

/** Data for programs, text for the model, and the next useful call. */
export interface ToolResult {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly next?: string | undefined;
  /** Set when the data describes a failure in another protocol's terms. */
  readonly failed?: true;
}

interface Definition<Names extends OperationName, Input extends z.ZodObject> extends Omit<Tool, "answer" | "hints"> {
  readonly operations: readonly Names[];
  readonly input: Input;
  readonly kind: keyof typeof kinds;
  /** Takes fields that are not announced. */
  readonly takesMore?: true;
  readonly run: (input: z.output<Input>, call: ToolCall<Names>) => Promise<ToolResult>;
}

export function tool<const Names extends OperationName, Input extends z.ZodObject>({
  kind,
  run,
  takesMore,
  ...rest
}: Definition<Names, Input>): Tool {
  const { name, example } = rest;
  // Built once: zod compiles a schema on first use.
  const input = takesMore ? rest.input.loose() : rest.input.strict();
  const output = rest.output.extend({ next: z.string().optional() });
  const answer = async (given: unknown, call: ToolCall) => {
    const parsed = parseInput(name, input, given, example);
    return run(parsed as z.output<Input>, call);
  };
  return { ...rest, output, hints: kinds[kind], answer };
}

/** A call as a model would write it. */
export function callOf(name: string, input: Readonly<Record<string, unknown>>): string {
  return `${name} ${JSON.stringify(input)}`;
}

const kinds = {
  looks: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  starts: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  types: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  ends: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const satisfies Readonly<Record<string, Hints>>;
