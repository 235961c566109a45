import { inQuery, type OperationName, pathParameters } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import type { z } from "zod";
import type { HttpContext } from "../env.ts";
import { badInput, readJsonBody } from "./body.ts";
import { describeInputErrors } from "./input-errors.ts";
import { wrongField } from "./legacy-errors.ts";

/** Reads an operation's input from path, query and body, and parses it. Fields that the schema does not have are refused. */
export async function readInput(c: HttpContext, name: OperationName, maxBytes: number): Promise<object> {
  const row = operations[name];
  const inPath = pathParameters(row.path);
  const query = c.req.raw.url.includes("?") ? uniqueQuery(c.req.queries()) : noQuery;
  const rest = inQuery(row) ? query : await readJsonBody(c.req.raw, maxBytes);
  const misplaced = Object.keys(rest).find((key) => inPath.includes(key));
  if (misplaced !== undefined) throw badInput(`${misplaced} belongs into the path`);
  const [stray] = inQuery(row) ? [] : Object.keys(query);
  if (stray !== undefined) throw badInput(`${stray} belongs into the body`);
  return parseInput(name, { ...rest, ...fromPath(c, inPath) });
}

/** Parses an operation's input. The handler gets what this returns; nothing parses it again. */
export function parseInput(name: OperationName, given: object): object {
  const parsed = strictInput(name).safeParse(given);
  if (parsed.success) return parsed.data;
  const errorType = name === "respond" ? wrongField(parsed.error.issues[0]?.path[0]) : undefined;
  throw badInput(describeInputErrors(parsed.error), errorType);
}

// Cached: zod compiles a schema at its first use, which took a fifth of a busy daemon's time.
const strictInputs = new Map<OperationName, z.ZodObject>();

function strictInput(name: OperationName): z.ZodObject {
  const schema = strictInputs.get(name) ?? operations[name].input.strict();
  strictInputs.set(name, schema);
  return schema;
}

const noQuery: Readonly<Record<string, string>> = {};

/** A query in which no name is repeated. */
export function uniqueQuery(queries: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  const named = Object.entries(queries);
  const repeated = named.find(([, values]) => values.length > 1);
  if (repeated) throw badInput(`${repeated[0]} is given more than once`);
  return Object.fromEntries(named.map(([key, [value = ""]]) => [key, value]));
}

function fromPath(c: HttpContext, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, c.req.param(name) ?? ""]));
}
