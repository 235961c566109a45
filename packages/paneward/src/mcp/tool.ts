import type { Client, OperationName } from "@paneward/sdk";
import { z } from "zod";
import { parseInput } from "./input.ts";

/** One tool of the catalogue. */
export interface Tool {
  readonly name: string;
  /** What it calls. Whoever may not call all of it neither sees nor calls the tool. */
  readonly operations: readonly OperationName[];
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
  readonly hints: Hints;
  /** Parses what the model gave and does it. */
  readonly answer: (given: unknown, call: ToolCall) => Promise<Told>;
}

/** What a client may want to know before it lets a model call the tool. */
interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What one call works with. */
export interface ToolCall {
  readonly client: Client;
  /** Aborted when the model's client gave the call up. */
  readonly signal: AbortSignal;
  /** Where things happen when the model names no folder. */
  readonly folder: string | undefined;
  /** Tells how long a wait has lasted, if the model's client wants to know. */
  readonly progress: ((seconds: number, of: number, message: string) => void) | undefined;
}

/** An answer: data for programs, a text for the model, and the call that is useful next. */
export interface Told {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly next?: string | undefined;
  /** It did not work, and the data says so in the words of another protocol. */
  readonly failed?: true;
}

interface Definition<Input extends z.ZodObject> extends Omit<Tool, "answer" | "hints"> {
  readonly input: Input;
  readonly kind: keyof typeof kinds;
  readonly run: (input: z.output<Input>, call: ToolCall) => Promise<Told>;
}

export function tool<Input extends z.ZodObject>({ kind, run, ...rest }: Definition<Input>): Tool {
  const { name, example } = rest;
  // Made once: a schema is compiled when it is first used.
  const input = rest.input.strict();
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
