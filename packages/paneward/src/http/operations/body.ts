import { PanewardError } from "@paneward/sdk";
import { tooLarge } from "../access/limits.ts";
import { printable } from "./answer.ts";

/** What the readers below need of a request. */
export interface BodySource {
  readonly body: ReadableStream<Uint8Array> | null;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a body of type application/json that holds an object. An empty body is an empty object. */
export async function readJsonBody(request: BodySource, maxBytes: number): Promise<JsonObject> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  const type = request.headers.get("content-type") ?? "nothing";
  if (!/^application\/json *(;|$)/i.test(type)) throw badInput(`the body must be application/json, not ${type}`);
  return parseJsonObject(bytes);
}

/** Reads a body, and refuses it as soon as it is known to be too long. Throws nothing but a PanewardError. */
export async function readBytes(request: BodySource, maxBytes: number): Promise<Buffer> {
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // Node keeps to the announced length. A stream of the web costs ten times as much as the bytes of a short body.
    if (announced !== null) {
      const bytes = Buffer.from(await request.arrayBuffer());
      if (bytes.length > maxBytes) throw tooLarge(maxBytes);
      return bytes;
    }
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof PanewardError) throw cause;
    throw new PanewardError("bad_input", "the body ended before it was complete", { cause });
  }
  return Buffer.concat(chunks);
}

/** Parses JSON in UTF-8 that is an object and not nested so deeply that writing it again would exhaust the stack. */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badInput("the body must be an object");
  if (isDeeperThan(value, maxDepth)) throw badInput(`the body is nested deeper than ${maxDepth} levels`);
  return value as JsonObject;
}

export function badInput(message: string, errorType?: string): PanewardError {
  return new PanewardError("bad_input", printable(message, 1_000), errorType === undefined ? {} : { errorType });
}

const maxDepth = 200;

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new PanewardError("bad_input", "the body is not JSON in UTF-8", { cause });
  }
}
