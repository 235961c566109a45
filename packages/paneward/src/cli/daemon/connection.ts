import type { Places } from "@paneward/sdk";
import { type Client, type ClientTransport, createClient, type Door, PanewardError } from "@paneward/sdk";
import { linkTransport, unixTransport } from "@paneward/sdk/node";
import type { Progress } from "../look/progress.ts";
import type { Whereabouts } from "./whereabouts.ts";

/** The way to the daemon. Nothing is opened before the first request. */
export interface Connection {
  readonly places: Places;
  /** Where the daemon is, for people: its socket or its address. */
  readonly address: string;
  readonly isLocal: boolean;
  /** Whether the daemon is on this machine, so that tmux here reaches its terminals. An address alone does not tell. */
  readonly isHere: () => Promise<boolean>;
  /** Starts the daemon when nobody listens on its socket. */
  readonly client: Client;
  /** Never starts one: for commands that must not wake what somebody stopped. */
  readonly running: Client;
  /** How many seconds one request may wait for its answer. */
  readonly longestWait: number;
  close(): void;
}

interface ConnectionOptions {
  /** The way in that the daemon's audit names. */
  readonly door: Door;
  readonly env: NodeJS.ProcessEnv;
  readonly progress: Progress;
  readonly onVersion: (version: string) => void;
}

export async function openConnection(where: Whereabouts, options: ConnectionOptions): Promise<Connection> {
  const { places, http } = where;
  const { progress } = options;
  if (http) {
    const { httpTransport } = await import("./http.ts");
    const client = createClient(shown(httpTransport(http.url, http.token), progress));
    // fetch gives up when no answer has begun after 300 seconds.
    return {
      places,
      address: http.url,
      isLocal: false,
      isHere: () => isSameDaemon(client, places.socket),
      client,
      running: client,
      longestWait: 240,
      close: () => {},
    };
  }
  // A model's client calls often and much at once; a command asks once and ends.
  const open = options.door === "mcp" ? linkTransport : unixTransport;
  const transport = open(places.socket, options.door, options.onVersion);
  const start = async () => {
    const { startDaemon } = await import("./autostart.ts");
    progress.say("starting the daemon");
    await startDaemon(places, options.env);
  };
  return {
    places,
    address: places.socket,
    isLocal: true,
    isHere: async () => true,
    client: createClient(
      shown(options.env.PANEWARD_NO_AUTOSTART === "1" ? transport : waking(transport, start), progress),
    ),
    running: createClient(shown(transport, progress)),
    longestWait: 3_600,
    close: transport.close,
  };
}

/** A forwarded port looks local too; only the daemon that also answers on the socket is the one on this machine. */
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

/** Whether a failure means that no daemon is there at all. */
export function isNotThere(error: unknown): boolean {
  if (!(error instanceof PanewardError) || error.code !== "unavailable") return false;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ECONNREFUSED";
}

/** Asks first and starts the daemon only when that fails: a running one costs no extra round trip. */
function waking(inner: ClientTransport, start: () => Promise<void>): ClientTransport {
  return around(inner, async (ask) => {
    try {
      return await ask();
    } catch (error) {
      if (!isNotThere(error)) throw error;
      await start();
      return ask();
    }
  });
}

function shown(inner: ClientTransport, progress: Progress): ClientTransport {
  return around(inner, (ask) => progress.during(ask));
}

/** The same way to the daemon, with something done around whatever is asked. */
function around(
  { call, ...inner }: ClientTransport,
  work: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>,
): ClientTransport {
  return {
    ...inner,
    request: (...asked) => work(() => inner.request(...asked)),
    ...(call ? { call: (...asked) => work(() => call(...asked)) } : {}),
  };
}
