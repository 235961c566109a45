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
  const open = new Map<string, number>();
  const count = (key: string, by: number) => {
    const now = (open.get(key) ?? 0) + by;
    if (now > 0) open.set(key, now);
    else open.delete(key);
    return now;
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
      count(key, 1);
      try {
        for await (const piece of readPieces(feed, options, socket.signal)) {
          if (!(await socket.send(piece))) return;
        }
      } finally {
        if (count(key, -1) === 0 && viewer !== "" && socket.isBroken()) gone(viewer, caller);
      }
    },
  };
}
