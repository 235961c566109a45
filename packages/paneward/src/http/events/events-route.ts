import { allows, PanewardError } from "@paneward/sdk";
import type { Limits } from "../access/limits.ts";
import type { HttpContext } from "../env.ts";
import { uniqueQuery } from "../operations/input.ts";
import type { EventFeed } from "./event-feed.ts";
import { eventStream } from "./events-stream.ts";
import { parseStreamQuery } from "./stream-query.ts";

export interface EventsRouteOptions {
  readonly feed: EventFeed;
  readonly limits: Pick<Limits, "heartbeatMs" | "blockedMs">;
  readonly onClients: (difference: 1 | -1) => void;
}

/** GET /api/events/stream: the event log as server-sent events. */
export function eventsRoute(options: EventsRouteOptions): (c: HttpContext) => Response {
  const { feed, limits, onClients } = options;
  return (c) => {
    if (!allows(c.get("caller").scope, "read")) throw new PanewardError("not_allowed", "events need the scope read");
    if (feed.closing.aborted) throw new PanewardError("unavailable", "the daemon is stopping");
    const cut = () => c.env.outgoing?.destroy();
    const stream = eventStream(feed, {
      ...parseStreamQuery(uniqueQuery(c.req.queries()), c.req.header("last-event-id")),
      heartbeatMs: limits.heartbeatMs,
      blockedMs: limits.blockedMs,
      cut,
      onOpen: () => onClients(1),
      onClose: () => onClients(-1),
    });
    return c.body(stream, 200, { "content-type": "text/event-stream" });
  };
}
