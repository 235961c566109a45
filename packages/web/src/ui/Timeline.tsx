import { type Stretch, sharesOf } from "../state/timeline.ts";
import { timelineMs } from "../state/timelines.ts";

/** What it did in the last hours: working, waiting, idle, over. */
export function Timeline({ line }: { readonly line: readonly Stretch[] }) {
  const now = Date.now();
  const shares = sharesOf(line, now - timelineMs, now);
  const last = line.at(-1)?.status.toLowerCase() ?? "unknown";
  return (
    <div class="timeline" role="img" aria-label={`the last three hours; now ${last}`}>
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
