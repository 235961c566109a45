import type { Config, NoticeKind } from "@paneward/sdk";
import { type NoticeRecord, type Send, type Subject, testKey } from "./notice.ts";
import { type Moment, quietUntil } from "./quiet.ts";
import { type Route, routeOf } from "./rules.ts";

export interface Situation {
  /** All that are kept, also those that are over: they show what was sent lately. */
  readonly notices: readonly NoticeRecord[];
  readonly notify: Config["notify"];
  /** Until when a person is looking at it; undefined if nobody is. */
  readonly seenUntil: (subject: Subject) => number | undefined;
  readonly now: Moment;
}

export type Action =
  | { readonly do: "tell"; readonly notice: NoticeRecord; readonly channels: readonly string[]; readonly why: string }
  | { readonly do: "digest"; readonly members: readonly NoticeRecord[]; readonly channels: readonly string[] }
  | { readonly do: "escalate"; readonly notice: NoticeRecord; readonly channel: string; readonly why: string }
  /** It waits; why has changed. */
  | { readonly do: "hold"; readonly notice: NoticeRecord; readonly why: string }
  /** Nobody needs to know any more. */
  | { readonly do: "drop"; readonly notice: NoticeRecord; readonly why: string };

export interface Plan {
  readonly actions: readonly Action[];
  /** When to plan again, if nothing happens before. */
  readonly wakeAt: number | undefined;
}

/** What to tell now, what waits for what, and when to look again. */
export function schedule(situation: Situation): Plan {
  const waiting = situation.notices
    .filter(({ state }) => state === "waiting")
    .map((notice) => waitOf(situation, notice));
  const due = waiting.flatMap((one) => ("route" in one ? [one] : []));
  const groups = Object.groupBy(due, ({ route }) => groupKey(route));
  const steps: readonly Step[] = [
    ...waiting.flatMap((one) => ("route" in one ? [] : [one])),
    ...Object.values(groups).flatMap((group = []) => tellGroup(situation, group)),
    ...situation.notices.flatMap((notice) => escalation(situation, notice) ?? []),
  ];
  const wakes = steps.flatMap(({ until }) => until ?? []);
  return {
    actions: steps.flatMap(({ action }) => (action && !isSame(action) ? [action] : [])),
    wakeAt: wakes.length === 0 ? undefined : Math.min(...wakes),
  };
}

interface Step {
  readonly action?: Action;
  /** When this may change by itself. */
  readonly until?: number;
}

interface Due {
  readonly notice: NoticeRecord;
  readonly route: Route;
}

function isSame(action: Action): boolean {
  return action.do === "hold" && action.why === action.notice.why;
}

/** Why a notice waits, or the route by which it is due. */
function waitOf(situation: Situation, notice: NoticeRecord): Step | Due {
  const { notify, now } = situation;
  const route = routeOf(notify, notice.fact);
  if (!route) return { action: { do: "drop", notice, why: "no rule sends it to anybody" } };
  const reason =
    later(now, notice.at + route.dwellMs, "sent if it is still so in a moment") ??
    held(situation, notice, route) ??
    later(now, cooldownUntil(situation, notice, route), "one was sent a moment ago; the next waits for its cooldown");
  return reason ? hold(notice, reason) : { notice, route };
}

interface Reason {
  readonly until: number;
  readonly why: string;
}

function later({ at }: Moment, until: number, why: string): Reason | undefined {
  return until > at ? { until, why } : undefined;
}

function hold(notice: NoticeRecord, { until, why }: Reason): Step {
  return { action: { do: "hold", notice, why }, until };
}

function held({ now, seenUntil }: Situation, { fact }: NoticeRecord, { quiet }: Route): Reason | undefined {
  const quietEnd = quietUntil(quiet, now);
  if (quietEnd !== undefined) return { until: quietEnd, why: "quiet hours" };
  const seenEnd = seenUntil(fact.subject);
  return seenEnd === undefined ? undefined : later(now, seenEnd, "you are looking at it");
}

// Answered questions follow one another; what comes and goes by itself is not reported each time.
function cooldownUntil({ notices }: Situation, { id, fact }: NoticeRecord, { cooldownMs }: Route): number {
  const before = notices.filter(
    (one) =>
      one.id !== id &&
      one.toldAt !== undefined &&
      one.answered !== true &&
      one.fact.kind === fact.kind &&
      one.fact.subject.name === fact.subject.name &&
      one.fact.subject.task === fact.subject.task,
  );
  return Math.max(0, ...before.map(({ toldAt = 0 }) => toldAt + cooldownMs));
}

/** How many notices within a minute are too many is set; the window is not. */
export const floodWindowMs = 60_000;

/** One by one while they are few; else together, and at most one such digest in a minute. */
function tellGroup({ notices, notify, now }: Situation, group: readonly Due[]): readonly Step[] {
  const [first] = group;
  if (!first) return [];
  const { route } = first;
  const since = now.at - floodWindowMs;
  const key = groupKey(route);
  const told = notices.filter(
    ({ toldAt, digest, fact }) =>
      toldAt !== undefined &&
      toldAt > since &&
      digest === undefined &&
      fact.key !== testKey &&
      keyOf(notify, fact) === key,
  );
  const lastDigest = Math.max(0, ...told.flatMap(({ members, toldAt = 0 }) => (members ? [toldAt] : [])));
  const singles = told.filter(({ members }) => !members);
  const free = lastDigest > 0 ? 0 : Math.max(0, notify.digest - singles.length);
  const { channels } = route;
  if (group.length <= free) {
    return group.map(({ notice }) => ({
      action: { do: "tell", notice, channels, why: "it is still so, and nobody looked" },
    }));
  }
  const freeAgain =
    lastDigest > 0 ? lastDigest : group.length === 1 ? Math.min(...singles.map(({ toldAt = 0 }) => toldAt)) : 0;
  if (freeAgain > 0) {
    const why = "many at once: sent together in a moment";
    return group.map(({ notice }) => hold(notice, { until: freeAgain + floodWindowMs, why }));
  }
  return [{ action: { do: "digest", members: group.map(({ notice }) => notice), channels } }];
}

function groupKey({ channels, escalate, escalateMs }: Route): string {
  return JSON.stringify([channels, escalate, escalateMs]);
}

function keyOf(notify: Config["notify"], fact: NoticeRecord["fact"]): string | undefined {
  const route = routeOf(notify, fact);
  return route && groupKey(route);
}

/** Those that last until somebody does something; the others are over as soon as they happen. */
export const standingKinds: ReadonlySet<NoticeKind> = new Set(["question", "quota", "login", "stuck", "away"]);

function escalation(situation: Situation, notice: NoticeRecord): Step | undefined {
  const { toldAt, escalatedAt = toldAt, sends, fact, digest, state } = notice;
  if (state !== "told" || digest !== undefined || escalatedAt === undefined || fact.key === testKey) return undefined;
  const hasFailed = sends.every(isLost);
  // What has happened needs no answer, but somebody must know of it.
  if (!hasFailed && !standingKinds.has(fact.kind)) return undefined;
  const route = routeOf(situation.notify, fact);
  const used = sends.filter(({ escalated }) => escalated).map(({ to }) => channelOf(to));
  const channel = route?.escalate.find((name) => !used.includes(name));
  if (!route || channel === undefined) return undefined;
  const dueAt = hasFailed ? 0 : escalatedAt + route.escalateMs;
  if (dueAt > situation.now.at) return { until: dueAt };
  const reason = held(situation, notice, route);
  if (reason) return { until: reason.until };
  const why = hasFailed ? "no channel before could be reached" : "nobody answered";
  return { action: { do: "escalate", notice, channel, why } };
}

/** It did not arrive and will not soon: what is tried again after a short pause is not lost yet. */
function isLost({ state, at, nextAt = at }: Send): boolean {
  return state === "failed" || state === "unknown" || (state === "queued" && nextAt - at > momentMs);
}

const momentMs = 5_000;

/** The channel's name, without one of its addresses. */
export function channelOf(to: string): string {
  return to.split("/")[0] ?? to;
}
