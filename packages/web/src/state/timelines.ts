import { client } from "../api/client.ts";
import { onEvent, view } from "./live.ts";
import { type Period, type StatusEvent, timelinesOf, timelineTypes } from "./timeline.ts";
import { createValue } from "./value.ts";

export const timelines = createValue<ReadonlyMap<string, readonly Period[]>>(new Map());
export const timelineMs = 3 * 3_600_000;

const maxEvents = 10_000;

/** Loads the past once, then follows the events. */
export async function followTimelines(signal: AbortSignal): Promise<void> {
  let events: StatusEvent[] = [];
  const draw = () => timelines.set(timelinesOf(events, Date.now()));
  const stop = onEvent((event) => {
    if (event.type === "gap" || !timelineTypes.some((type) => type === event.type)) return;
    events.push(event);
    if (events.length > maxEvents) events = events.slice(-maxEvents / 2);
  });
  const timer = setInterval(draw, 15_000);
  signal.addEventListener("abort", () => {
    stop();
    clearInterval(timer);
  });
  const after = Math.max(0, view.get().lastEvent - maxEvents);
  const past = await client
    .events({ after, limit: maxEvents, types: timelineTypes.join(",") }, { signal })
    .catch(() => undefined);
  const lastSeq = past?.last ?? 0;
  const since = Date.now() - timelineMs;
  events = [
    ...(past?.events ?? []).filter(({ at }) => at > since - timelineMs),
    ...events.filter((one) => !("seq" in one) || Number(one.seq) > lastSeq),
  ];
  draw();
}
