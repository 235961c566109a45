import { ageOf } from "@paneward/sdk/text";
import { type Period, sharesOf } from "../state/timeline.ts";
import { timelineMs } from "../state/timelines.ts";

const minMs = 60_000;

interface TimelineProps {
  readonly line: readonly Period[];
  /** Start of its life: a row younger than three hours fills the whole width. */
  readonly since: number;
}

/** Its statuses in the last hours: working, waiting, idle, ended. */
export function Timeline({ line, since }: TimelineProps) {
  const now = Date.now();
  const from = Math.max(now - timelineMs, Math.min(since, now - minMs));
  // The last period keeps growing.
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
