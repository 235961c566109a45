import type { Places } from "@paneward/sdk";
import {
  type CallOptions,
  type Client,
  type ClientTransport,
  createClient,
  type Door,
  PanewardError,
  shellVariables,
} from "@paneward/sdk";
import { linkTransport, unixTransport } from "@paneward/sdk/node";
import type { Progress } from "../look/progress.ts";
import type { DaemonLocation } from "./locate.ts";
import { outlasting } from "./outlast.ts";
import { sayingSilence } from "./silence.ts";

/** How to reach the daemon. Nothing is opened before the first request. */
export interface Connection {
  readonly places: Places;
  /** The daemon's socket or URL, for messages. */
  readonly address: string;
  readonly isLocal: boolean;
  /** Whether the daemon runs on this machine, so that a local tmux can attach. The URL alone does not show that. */
  readonly isHere: () => Promise<boolean>;
  /** Starts the daemon if nothing listens on its socket. */
  readonly client: Client;
  /** Never starts the daemon: for commands that must not restart one the user stopped. */
  readonly running: Client;
  /** How long one request may wait for its response. */
  readonly maxWaitSeconds: number;
  close(): void;
}

interface ConnectionOptions {
  /** The door that the daemon writes to its audit. */
  readonly door: Door;
  readonly env: NodeJS.ProcessEnv;
  readonly progress: Progress;
  readonly note: (text: string) => void;
  readonly onVersion: (version: string) => void;
}

export async function openConnection(where: DaemonLocation, options: ConnectionOptions): Promise<Connection> {
  const { places, http } = where;
  const { progress, note } = options;
  if (http) {
    const { httpTransport } = await import("@paneward/sdk/node/http");
    const transport = httpTransport(http.url, http.token);
    const client = createClient(withProgress(transport, progress));
    const heard = sayingSilence({ ping: (signal) => client.ping({}, { signal }), note, pid: () => undefined });
    // What is between here and there may give up on a request that is not answered for minutes; a proxy after one.
    return {
      places,
      address: http.url,
      isLocal: false,
      isHere: () => isSameDaemon(client, places.socket),
      client: heard(outlasting({ client, running: client })),
      running: heard(client),
      maxWaitSeconds: http.url.startsWith("https:") ? 50 : 240,
      close: transport.close,
    };
  }
  // An MCP client makes many calls in parallel; a command makes one and exits.
  const open = options.door === "mcp" ? linkTransport : unixTransport;
  const transport = open(places.socket, options.door, options.onVersion);
  const start = async () => {
    const { startDaemon } = await import("./autostart.ts");
    progress.say("starting the daemon");
    await startDaemon(places, options.env);
  };
  const running = createClient(withProgress(transport, progress));
  const starting =
    options.env.PANEWARD_NO_AUTOSTART === "1"
      ? running
      : createClient(withProgress(autostarting(transport, start), progress));
  const ping = (signal: AbortSignal) => createClient(transport).ping({}, { signal });
  const heard = sayingSilence({ ping, note, pid: () => holderOf(places.socket) });
  return {
    places,
    address: places.socket,
    isLocal: true,
    isHere: async () => true,
    client: heard(ofThisShell(outlasting({ client: starting, running }), options.env)),
    running: heard(running),
    maxWaitSeconds: 3_600,
    close: transport.close,
  };
}

/** What is started from this shell gets its PATH, whatever shell the daemon or tmux was started from. */
function ofThisShell(client: Client, env: NodeJS.ProcessEnv): Client {
  const variables = shellVariables(env);
  const withThem = startingCalls.map((name) => [
    name,
    (input: object, options?: CallOptions) => client[name]({ variables, ...input } as never, options),
  ]);
  return { ...client, ...Object.fromEntries(withThem) };
}

const startingCalls = ["new", "start", "run", "restart", "restore", "attach", "reset", "bootstrap"] as const;

/** The daemon writes its process beside the lock of its socket. */
function holderOf(socket: string): string | undefined {
  try {
    // As in version.ts.
    const { readFileSync } = process.getBuiltinModule("node:fs");
    return /^[1-9]\d{0,9}$/.exec(readFileSync(`${socket}.lock.pid`, "utf8").trim())?.[0];
  } catch {
    return undefined;
  }
}

/** A forwarded port looks local too, so compare with the daemon behind the local socket. */
async function isSameDaemon(client: Client, socket: string): Promise<boolean> {
  const transport = unixTransport(socket, "client");
  try {
    const [there, here] = await Promise.all([client.ping({}), createClient(transport).ping({})]);
    return there.pid === here.pid && there.startedAt === here.startedAt;
  } catch {
    return false;
  } finally {
    transport.close();
  }
}

/** Whether an error means that no daemon is running. */
export function isNotRunning(error: unknown): boolean {
  if (!(error instanceof PanewardError) || error.code !== "unavailable") return false;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  // With a file in the way no daemon can listen; what starts one says so, and names another place.
  return code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR";
}

/** Starts the daemon only after a request failed: with a running one this costs no extra round trip. */
function autostarting(inner: ClientTransport, start: () => Promise<void>): ClientTransport {
  return wrapRequests(inner, async (ask) => {
    try {
      return await ask();
    } catch (error) {
      if (!isNotRunning(error)) throw error;
      await start();
      return ask();
    }
  });
}

function withProgress(inner: ClientTransport, progress: Progress): ClientTransport {
  return wrapRequests(inner, (ask) => progress.during(ask));
}

/** The same transport with `work` around every request. */
function wrapRequests(
  { call, ...inner }: ClientTransport,
  work: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>,
): ClientTransport {
  return {
    ...inner,
    request: (...asked) => work(() => inner.request(...asked)),
    ...(call ? { call: (...asked) => work(() => call(...asked)) } : {}),
  };
}
