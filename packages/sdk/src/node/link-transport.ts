import type { Socket } from "node:net";
import { request as byRoute, type ClientTransport, type Fields } from "../client.ts";
import { directHeaders } from "../direct.ts";
import type { PanewardError } from "../errors.ts";
import { type OperationName, routes } from "../routes.ts";
import type { Link } from "./link.ts";
import { checkSocket, notReached, unixTransport } from "./unix.ts";

/**
 * Reaches the daemon over its Unix socket like `unixTransport`, but with one connection for all calls: for long-running
 * programs that call often. The first call opens it; so does the first call after the daemon restarted.
 */
export function linkTransport(
  socketPath: string,
  door: string,
  onVersion?: (version: string) => void,
): ClientTransport & { close(): void } {
  const plain = unixTransport(socketPath, door, onVersion);
  let link: Promise<Link | undefined> | undefined;

  const open = async (): Promise<Link | undefined> => {
    // A command that makes one call does not need it.
    const { openLink } = await import("./link.ts");
    const { request } = process.getBuiltinModule("node:http");
    return new Promise((resolve, reject) => {
      checkSocket(socketPath);
      const connection = `Upgrade, ${directHeaders.connection}`;
      const headers = { ...directHeaders, connection, upgrade: "paneward-calls", "x-paneward-door": door };
      const outgoing = request({ socketPath, path: "/api/calls", headers, agent: false });
      const forget = () => {
        link = undefined;
      };
      outgoing.on("upgrade", (answer, socket: Socket) => {
        const version = answer.headers["x-paneward-version"];
        if (typeof version === "string") onVersion?.(version);
        socket.once("close", forget);
        resolve(openLink(socket));
      });
      // A daemon of an earlier version has no links; every call also has a route.
      outgoing.on("response", (answer) => {
        answer.resume();
        resolve(undefined);
      });
      outgoing.on("error", (cause) => {
        forget();
        reject(notReached(socketPath, cause));
      });
      outgoing.end();
    });
  };

  const call = async (
    name: OperationName,
    input: Fields,
    signal: AbortSignal | undefined,
    isFirst = true,
  ): Promise<unknown> => {
    link ??= open();
    const opened = await link;
    if (!opened) return byRoute(plain, name, input, signal);
    try {
      return await opened.call(name, input, signal);
    } catch (error) {
      // Repeating a read is safe. For everything else the caller must check whether it took effect.
      const isLost = !opened.isOpen && !signal?.aborted;
      if (!isLost || !isFirst || routes[name].method !== "get") throw error;
      return call(name, input, signal, false).catch((again: PanewardError) => {
        // The call was cut off, whatever is there now.
        throw again.code === "unavailable" ? error : again;
      });
    }
  };

  return {
    ...plain,
    call: (name, input, signal) => call(name, input, signal),
    close() {
      plain.close();
      void link?.then((opened) => opened?.close()).catch(() => {});
    },
  };
}
