import type { Limits } from "../access/limits.ts";
import { uniqueQuery } from "../operations/input.ts";
import type { SocketRoute } from "../sockets/upgrades.ts";
import type { EventFeed } from "./event-feed.ts";
import { readPieces } from "./events-stream.ts";
import { parseStreamQuery } from "./stream-query.ts";

/**
 * The event stream as a WebSocket with the same text: a browser allows six HTTP/1 connections per host, and people open
 * more tabs than that.
 */
export function eventsSocket(feed: EventFeed, { heartbeatMs }: Pick<Limits, "heartbeatMs">): SocketRoute {
  return {
    path: /^\/api\/events\/ws$/,
    async open(socket, { query }) {
      const names = [...new Set(query.keys())];
      const selection = parseStreamQuery(
        uniqueQuery(Object.fromEntries(names.map((name) => [name, query.getAll(name)]))),
      );
      const options = { ...selection, heartbeatMs };
      for await (const piece of readPieces(feed, options, socket.signal)) {
        if (!(await socket.send(piece))) return;
      }
    },
  };
}
