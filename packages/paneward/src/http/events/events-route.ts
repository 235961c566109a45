import { allows, eventTypes, PanewardError } from "@paneward/sdk";
import { z } from "zod";
import type { Limits } from "../access/limits.ts";
import type { OpenConnections } from "../access/open-connections.ts";
import type { HttpContext } from "../env.ts";
import { badInput, queryOf } from "../operations/input.ts";
import { wrongInputWords } from "../operations/wrong-input.ts";
import type { EventFeed } from "./event-feed.ts";
import { eventStream } from "./events-stream.ts";

export interface EventsRouteOptions {
  readonly feed: EventFeed;
  readonly limits: Pick<Limits, "heartbeatMs" | "blockedMs">;
  readonly onClients: (difference: 1 | -1) => void;
  readonly visits: OpenConnections;
  /** Whether whoever sent this would be let in now. */
  readonly isAllowed: (c: HttpContext) => boolean;
}

/** GET /api/events/stream: the event log as server-sent events. */
export function eventsRoute(options: EventsRouteOptions): (c: HttpContext) => Response {
  const { feed, limits, onClients, visits } = options;
  return (c) => {
    if (!allows(c.get("caller").scope, "read")) throw new PanewardError("not_allowed", "events need the scope read");
    if (feed.closing.aborted) throw new PanewardError("unavailable", "the daemon is stopping");
    const cut = () => c.env.outgoing?.destroy();
    let left = () => {};
    const stream = eventStream(feed, {
      ...streamQuery(c),
      heartbeatMs: limits.heartbeatMs,
      blockedMs: limits.blockedMs,
      cut,
      onOpen() {
        onClients(1);
        left = visits.begin({ isAllowed: () => options.isAllowed(c), end: cut });
      },
      onClose() {
        onClients(-1);
        left();
      },
    });
    return c.body(stream, 200, { "content-type": "text/event-stream" });
  };
}

export const StreamQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/, "a number is wanted")
    .optional(),
  types: z.string().max(2_000).optional().describe("Types of events, separated by commas"),
});

function streamQuery(c: HttpContext): { readonly after: number | undefined; readonly types: Set<string> | undefined } {
  // What a browser sends when it connects again is newer than the address it began with.
  const lastSeen = c.req.header("last-event-id");
  const parsed = StreamQuery.safeParse({ ...queryOf(c), ...(lastSeen === undefined ? {} : { after: lastSeen }) });
  if (!parsed.success) throw badInput(wrongInputWords(parsed.error));
  const { after, types } = parsed.data;
  const wanted = types?.split(",").filter((type) => type !== "");
  const unknown = wanted?.find((type) => !eventTypes.some((known) => known === type));
  if (unknown !== undefined) throw badInput(`there is no event type ${unknown}; there are ${eventTypes.join(", ")}`);
  return {
    after: after === undefined ? undefined : Number(after),
    types: wanted && wanted.length > 0 ? new Set(wanted) : undefined,
  };
}
