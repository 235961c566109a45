import { inQuery, type OperationName, PanewardError, pathParameters } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import type { z } from "zod";
import { tooLarge } from "../access/limits.ts";
import type { HttpContext } from "../env.ts";
import { printable } from "./answer.ts";
import { wrongField } from "./legacy-errors.ts";
import { wrongInputWords } from "./wrong-input.ts";

/** Reads an operation's input from path, query and body and parses it. Whatever is not in the schema is refused. */
export async function readInput(c: HttpContext, name: OperationName, maxBody: number): Promise<object> {
  const row = operations[name];
  const inPath = pathParameters(row.path);
  const query = queryOf(c);
  const rest = inQuery(row) ? query : await readBody(c, maxBody);
  const misplaced = Object.keys(rest).find((key) => inPath.includes(key));
  if (misplaced !== undefined) throw badInput(`${misplaced} belongs into the path`);
  const [stray] = inQuery(row) ? [] : Object.keys(query);
  if (stray !== undefined) throw badInput(`${stray} belongs into the body`);
  return parseInput(name, { ...rest, ...fromPath(c, inPath) });
}

/** Parses an operation's input, from wherever it came. */
export function parseInput(name: OperationName, given: object): object {
  const parsed = strictInput(name).safeParse(given);
  if (parsed.success) return parsed.data;
  const errorType = name === "respond" ? wrongField(parsed.error.issues[0]?.path[0]) : undefined;
  throw badInput(wrongInputWords(parsed.error), errorType);
}

// Made once: zod compiles a schema at its first use, which took a fifth of a busy daemon's time.
const strictInputs = new Map<OperationName, z.ZodObject>();

function strictInput(name: OperationName): z.ZodObject {
  const schema = strictInputs.get(name) ?? operations[name].input.strict();
  strictInputs.set(name, schema);
  return schema;
}

export function badInput(message: string, errorType?: string): PanewardError {
  return new PanewardError("bad_input", printable(message, 1_000), errorType === undefined ? {} : { errorType });
}

/** A query in which every name stands once. */
export function queryOf(c: HttpContext): Readonly<Record<string, string>> {
  const named = Object.entries(c.req.queries());
  const twice = named.find(([, values]) => values.length > 1);
  if (twice) throw badInput(`${twice[0]} is given more than once`);
  return Object.fromEntries(named.map(([key, [value = ""]]) => [key, value]));
}

function fromPath(c: HttpContext, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, c.req.param(name) ?? ""]));
}

/** A JSON object that belongs to no operation. */
export function readJson(c: HttpContext, longest: number): Promise<object> {
  return readBody(c, longest);
}

async function readBody(c: HttpContext, longest: number): Promise<object> {
  if (Number(c.req.header("content-length") ?? 0) > longest) throw tooLarge(longest);
  const bytes = await readBytes(c.req.raw.body, longest);
  if (bytes.length === 0) return {};
  const type = c.req.header("content-type") ?? "nothing";
  if (!/^application\/json *(;|$)/i.test(type)) throw badInput(`the body must be application/json, not ${type}`);
  const body = parseJson(bytes);
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw badInput("the body must be an object");
  return body;
}

/** A body, refused as soon as it is too long. */
export async function readBytes(body: ReadableStream<Uint8Array> | null, longest: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > longest) throw tooLarge(longest);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new PanewardError("bad_input", "the body is not JSON in UTF-8", { cause });
  }
}
