import { PanewardError } from "@paneward/sdk";
import { z } from "zod";

/** Reads what a model gave a tool. A mistake is answered with the field and a call that works. */
export function parseInput(
  tool: string,
  input: z.ZodObject,
  given: unknown,
  example: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const parsed = input.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => faultOf(issue, Object.keys(input.shape)));
  throw wrongInput(tool, faults.slice(0, mostFaults).join("; "), example);
}

export function wrongInput(
  tool: string,
  fault: string,
  example: Readonly<Record<string, unknown>>,
  cause?: unknown,
): PanewardError {
  const hint = `for example: ${tool} ${JSON.stringify(example)}`;
  return new PanewardError("bad_input", fault, { hint, cause });
}

/** Models write a task's id as a number as often as not. */
export function orNumber<Id extends z.ZodType<string>>(id: Id) {
  return z.preprocess((given) => (typeof given === "number" ? String(given) : given), id);
}

const mostFaults = 5;

function faultOf(issue: z.core.$ZodIssue, fields: readonly string[]): string {
  const where = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  const known = issue.code === "unrecognized_keys" && issue.path.length === 0 ? `; there are ${fields.join(", ")}` : "";
  return `${where}${issue.message}${known}`;
}
