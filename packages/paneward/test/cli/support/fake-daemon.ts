import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inQuery, type OperationName, type Output, PanewardError, pathParameters, routes } from "@paneward/sdk";
import { environmentIn } from "../../support/daemon.ts";
import { afterwards, type Cleanup } from "../../support/folder.ts";
import { fakeAnswers } from "./fake-answers.ts";

type Input = Readonly<Record<string, unknown>>;
export type Answers = { readonly [Name in OperationName]?: (input: Input) => Output<Name> | Promise<Output<Name>> };

/** A daemon that answers from a table and records each request. */
export interface FakeDaemon {
  readonly folder: string;
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  /** PATH and such, as they were given with a request for a program. They are not among the inputs. */
  readonly variables: unknown[];
  readonly asked: { readonly operation: OperationName; readonly input: Input }[];
  /** Open event streams. */
  readonly followers: ReadonlySet<ServerResponse>;
  emit(event: { readonly seq: number; readonly type: string; readonly data: object }): void;
}

export async function fakeDaemon(t: Cleanup, answers: Answers = {}, version = "0.1.0"): Promise<FakeDaemon> {
  const folder = mkdtempSync(join(tmpdir(), "pw-cli-"));
  const env = { ...environmentIn(folder), PANEWARD_NO_AUTOSTART: "1" };
  const socket = join(folder, "run", "daemon.sock");
  const followers = new Set<ServerResponse>();
  const asked: FakeDaemon["asked"] = [];
  const variables: unknown[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader("x-paneward-version", version);
    if (request.url?.startsWith("/api/events/stream")) return follow(request, response, followers);
    await answer(request, response, answers, { asked, variables });
  });
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  server.listen(socket);
  await once(server, "listening");
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const emit: FakeDaemon["emit"] = (event) => {
    const data = JSON.stringify({ at: 1_700_000_000_000, ...event });
    for (const follower of followers) follower.write(`id: ${event.seq}\nevent: ${event.type}\ndata: ${data}\n\n`);
  };
  return { folder, socket, env, asked, variables, followers, emit };
}

function follow(request: IncomingMessage, response: ServerResponse, followers: Set<ServerResponse>): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("event: heartbeat\ndata: {}\n\n");
  followers.add(response);
  request.on("close", () => followers.delete(response));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  answers: Answers,
  { asked, variables }: Pick<FakeDaemon, "asked" | "variables">,
): Promise<void> {
  try {
    const { operation, input: whole } = await parseRequest(request);
    const { variables: given, ...input } = whole;
    if (given !== undefined) variables.push(given);
    asked.push({ operation, input });
    const own = answers[operation] as ((input: Input) => unknown) | undefined;
    const output = own ? await own(input) : fakeAnswers[operation];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(output));
  } catch (cause) {
    const error = cause instanceof PanewardError ? cause : new PanewardError("unexpected", String(cause));
    response.writeHead(error.row.status, { "content-type": "application/json" }).end(JSON.stringify(error.toBody()));
  }
}

async function parseRequest(request: IncomingMessage): Promise<FakeDaemon["asked"][number]> {
  const url = new URL(request.url ?? "", "http://fake");
  for (const [name, route] of Object.entries(routes)) {
    const pattern = new RegExp(`^${route.path.replace(/\{\w+\}/g, "([^/]+)")}$`);
    const match = pattern.exec(url.pathname);
    if (!match || request.method !== route.method.toUpperCase()) continue;
    const inPath = pathParameters(route.path).map((key, at) => [key, decodeURIComponent(match[at + 1] ?? "")]);
    const rest = inQuery(route) ? Object.fromEntries(url.searchParams) : JSON.parse((await text(request)) || "{}");
    return { operation: name as OperationName, input: { ...rest, ...Object.fromEntries(inPath) } };
  }
  throw new PanewardError("not_found", `no route ${request.method} ${url.pathname}`);
}

async function text(request: IncomingMessage): Promise<string> {
  let whole = "";
  request.setEncoding("utf8");
  for await (const chunk of request) whole += chunk;
  return whole;
}
