import { type Output, PanewardError } from "@paneward/sdk";
import type { NoticeRecord } from "../../model/notify/notice.ts";
import { channelOf } from "../../model/notify/schedule.ts";
import type { Handlers } from "../calls.ts";
import { channelViews } from "../notify/channel-views.ts";
import type { NotifyChannels } from "../notify/channels.ts";
import type { Notifier } from "../notify/notifier.ts";
import type { Presence } from "../notify/presence.ts";
import { allNotifyProblems } from "../notify/problems.ts";
import type { NoticeSender } from "../ports.ts";
import { resolve } from "../resolve.ts";
import { wallTime } from "../steady-time.ts";
import type { World } from "../world.ts";

export interface NotifyDeps extends World {
  readonly presence: Presence;
  readonly channels: NotifyChannels;
  readonly notifier: Notifier;
  readonly sender: NoticeSender;
}

/** Notices: what is sent to people, and through which channels. */
export function notifyOperations(deps: NotifyDeps) {
  const { presence, channels, notifier } = deps;
  return {
    notify_list: async () => {
      await notifier.readAgain();
      return { channels: channelViews(deps), problems: [...(await allNotifyProblems(deps))] };
    },
    notify_history: async ({ limit }) => ({
      notices: notifier.book
        .all()
        .slice(-limit)
        .reverse()
        .map((notice) => noticeView(deps, notice)),
    }),
    notify_test: async ({ id }) => {
      await notifier.readAgain();
      if (!channels.channel(id)) {
        const names = Object.keys(channels.config?.channels ?? {});
        const { warnings } = await deps.configFor();
        const why = warnings.find((warning) => warning.includes(`notify.channels.${id}.`));
        const there = names.length === 0 ? "docs/notify.md shows how to set one up" : `there are ${names.join(", ")}`;
        throw new PanewardError("not_found", `there is no channel ${JSON.stringify(id)}`, { hint: why ?? there });
      }
      const outcome = await notifier.test(id, maxTestMs);
      const { kind, said } = outcome;
      if (kind === "sent") return { channel: id, outcome: outcome.delivered ? "delivered" : "sent", said };
      return { channel: id, outcome: kind === "unknown" ? "unknown" : "failed", said };
    },
    presence: async ({ viewer, sees, seconds }, { who, door }) => {
      const ids = sees?.flatMap((id) => idsOf(deps, id));
      presence.sees(`${who} ${door} ${viewer}`, ids, seconds);
      notifier.looked();
      return { noted: true };
    },
  } satisfies Partial<Handlers>;
}

const maxTestMs = 40_000;

function noticeView(deps: NotifyDeps, notice: NoticeRecord): Output<"notify_history">["notices"][number] {
  const { id, fact, at, state, why, digest, sends, members } = notice;
  const { task, terminal } = fact.subject;
  const { book } = deps.notifier;
  return {
    ...{ id, kind: fact.kind, state, why },
    title: members ? `${members.length} at once` : book.title(notice),
    at: wallTime(deps.clock, at),
    ...(task === undefined ? {} : { task }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(fact.question === undefined ? {} : { question: fact.question }),
    ...(digest === undefined ? {} : { digest }),
    sends: sends.map((send) => ({
      ...{ channel: channelOf(send.to), state: send.state, attempts: send.attempts },
      at: wallTime(deps.clock, send.at),
      ...(send.reason === undefined ? {} : { reason: send.reason }),
    })),
  };
}

/** A task and its terminal are looked at together. What is gone meanwhile is left out. */
function idsOf(deps: Pick<World, "store">, id: string): readonly string[] {
  try {
    const found = resolve(deps, id);
    if (found.kind === "terminal") return [found.terminal.id, String(found.terminal.task ?? "")];
    return [String(found.task.id), found.task.terminal ?? ""];
  } catch {
    return [];
  }
}
