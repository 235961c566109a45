import type { Agent, ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import type { ClientTransport } from "../client.ts";
import { PanewardError } from "../errors.ts";
import { askedUnder, fingerprintIn } from "../identity.ts";
import { requestTransport } from "./unix.ts";

/**
 * Reaches the daemon over HTTP with a token. On every new connection the daemon first proves that it has the key which
 * the token names; another program at that address gets neither the token nor a request. Also with https: the certificate
 * proves which proxy answers, and not what is behind it.
 */
export function httpTransport(
  url: string,
  token: string | undefined,
  onVersion?: (version: string) => void,
): ClientTransport & { close(): void } {
  const given = URL.parse(url);
  if (!given)
    throw new PanewardError("bad_input", `${url} is not an address`, { hint: "such as http://127.0.0.1:7420" });
  const address = listenerAddress(given);
  const { hostname, port, protocol } = address;
  const agent = provingAgent(address, token);
  const transport = requestTransport({
    target: { protocol, host: hostname.replace(/^\[(.*)\]$/, "$1"), port: port || agent.defaultPort, agent },
    headers: { authorization: `Bearer ${token}` },
    onVersion,
    failed: (cause) => failureAt(url, cause),
  });
  return { ...transport, close: () => agent.destroy() };
}

/**
 * A daemon listens on 127.0.0.1 and proves itself under that name only. `localhost` may also lead to ::1, where any user
 * of the machine can listen on the same port, so it is not asked what it means.
 */
export function listenerAddress(url: URL): URL {
  if (url.protocol !== "http:" || !/^localhost\.?$/.test(url.hostname)) return url;
  const address = new URL(url);
  address.hostname = "127.0.0.1";
  return address;
}

/** For Node's own `request`: every connection to this address begins with the daemon's proof. */
export function provingAgent(address: URL, token: string | undefined): ProvingAgent {
  const isSecure = address.protocol === "https:";
  // Loaded for those who use it: TLS takes as long to load as a short command.
  const { Agent: Plain } = process.getBuiltinModule(isSecure ? "node:https" : "node:http");
  const prove = async (socket: Duplex) => {
    const fingerprint = fingerprintOf(token);
    const { provenBy } = await import("./prove.ts");
    await provenBy(socket, { host: address.host, under: askedUnder(address) }, fingerprint);
  };
  const agent = new (proving(Plain, isSecure ? "secureConnect" : "connect", prove))({ keepAlive: true });
  return agent as ProvingAgent;
}

/** Node's types leave out the port that an agent uses by itself. */
type ProvingAgent = Agent & { readonly defaultPort: number };

function fingerprintOf(token: string | undefined): string {
  const fingerprint = fingerprintIn(token ?? "");
  if (fingerprint !== undefined) return fingerprint;
  const message = token === undefined ? "this needs a token" : "this is not a token; it does not name a daemon's key";
  throw new PanewardError("unauthorized", message, { hint: "create one: `paneward token create --scope read`" });
}

/** Hands a connection over only when the other side has proved itself on it. */
function proving(Plain: typeof Agent, connected: string, prove: (socket: Duplex) => Promise<void>): typeof Agent {
  return class extends Plain {
    override createConnection(
      options: ClientRequestArgs,
      done?: (error: Error | null, socket: Duplex) => void,
    ): Duplex | null | undefined {
      const socket = super.createConnection(options) as Duplex;
      const fail = (cause: Error) => {
        socket.destroy();
        done?.(cause, socket);
      };
      socket.once("error", fail);
      socket.once(connected, async () => {
        try {
          await prove(socket);
          socket.off("error", fail);
          done?.(null, socket);
        } catch (cause) {
          socket.off("error", fail).on("error", () => {});
          fail(cause as Error);
        }
      });
      return undefined;
    }
  };
}

function failureAt(url: string, cause: Error): PanewardError {
  if (cause instanceof PanewardError) return cause;
  const code = (cause as NodeJS.ErrnoException).code ?? "";
  if (notSentCodes.has(code)) {
    const hint = "check PANEWARD_URL and PANEWARD_TOKEN, or unset both to use the socket";
    return new PanewardError("unavailable", `no daemon answers at ${url}: ${cause.message || code}`, { hint, cause });
  }
  return new PanewardError("outcome_unknown", `the connection to ${url} broke: ${cause.message}`, { cause });
}

const notSentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
