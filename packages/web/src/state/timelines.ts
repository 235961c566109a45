import { client } from "../api/client.ts";
import { onEvent, view } from "./live.ts";
import { type StatusEvent, type Stretch, timelinesOf, timelineTypes } from "./timeline.ts";
import { createValue } from "./value.ts";

export const timelines = createValue<ReadonlyMap<string, readonly Stretch[]>>(new Map());
export const timelineMs = 3 * 3_600_000;

const lookBack = 10_000;

/** Loads the past once, then follows the events. */
export async function followTimelines(signal: AbortSignal): Promise<void> {
  let events: StatusEvent[] = [];
  const draw = () => timelines.set(timelinesOf(events, Date.now()));
  const stop = onEvent((event) => {
    if (event.type === "gap" || !timelineTypes.some((type) => type === event.type)) return;
    events.push(event);
    if (events.length > lookBack) events = events.slice(-lookBack / 2);
  });
  const timer = setInterval(draw, 15_000);
  signal.addEventListener("abort", () => {
    stop();
    clearInterval(timer);
  });
  const after = Math.max(0, view.get().lastEvent - lookBack);
  const past = await client
    .events({ after, limit: lookBack, types: timelineTypes.join(",") }, { signal })
    .catch(() => undefined);
  const lastSeq = past?.last ?? 0;
  const since = Date.now() - timelineMs;
  events = [
    ...(past?.events ?? []).filter(({ at }) => at > since - timelineMs),
    ...events.filter((one) => !("seq" in one) || Number(one.seq) > lastSeq),
  ];
  draw();
}
