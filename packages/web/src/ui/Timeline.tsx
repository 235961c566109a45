import { ageOf } from "@paneward/sdk/text";
import { type Stretch, sharesOf } from "../state/timeline.ts";
import { timelineMs } from "../state/timelines.ts";

const leastMs = 60_000;

interface TimelineProps {
  readonly line: readonly Stretch[];
  /** Nothing was before: what is younger than three hours fills the whole width. */
  readonly since: number;
}

/** What it did in the last hours: working, waiting, idle, over. */
export function Timeline({ line, since }: TimelineProps) {
  const now = Date.now();
  const from = Math.max(now - timelineMs, Math.min(since, now - leastMs));
  // The last one goes on while one looks.
  const shares = sharesOf(
    line.map((one, at) => (at === line.length - 1 ? { ...one, to: now } : one)),
    from,
    now,
  );
  const last = line.at(-1)?.status.toLowerCase() ?? "unknown";
  return (
    <div class="timeline" role="img" aria-label={`the last ${ageOf(from, now)}; now ${last}`}>
      {shares.map(({ status, left, width }) => (
        <i
          key={left}
          class={status.toLowerCase()}
          style={{ left: `${(left * 100).toFixed(2)}%`, width: `${Math.max(0.6, width * 100).toFixed(2)}%` }}
        />
      ))}
    </div>
  );
}
