import { PanewardError } from "@paneward/sdk";
import { z } from "zod";

/** Parses the input of a tool. The error names the wrong field and shows a call that works. */
export function parseInput(
  tool: string,
  input: z.ZodObject,
  given: unknown,
  example: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const parsed = input.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => faultOf(issue, Object.keys(input.shape)));
  throw wrongInput(tool, faults.slice(0, maxFaults).join("; "), example);
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

/** Models often write a task's id as a number. */
export function idOrNumber<Id extends z.ZodType<string>>(id: Id) {
  return z.preprocess((given) => (typeof given === "number" ? String(given) : given), id);
}

const maxFaults = 5;

function faultOf(issue: z.core.$ZodIssue, fields: readonly string[]): string {
  const where = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  const known =
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? `; known fields: ${fields.join(", ")}` : "";
  return `${where}${issue.message}${known}`;
}
