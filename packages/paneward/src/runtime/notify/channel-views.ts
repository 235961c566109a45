import { type NotifyRule, type Output, usualKinds } from "@paneward/sdk";
import type { NoticeRecord, Send } from "../../model/notify/notice.ts";
import { channelOf } from "../../model/notify/schedule.ts";
import type { Clock, NoticeSender } from "../ports.ts";
import { wallTime } from "../steady-time.ts";
import type { NotifyChannels } from "./channels.ts";

type ChannelView = Output<"notify_list">["channels"][number];

export interface ChannelViewDeps {
  readonly channels: NotifyChannels;
  readonly clock: Clock;
  readonly sender: Pick<NoticeSender, "traits" | "trouble">;
  readonly notifier: { readonly book: { all(): readonly NoticeRecord[] } };
}

/** The channels for people: which notices each gets, and whether it works. */
export function channelViews({ channels, clock, sender, notifier }: ChannelViewDeps): ChannelView[] {
  const { config } = channels;
  const sends = notifier.book.all().flatMap((notice) => notice.sends);
  return Object.entries(config?.channels ?? {}).map(([name, { kind, text }]) => {
    const traits = sender.traits(kind);
    return {
      ...{ name, kind, text },
      buttons: (traits?.limits.buttons ?? 0) > 0 && text === "full",
      rules: rulesOf(config?.rules ?? [], name),
      ...withTrouble(lastOf(sends, name, clock), sender.trouble(name)),
    };
  });
}

/** The channels whose last attempt failed, or whose buttons cannot be heard, each with what was said. */
export function failingChannels(deps: ChannelViewDeps): readonly string[] {
  return channelViews(deps).flatMap(({ name, state, detail }) =>
    state === "failing" ? [`the channel ${name} does not work: ${detail}`] : [],
  );
}

function lastOf(sends: readonly Send[], name: string, clock: Clock): Pick<ChannelView, "state" | "detail" | "at"> {
  const used = sends.filter(({ to, attempts }) => channelOf(to) === name && attempts > 0);
  const last = used.reduce<Send | undefined>((latest, one) => (one.at >= (latest?.at ?? 0) ? one : latest), undefined);
  if (!last) return { state: "unused", detail: `nothing was sent yet; try it: paneward notify test ${name}` };
  const isBad = last.state === "failed" || last.state === "unknown" || (last.state === "queued" && last.attempts > 0);
  const at = wallTime(clock, last.at);
  if (isBad) return { state: last.nobody ? "ready" : "failing", detail: last.reason ?? last.state, at };
  return { state: "ready", detail: `${last.state} at last`, at };
}

/** Notices arrive, but their buttons answer nothing. */
function withTrouble(last: ReturnType<typeof lastOf>, trouble: string | undefined): ReturnType<typeof lastOf> {
  if (trouble === undefined || last.state === "failing") return last;
  return { ...last, state: "failing", detail: `its buttons cannot be heard: ${trouble}` };
}

/** Which notices a channel gets by the rules. Without rules, every channel gets the usual ones. */
function rulesOf(rules: readonly NotifyRule[], name: string): string[] {
  const told = rules.flatMap((rule) => {
    const isTold = rule.channels === undefined ? !rule.escalate?.includes(name) : rule.channels.includes(name);
    const isEscalated = rule.escalate?.includes(name) === true;
    const what = `${(rule.kinds ?? usualKinds).join(", ")}${places(rule)}`;
    return [...(isTold ? [what] : []), ...(isEscalated ? [`${what}, while nobody answers`] : [])];
  });
  return told.length > 0 || rules.length > 0 ? told : [usualKinds.join(", ")];
}

function places({ project, task, agent }: NotifyRule): string {
  const named = [project && `project ${project}`, task && `task ${task}`, agent && `agent ${agent}`].filter(Boolean);
  return named.length === 0 ? "" : ` of ${named.join(", ")}`;
}
