import { errorFromBody, PanewardError } from "./errors.ts";
import type { PanewardEvent } from "./events.ts";
import type { Input, Output } from "./operations.ts";
import { inQuery, type OperationName, operationNames, pathParameters, type Route, routes } from "./routes.ts";
import { parseServerSentEvents } from "./sse.ts";

/** How a request reaches the daemon: `fetch` in a browser, a Unix socket in Node. */
export interface ClientTransport {
  request(
    method: string,
    path: string,
    body?: string,
    signal?: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }>;
  /** The body of a long response, chunk by chunk. Ends with the connection. */
  stream(
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly chunks: AsyncIterable<string> }>;
  /** Calls an operation by name, if the transport has a shortcut for that. */
  readonly call?: (name: OperationName, input: Fields, signal?: AbortSignal) => Promise<unknown>;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface CallOptions {
  /** Cancels the request; a pending wait then ends in the daemon too. */
  readonly signal?: AbortSignal;
}

export type Client = {
  readonly [Name in OperationName]: (input: Input<Name>, options?: CallOptions) => Promise<Output<Name>>;
} & {
  /**
   * All events after a number, forever: reconnects by itself and resumes. Throws only errors that a retry cannot fix,
   * such as a refused token.
   */
  readonly follow: (options?: FollowOptions) => AsyncGenerator<FollowedEvent>;
};

export type FollowedEvent = PanewardEvent | { readonly type: "gap"; readonly after: number; readonly before: number };

export interface FollowOptions {
  readonly after?: number;
  readonly types?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onConnection?: (connected: boolean, reason?: string) => void;
}

export function createClient(transport: ClientTransport): Client {
  const shorter = transport.call;
  const calls = operationNames.map((name) => [
    name,
    (input: Fields = {}, { signal }: CallOptions = {}) =>
      shorter ? shorter(name, input, signal) : request(transport, name, input, signal),
  ]);
  return { ...Object.fromEntries(calls), follow: (options = {}) => follow(transport, options) } as Client;
}

/** The request for an operation with this input. */
export function requestOf(
  route: Pick<Route, "method" | "path">,
  input: Fields,
): { readonly method: string; readonly path: string; readonly body?: string } {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = pathParameters(route.path).reduce((so_far, name) => {
    const value = String(rest.get(name) ?? "");
    rest.delete(name);
    return so_far.replace(`{${name}}`, encodeURIComponent(value));
  }, route.path as string);
  const method = route.method.toUpperCase();
  if (!inQuery(route)) return { method, path, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString();
  return { method, path: query === "" ? path : `${path}?${query}` };
}

/** Calls an operation by its route. */
export async function request(
  transport: Pick<ClientTransport, "request">,
  name: OperationName,
  input: Fields,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { method, path, body } = requestOf(routes[name], input);
  const { status, text } = await transport.request(method, path, body, signal);
  const answer = parsed(text);
  if (status >= 400) throw errorFromBody(answer, status);
  return answer;
}

async function* follow(transport: ClientTransport, options: FollowOptions): AsyncGenerator<FollowedEvent> {
  const signal = options.signal ?? new AbortController().signal;
  let after = options.after;
  for (let pause = firstPauseMs; !signal.aborted; pause = Math.min(pause * 2, maxPauseMs)) {
    try {
      const { status, chunks } = await transport.stream(streamPath(after, options.types), signal);
      if (status !== 200) throw errorFromBody(parsed(await whole(chunks)), status);
      options.onConnection?.(true);
      for await (const { id, event, data } of parseServerSentEvents(chunks)) {
        pause = firstPauseMs;
        if (id !== undefined) after = Number(id);
        if (event === "heartbeat") continue;
        yield JSON.parse(data) as FollowedEvent;
      }
      options.onConnection?.(false, "the connection ended");
    } catch (error) {
      options.onConnection?.(false, (error as Error).message);
      if (error instanceof PanewardError && error.row.retry === "no") throw error;
    }
    await rest(pause, signal);
  }
}

const firstPauseMs = 100;
const maxPauseMs = 5_000;

function streamPath(after: number | undefined, types: readonly string[] | undefined): string {
  const query = new URLSearchParams();
  if (after !== undefined) query.set("after", String(after));
  if (types && types.length > 0) query.set("types", types.join(","));
  return `/api/events/stream?${query}`;
}

async function whole(chunks: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
