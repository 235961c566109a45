import type { Limits } from "../access/limits.ts";
import type { SocketRoute } from "../sockets/upgrades.ts";
import type { EventFeed } from "./event-feed.ts";
import { readPieces } from "./events-stream.ts";

/**
 * The event stream again, as a WebSocket with the same text: a browser has six connections per host for streams of
 * HTTP/1, and people open more tabs than that.
 */
export function eventsSocket(feed: EventFeed, { heartbeatMs }: Pick<Limits, "heartbeatMs">): SocketRoute {
  return {
    path: /^\/api\/events\/ws$/,
    async open(socket, { query }) {
      const after = /^\d{1,15}$/.exec(query.get("after") ?? "")?.[0];
      const options = { after: after === undefined ? undefined : Number(after), types: typesIn(query), heartbeatMs };
      for await (const piece of readPieces(feed, options, socket.signal)) {
        if (!(await socket.send(piece))) return;
      }
    },
  };
}

function typesIn(query: URLSearchParams): ReadonlySet<string> | undefined {
  const types = (query.get("types") ?? "").split(",").filter((type) => type !== "");
  return types.length > 0 ? new Set(types) : undefined;
}
