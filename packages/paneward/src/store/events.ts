import type { EventType, PanewardEvent } from "@paneward/sdk";
import type { Database } from "./database.ts";

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly type: EventType;
  readonly data: string;
}

// The newest number comes from the counter, not the table: trimming all events must not restart the numbering.
export function eventRange(database: Database): { readonly oldest: number; readonly newest: number } {
  const newest = database.get<{ value: number }>("SELECT value FROM counters WHERE name = 'event'")?.value ?? 0;
  const oldest = database.get<{ seq: number | null }>("SELECT min(seq) AS seq FROM events")?.seq ?? newest + 1;
  return { oldest, newest };
}

/** Pages end with the event that makes them longer than this many characters. */
const maxPage = 4_000_000;
const atOnce = 64;

export function readEvents(database: Database, after: number, limit: number): readonly PanewardEvent[] {
  const found: PanewardEvent[] = [];
  let characters = 0;
  let last = after;
  while (found.length < limit && characters < maxPage) {
    const wanted = Math.min(atOnce, limit - found.length);
    const sql = "SELECT seq, at, type, data FROM events WHERE seq > ? ORDER BY seq LIMIT ?";
    const rows = database.all<EventRow>(sql, last, wanted);
    for (const row of rows) {
      last = row.seq;
      const event = eventOf(row);
      if (!event) continue;
      characters += row.data.length;
      found.push(event);
    }
    if (rows.length < wanted) break;
  }
  return found;
}

/** In one text of an event, in characters; the records have it whole. */
export const maxEventText = 65_536;
/** Of all events together; the oldest make room. */
export const maxEventBytes = 128 * 1_048_576;

// octet_length reads the lengths of long texts without the texts.
const tooOldSql =
  "SELECT seq FROM (SELECT seq, sum(octet_length(data)) OVER (ORDER BY seq DESC) AS total FROM events) WHERE total > ? ORDER BY seq DESC LIMIT 1";

export function trimEvents(database: Database, keep: number, maxBytes: number): number {
  const { oldest, newest } = eventRange(database);
  const tooOld = database.get<{ readonly seq: number }>(tooOldSql, maxBytes)?.seq ?? 0;
  const last = Math.max(newest - keep, tooOld);
  if (last < oldest) return 0;
  database.write(() => database.run("DELETE FROM events WHERE seq <= ?", last));
  return last - oldest + 1;
}

// One that cannot be read is left out, and clients learn of the gap. There are too many to look at all of them before.
function eventOf({ seq, at, type, data }: EventRow): PanewardEvent | undefined {
  try {
    return { seq, at, type, data: JSON.parse(data) } as PanewardEvent;
  } catch {
    return undefined;
  }
}
