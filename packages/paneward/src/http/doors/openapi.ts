import { OpenAPIHono } from "@hono/zod-openapi";
import { errorTable, inQuery, type OperationName, operationNames, pathParameters } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { StreamQuery } from "../events/events-route.ts";

/** The operation table as an OpenAPI 3.1 document. */
export function openApiDocument(version: string): object {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer" });
  for (const name of operationNames) registry.registerPath(operationPath(name));
  for (const path of otherPaths) registry.registerPath(path);
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Paneward",
      version,
      description: "Runs coding agents and long tasks in tmux. The same routes on a Unix socket and on loopback.",
      license: { name: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
  });
}

type PathConfig = Parameters<OpenAPIHono["openAPIRegistry"]["registerPath"]>[0];

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

function operationPath(name: OperationName): PathConfig {
  const row = operations[name];
  return {
    method: row.method,
    path: row.path,
    operationId: name,
    summary: row.summary,
    "x-scope": row.scope,
    "x-doors": row.doors,
    request: requestParts(name),
    responses: { 200: { description: "Done", ...json(row.output) }, ...failures(name) },
  };
}

/** The one input object is split by where its keys travel: in the path, else the query, else the body. */
function requestParts(name: OperationName): NonNullable<PathConfig["request"]> {
  const row = operations[name];
  const inPath = new Set(pathParameters(row.path));
  const shape: z.core.$ZodShape = row.input.shape;
  const part = (isWanted: (key: string) => boolean) =>
    z.object(Object.fromEntries(Object.entries(shape).filter(([key]) => isWanted(key))));
  const params = part((key) => inPath.has(key));
  const rest = part((key) => !inPath.has(key)).strict();
  if (inQuery(row)) return { params, query: rest };
  const required = !rest.safeParse({}).success;
  return { params, body: { required, ...json(rest) } };
}

function failures(name: OperationName): PathConfig["responses"] {
  const { errors, method } = operations[name];
  const codes = new Set([...always, ...errors, ...(method === "post" ? (["too_large"] as const) : [])]);
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [status, { description: same.join(", "), ...json(ErrorAnswer) }]),
  );
}

function json(schema: z.ZodType): { content: { "application/json": { schema: z.ZodType } } } {
  return { content: { "application/json": { schema } } };
}

const failed = { default: { description: "A failure", ...json(ErrorAnswer) } };
const text = (type: string) => ({ content: { [type]: { schema: z.string() } } });

const otherPaths: readonly PathConfig[] = [
  {
    method: "get",
    path: "/api/events/stream",
    operationId: "events_stream",
    summary: "Events as they happen; `Last-Event-ID` or `after` resumes",
    "x-scope": "read",
    request: { query: StreamQuery, headers: z.object({ "last-event-id": z.string().optional() }) },
    responses: { 200: { description: "Server-sent events", ...text("text/event-stream") }, ...failed },
  },
  {
    method: "get",
    path: "/healthz",
    operationId: "healthz",
    summary: "Is the daemon there; needs no token",
    security: [],
    responses: {
      200: { description: "It is", ...json(z.object({ status: z.literal("ok"), version: z.string() })) },
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
