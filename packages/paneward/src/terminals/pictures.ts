import { setTimeout as delay } from "node:timers/promises";
import {
  type Journal,
  type JournalCursor,
  journalEnd,
  journalTimes,
  listSegments,
  type PaneId,
  pictureOf,
} from "@paneward/tmux";
import type { JournalTimes, Picture } from "../runtime/ports.ts";
import type { HostConnection } from "./host-connection.ts";

const tries = 6;
// Output reaches the journal through a pipe and a process, a moment after tmux has drawn it.
const settleMs = 20;

/** A picture with its position in the journal, taken while nothing is printed, if possible. */
export async function pictureWithCursor(
  host: HostConnection,
  pane: PaneId,
  journal: Journal,
  above: number,
): Promise<Picture> {
  for (let left = tries; ; left--) {
    const before = await journalEnd(journal);
    const picture = await pictureOf(host.server, pane, above);
    await delay(settleMs);
    // With continuous output, what came since is drawn over the picture, some of it twice.
    if (left === 0 || isSame(before, await journalEnd(journal))) return { ...picture, cursor: before };
  }
}

export async function timesOf(journal: Journal): Promise<readonly JournalTimes[]> {
  const segments = await listSegments(journal);
  const epochs = [...new Set(segments.map(({ epoch }) => epoch))];
  return Promise.all(
    epochs.map(async (epoch) => {
      const own = segments.filter((segment) => segment.epoch === epoch);
      const begin = (own[0]?.index ?? 0) * journal.segmentBytes;
      const last = own.at(-1);
      const to = last ? last.index * journal.segmentBytes + last.size : begin;
      return { epoch, from: begin, to, times: await journalTimes(journal, epoch) };
    }),
  );
}

function isSame(one: JournalCursor | undefined, other: JournalCursor | undefined): boolean {
  return one?.epoch === other?.epoch && one?.offset === other?.offset;
}
