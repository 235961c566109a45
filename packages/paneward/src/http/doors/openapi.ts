import { errorTable, inQuery, type OperationName, operationNames, pathParameters } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { StreamQuery } from "../events/stream-query.ts";

/** The operation table as an OpenAPI 3.1 document. */
export function openApiDocument(version: string): object {
  const schemas: Fields = {};
  const paths: Record<string, Fields> = {};
  const rows = [...operationNames.map((name) => operationPath(name, schemas)), ...otherPaths(schemas)];
  for (const { path, method, ...described } of rows) paths[path] = { ...paths[path], [method]: described };
  return {
    openapi: "3.1.0",
    info: {
      title: "Paneward",
      version,
      description: "Runs coding agents and long tasks in tmux. The same routes on a Unix socket and on loopback.",
      license: { name: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } }, schemas },
    paths,
  };
}

type Fields = Record<string, unknown>;

/** One method of one path, as OpenAPI describes it. */
interface Described extends Fields {
  readonly path: string;
  readonly method: string;
}

const ErrorAnswer = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errorTable)),
      message: z.string(),
      hint: z.string().describe("What to do next"),
      retry: z.enum(["no", "later", "after_looking"]),
    }),
  })
  .meta({ id: "Error" });

const always = ["bad_input", "unauthorized", "not_allowed", "rate_limited", "unexpected"] as const;

function operationPath(name: OperationName, schemas: Fields): Described {
  const row = operations[name];
  return {
    method: row.method,
    path: row.path,
    operationId: name,
    summary: row.summary,
    "x-scope": row.scope,
    "x-doors": row.doors,
    ...requestParts(name, schemas),
    responses: { 200: { description: "Done", ...json(row.output, "output", schemas) }, ...failures(name, schemas) },
  };
}

/** Splits an input by where its fields are sent: in the path, the query or the body. */
function requestParts(name: OperationName, schemas: Fields): Fields {
  const row = operations[name];
  const inPath = new Set(pathParameters(row.path));
  const shape: z.core.$ZodShape = row.input.shape;
  const part = (isWanted: (key: string) => boolean) =>
    z.object(Object.fromEntries(Object.entries(shape).filter(([key]) => isWanted(key))));
  const params = parameters(
    "path",
    part((key) => inPath.has(key)),
    schemas,
  );
  const rest = part((key) => !inPath.has(key)).strict();
  if (inQuery(row)) return { parameters: [...params, ...parameters("query", rest, schemas)] };
  const required = !rest.safeParse({}).success;
  return { parameters: params, requestBody: { required, ...json(rest, "input", schemas) } };
}

// Parameters are sent as text, and described by the type that they are parsed to.
function parameters(where: "path" | "query" | "header", { shape }: z.ZodObject, schemas: Fields): readonly Fields[] {
  return Object.entries(shape).map(([name, field]) => {
    const { description, ...schema } = jsonSchema(field, "output", schemas);
    const required = !z.safeParse(field, undefined).success;
    return { name, in: where, required, ...(description === undefined ? {} : { description }), schema };
  });
}

function failures(name: OperationName, schemas: Fields): Fields {
  const { errors, method } = operations[name];
  const codes = new Set([...always, ...errors, ...(method === "post" ? (["too_large"] as const) : [])]);
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status);
  const answer = json(ErrorAnswer, "output", schemas);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [status, { description: same.join(", "), ...answer }]),
  );
}

function json(schema: z.ZodType, io: "input" | "output", schemas: Fields): Fields {
  return { content: { "application/json": { schema: jsonSchema(schema, io, schemas) } } };
}

/** A schema as JSON Schema. Those that have an id are put among `schemas`, and referred to. */
function jsonSchema(schema: z.core.$ZodType, io: "input" | "output", schemas: Fields): Fields {
  // zod never makes a reference to the outermost schema, even if it has an id.
  const whole = z.toJSONSchema(z.object({ schema }), { io, override: withoutPromise });
  const { $defs = {}, properties } = JSON.parse(
    JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/'),
  );
  Object.assign(schemas, $defs);
  return properties.schema;
}

// Outputs may get more fields later; only inputs refuse unknown ones.
function withoutPromise({ zodSchema, jsonSchema: made }: { zodSchema: z.core.$ZodTypes; jsonSchema: Fields }): void {
  const { def } = zodSchema._zod;
  if (def.type === "object" && !def.catchall) delete made.additionalProperties;
}

const text = (type: string) => ({ content: { [type]: { schema: { type: "string" } } } });

function otherPaths(schemas: Fields): readonly Described[] {
  const failed = { default: { description: "A failure", ...json(ErrorAnswer, "output", schemas) } };
  const resume = z.object({ "last-event-id": z.string().optional() });
  return [
    {
      method: "get",
      path: "/api/events/stream",
      operationId: "events_stream",
      summary: "Events as they happen; `Last-Event-ID` or `after` resumes",
      "x-scope": "read",
      parameters: [...parameters("query", StreamQuery, schemas), ...parameters("header", resume, schemas)],
      responses: { 200: { description: "Server-sent events", ...text("text/event-stream") }, ...failed },
    },
    {
      method: "get",
      path: "/healthz",
      operationId: "healthz",
      summary: "Is the daemon there; needs no token",
      security: [],
      responses: {
        200: {
          description: "It is",
          ...json(z.object({ status: z.literal("ok"), version: z.string() }), "output", schemas),
        },
        ...failed,
      },
    },
    {
      method: "get",
      path: "/metrics",
      operationId: "metrics",
      summary: "Numbers for Prometheus",
      "x-scope": "read",
      responses: { 200: { description: "Numbers", ...text("text/plain") }, ...failed },
    },
  ];
}
