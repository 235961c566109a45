import type { Status } from "@paneward/sdk";

/** A period with one status. */
export interface Period {
  readonly status: Status;
  readonly from: number;
  readonly to: number;
}

export interface StatusEvent {
  readonly at: number;
  readonly type: string;
  readonly data: unknown;
}

/** Event types that carry a status. */
export const timelineTypes = ["terminal_status_changed", "task_status_changed"] as const;

/** The status of each task and terminal over time, by keys such as `task 3` and `terminal t1`. */
export function timelinesOf(events: readonly StatusEvent[], now: number): ReadonlyMap<string, readonly Period[]> {
  const lines = new Map<string, Period[]>();
  for (const { at, type, data } of events) {
    const changed = data as {
      readonly task?: number;
      readonly terminal?: string;
      readonly status: Status;
      readonly before: Status;
    };
    const key = type === "task_status_changed" ? `task ${changed.task}` : `terminal ${changed.terminal}`;
    const line = lines.get(key) ?? [];
    const last = line.at(-1);
    if (last) line[line.length - 1] = { ...last, to: at };
    line.push({ status: changed.status, from: at, to: now });
    lines.set(key, line);
  }
  return lines;
}

/** The periods inside a time window, as shares of its width. */
export function sharesOf(line: readonly Period[], from: number, to: number) {
  const width = Math.max(1, to - from);
  return line
    .map(({ status, ...one }) => ({ status, from: Math.max(one.from, from), to: Math.min(one.to, to) }))
    .filter((one) => one.to > one.from)
    .map((one) => ({ status: one.status, left: (one.from - from) / width, width: (one.to - one.from) / width }));
}
