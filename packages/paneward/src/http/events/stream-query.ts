import { eventTypes } from "@paneward/sdk/reference";
import { z } from "zod";
import { badInput } from "../operations/body.ts";
import { describeInputErrors } from "../operations/input-errors.ts";

/** The query of an event stream, over HTTP and over a WebSocket. */
export const StreamQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/, "a number is wanted")
    .optional(),
  shape: z
    .literal("flat")
    .optional()
    .describe("`flat`: the fields of an event beside its type, as the older dashboard reads them"),
  types: z.string().max(2_000).optional().describe("Types of events, separated by commas"),
});

/** Where a stream begins, and what it sends. */
export interface StreamSelection {
  /** The number of the last event that the client has; undefined begins with the next one. */
  readonly after: number | undefined;
  /** Undefined selects every type. */
  readonly types: ReadonlySet<string> | undefined;
  /** The fields of an event beside its type. */
  readonly isFlat: boolean;
}

export function parseStreamQuery(query: Readonly<Record<string, string>>, lastEventId?: string): StreamSelection {
  // A browser that reconnects sends Last-Event-ID, which is newer than the address it began with.
  const parsed = StreamQuery.safeParse({ ...query, ...(lastEventId === undefined ? {} : { after: lastEventId }) });
  if (!parsed.success) throw badInput(describeInputErrors(parsed.error));
  const { after, types, shape } = parsed.data;
  const wanted = types?.split(",").filter((type) => type !== "");
  const unknown = wanted?.find((type) => !eventTypes.some((known) => known === type));
  if (unknown !== undefined) throw badInput(`there is no event type ${unknown}; there are ${eventTypes.join(", ")}`);
  return {
    after: after === undefined ? undefined : Number(after),
    types: wanted && wanted.length > 0 ? new Set(wanted) : undefined,
    isFlat: shape === "flat",
  };
}
