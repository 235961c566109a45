import type { Caller } from "../../runtime/calls.ts";
import type { Limits } from "../access/limits.ts";
import { uniqueQuery } from "../operations/input.ts";
import type { SocketRoute } from "../sockets/upgrades.ts";
import type { EventFeed } from "./event-feed.ts";
import { readPieces } from "./events-stream.ts";
import { parseStreamQuery } from "./stream-query.ts";

/**
 * The event stream as a WebSocket with the same text: a browser allows six HTTP/1 connections per host, and people open
 * more tabs than that. `gone`: the last connection of a viewer was lost, so nobody looks there any more.
 */
export function eventsSocket(
  feed: EventFeed,
  { heartbeatMs }: Pick<Limits, "heartbeatMs">,
  gone: (viewer: string, caller: Caller) => void,
): SocketRoute {
  const viewers = new Map<string, { connections: number; hasLostOne: boolean }>();
  const begin = (key: string) => {
    const connections = (viewers.get(key)?.connections ?? 0) + 1;
    viewers.set(key, { connections, hasLostOne: false });
  };
  /** Whether that was the last one of a viewer who has lost one since it connected: it may be noticed before others have ended. */
  const end = (key: string, isLost: boolean) => {
    const now = viewers.get(key);
    if (!now) return false;
    now.connections--;
    now.hasLostOne ||= isLost;
    if (now.connections > 0) return false;
    viewers.delete(key);
    return now.hasLostOne;
  };
  return {
    path: /^\/api\/events\/ws$/,
    async open(socket, { query, caller: callerNow }) {
      const names = [...new Set(query.keys())].filter((name) => name !== "viewer");
      const selection = parseStreamQuery(
        uniqueQuery(Object.fromEntries(names.map((name) => [name, query.getAll(name)]))),
      );
      const options = { ...selection, heartbeatMs };
      const [viewer = "", caller] = [query.get("viewer") ?? undefined, callerNow()];
      const key = `${caller.who} ${caller.door} ${viewer}`;
      begin(key);
      try {
        for await (const piece of readPieces(feed, options, socket.signal)) {
          if (!(await socket.send(piece))) return;
        }
      } finally {
        if (end(key, socket.isBroken()) && viewer !== "") gone(viewer, caller);
      }
    },
  };
}
