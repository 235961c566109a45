import { randomBytes } from "node:crypto";
import type { EventData } from "@paneward/sdk";
import { afterAttempt, afterChange } from "../../model/notify/attempts.ts";
import type { Outcome } from "../../model/notify/message.ts";
import type { News } from "../../model/notify/news.ts";
import {
  type Fact,
  isSent,
  isUnfinished,
  type NoticeRecord,
  type Send,
  testKey,
  withChange,
  withSend,
} from "../../model/notify/notice.ts";
import { type Action, channelOf, standingKinds } from "../../model/notify/schedule.ts";
import { titleOf } from "../../model/notify/wording.ts";
import type { Clock, NoticeSender, Store, ToldAbsence, Writer } from "../ports.ts";

export interface BookPorts {
  readonly store: Pick<Store, "notices" | "notice" | "notified" | "keep" | "write" | "question">;
  readonly clock: Pick<Clock, "monotonic">;
  readonly sender: Pick<NoticeSender, "traits">;
}

/** Where a channel sends: the channel itself, or each of its addresses. */
export interface Destination {
  readonly to: string;
  readonly kind: string;
}

/** The notices, each change with its event, in one write. */
export class NoticeBook {
  readonly #ports: BookPorts;

  constructor(ports: BookPorts) {
    this.#ports = ports;
  }

  all(): readonly NoticeRecord[] {
    return this.#ports.store.notices();
  }

  /** What the events up to `seq` mean; stored together with that number, so that no event counts twice. */
  take(news: readonly News[], seq: number, isWanted: (fact: Fact) => boolean): void {
    const { store } = this.#ports;
    store.keep((writer) => {
      for (const one of news) {
        if (one.kind === "over") for (const key of one.keys) this.#over(writer, key, one.why, one.answered);
        else if (one.kind === "changed") this.#changed(writer, one.key);
        else if (isWanted(one.fact) && this.#stillStands(one.fact)) {
          this.#over(writer, one.fact.key, "it happened again", false);
          this.#open(writer, one.fact);
        }
      }
      writer.notified(seq);
      this.#makeRoom(writer);
    });
  }

  /** A program may ask without end, and each question is a notice: of what is over, the oldest go. */
  #makeRoom(writer: Writer): void {
    const all = this.all();
    if (all.length <= maxNotices) return;
    const done = all.filter(
      ({ state, fact, sends }) =>
        (state === "over" || !standingKinds.has(fact.kind)) && state !== "waiting" && !sends.some(isUnfinished),
    );
    for (const { id } of done.slice(0, all.length - keptNotices)) writer.removeNotice(id);
  }

  /** Ends every open notice, because no channel is configured any more. */
  end(): void {
    if (this.#ports.store.notified() === undefined) return;
    this.#ports.store.keep((writer) => {
      for (const { fact, state } of this.all())
        if (state !== "over") this.#over(writer, fact.key, "no channel is configured", false);
      writer.notified(undefined);
    });
  }

  apply(actions: readonly Action[], destinations: (channel: string) => readonly Destination[]): void {
    if (actions.length === 0) return;
    this.#ports.store.keep((writer) => {
      for (const action of actions) this.#apply(writer, action, destinations);
    });
  }

  /** Replaces a send; what is on the way must be stored before it is on its way. */
  put(writer: Writer, notice: NoticeRecord, send: Send): NoticeRecord {
    const before = notice.sends.find(({ to }) => to === send.to);
    const changed = withSend(notice, send);
    writer.putNotice(changed);
    const event = eventOf(before, send);
    if (event) this.#append(writer, event, changed, send);
    return changed;
  }

  done(id: string, to: string, does: "send" | "change", outcome: Outcome): void {
    const { store, clock, sender } = this.#ports;
    const notice = store.notice(id);
    const send = notice?.sends.find((one) => one.to === to);
    if (!notice || !send) return;
    const at = clock.monotonic();
    const isTest = notice.fact.key === testKey;
    // Who tries a channel is waiting for what comes back, and gets no second one later.
    const last: Outcome = isTest && outcome.kind === "later" ? { kind: "refused", said: outcome.said } : outcome;
    const isIdempotent = !isTest && sender.traits(send.kind)?.idempotent === true;
    const now = does === "send" ? afterAttempt(send, last, at, isIdempotent) : afterChange(send, outcome, at);
    store.keep((writer) => {
      const stored = this.put(writer, notice, now);
      // It was over while it was on its way.
      if (stored.state === "over" && does === "send") this.#takeBack(writer, stored, stored.why);
    });
  }

  /** What was shown is not so any more, or its buttons are used up: where the channel can, it is shown again. */
  renew(key: string, note: string): void {
    this.#ports.store.keep((writer) => this.#changed(writer, key, note));
  }

  /** What a channel refused, or could not take, is sent once more when its settings are others, if it still stands. */
  sendAnew(settingsOf: (to: string) => string | undefined): boolean {
    const { store, clock } = this.#ports;
    const isOther = ({ state, settings, nobody, to }: Send) => {
      const now = settingsOf(to);
      return state === "failed" && !nobody && settings !== undefined && now !== undefined && now !== settings;
    };
    const refused = this.all().filter(
      ({ state, fact, sends }) => state === "told" && standingKinds.has(fact.kind) && sends.some(isOther),
    );
    if (refused.length === 0) return false;
    store.keep((writer) => {
      for (const notice of refused) {
        const others = notice.sends.filter(isOther);
        const why = `sent again, because the settings of ${others.map(({ to }) => channelOf(to)).join(", ")} were changed`;
        others.reduce<NoticeRecord>(
          (now, send) =>
            this.put(writer, now, {
              ...{ ...send, state: "queued", attempts: 0, at: clock.monotonic(), anew: (send.anew ?? 0) + 1 },
              ...settingsNow(settingsOf(send.to)),
              reason: `its channel's settings were changed; before: ${send.reason ?? "it failed"}`,
            }),
          { ...notice, why },
        );
      }
    });
    return true;
  }

  /** A new sender begins: what only the one before could hear is shown by this one, and so are buttons that were used up. */
  showAnew(): void {
    const { store, sender } = this.#ports;
    const isSpent = ({ taps = [], kind }: Send) => taps.at(-1)?.used === true || sender.traits(kind)?.bound === true;
    const spent = this.all().filter(
      ({ state, sends }) => state === "told" && sends.some((one) => isSent(one) && isSpent(one)),
    );
    if (spent.length === 0) return;
    store.keep((writer) => {
      for (const { fact } of spent) this.#changed(writer, fact.key);
    });
  }

  forget(isOld: (notice: NoticeRecord) => boolean): void {
    const old = this.all().filter((notice) => isOld(notice) && !notice.sends.some(isUnfinished));
    if (old.length === 0) return;
    this.#ports.store.keep((writer) => {
      for (const { id } of old) writer.removeNotice(id);
    });
  }

  /** Adds a notice that is sent at once, whatever the rules say. */
  tellNow(fact: Fact, destinations: readonly Destination[], why: string): NoticeRecord {
    return this.#ports.store.write((writer) => {
      const notice = this.#open(writer, fact);
      return this.#tell(writer, notice, destinations, why);
    });
  }

  /** What was told of the daemon's absence becomes a notice that is over. Returns the channels that are shown so. */
  takeAbsence(told: ToldAbsence, fact: Fact, at: number): readonly string[] {
    const { store } = this.#ports;
    return store.write((writer) => {
      const known = this.all().find(({ tag }) => tag === told.tag);
      const notice = known ?? this.#tellAlready(writer, told, fact, at);
      this.#over(writer, fact.key, "it is back; programs kept running", false);
      const { sends = [] } = store.notice(notice.id) ?? {};
      return sends.flatMap(({ to, change }) => (change?.does === "withdraw" ? [channelOf(to)] : []));
    });
  }

  #tellAlready(writer: Writer, told: ToldAbsence, fact: Fact, at: number): NoticeRecord {
    const opened = this.#open(writer, fact);
    const sends = told.sends.map((send) => ({ ...(send.state === "handed" ? lost(send) : send), at }));
    const queued = sends.map(({ to, kind }): Send => ({ to, kind, state: "queued", attempts: 0, at }));
    const times = { at, toldAt: at };
    const notice: NoticeRecord = {
      ...{ ...opened, ...times, tag: told.tag, state: "told", why: "it did not come back", sends: queued },
    };
    writer.putNotice(notice);
    for (const send of queued) this.#append(writer, "notice_queued", notice, send);
    return sends.reduce((now, send) => this.put(writer, now, send), notice);
  }

  // Events of the past are read after a restart: the question may be closed by now.
  #stillStands({ question }: Fact): boolean {
    return question === undefined || this.#ports.store.question(question)?.state !== "closed";
  }

  #open(writer: Writer, fact: Fact): NoticeRecord {
    const at = this.#ports.clock.monotonic();
    const notice: NoticeRecord = {
      ...{ id: writer.nextNoticeId(), tag: randomBytes(12).toString("base64url"), fact, at },
      ...{ state: "waiting", why: "it has just begun", sends: [] },
    };
    writer.putNotice(notice);
    return notice;
  }

  #apply(writer: Writer, action: Action, destinations: (channel: string) => readonly Destination[]): void {
    const of = (channels: readonly string[]) => channels.flatMap(destinations);
    const at = this.#ports.clock.monotonic();
    if (action.do === "hold") writer.putNotice({ ...action.notice, why: action.why });
    else if (action.do === "drop") writer.putNotice({ ...action.notice, state: "over", why: action.why, overAt: at });
    else if (action.do === "tell") this.#tell(writer, action.notice, of(action.channels), action.why);
    else if (action.do === "digest") this.#digest(writer, action.members, of(action.channels));
    else this.#escalate(writer, action.notice, action.channel, of([action.channel]), action.why);
  }

  #escalate(
    writer: Writer,
    notice: NoticeRecord,
    channel: string,
    destinations: readonly Destination[],
    why: string,
  ): void {
    const at = this.#ports.clock.monotonic();
    const sends = destinations.map((one) => ({ ...queued(one, at), escalated: true as const }));
    // A channel without an address counts as tried.
    const none: Send = { ...queued({ to: channel, kind: "" }, at), ...noAddress, escalated: true };
    const told = { ...notice, escalatedAt: at, why, sends: [...notice.sends, ...(sends.length > 0 ? sends : [none])] };
    writer.putNotice(told);
    for (const send of sends) this.#append(writer, "notice_queued", told, send);
  }

  #digest(writer: Writer, members: readonly NoticeRecord[], destinations: readonly Destination[]): void {
    const at = this.#ports.clock.monotonic();
    // If one of them needs somebody, the digest does, and goes to the next channel while nobody comes.
    const first = members.find(({ fact }) => standingKinds.has(fact.kind)) ?? members[0];
    if (!first) return;
    const subject = { ...first.fact.subject };
    const fact: Fact = { kind: first.fact.kind, subject, key: "digest", words: `and ${members.length - 1} others` };
    const opened = this.#open(writer, fact);
    const digest = { ...opened, fact: { ...fact, key: `digest ${opened.id}` }, members: members.map(({ id }) => id) };
    for (const member of members) {
      const why = `sent together with ${members.length - 1} others as ${digest.id}`;
      writer.putNotice({ ...member, state: "told", why, toldAt: at, digest: digest.id });
    }
    this.#tell(writer, digest, destinations, "many at once");
  }

  #tell(writer: Writer, notice: NoticeRecord, destinations: readonly Destination[], why: string): NoticeRecord {
    const at = this.#ports.clock.monotonic();
    const sends = destinations.map((one) => queued(one, at));
    const told: NoticeRecord = { ...notice, state: "told", why, toldAt: at, sends };
    writer.putNotice(told);
    for (const send of sends) this.#append(writer, "notice_queued", told, send);
    return told;
  }

  #over(writer: Writer, key: string, why: string, answered: boolean): void {
    for (const notice of this.all()) {
      if (notice.state === "over" || notice.fact.key !== key) continue;
      const over: NoticeRecord = {
        ...{ ...notice, state: "over", overAt: this.#ports.clock.monotonic() },
        why: notice.toldAt === undefined ? `never sent: ${notice.why}; then ${why}` : why,
        ...(answered ? { answered } : {}),
      };
      writer.putNotice(over);
      this.#takeBack(writer, over, why);
      if (notice.digest !== undefined) this.#memberOver(writer, notice.digest, why);
    }
  }

  #memberOver(writer: Writer, digest: string, why: string): void {
    const members = this.all().filter((one) => one.digest === digest);
    const standing = members.filter(({ fact }) => standingKinds.has(fact.kind));
    const key = this.#ports.store.notice(digest)?.fact.key;
    const isOver = (standing.length > 0 ? standing : members).every(({ state }) => state === "over");
    if (key !== undefined && isOver) this.#over(writer, key, why, false);
  }

  // What has happened stays reported; a condition that is over is taken back.
  #takeBack(writer: Writer, notice: NoticeRecord, why: string): void {
    const at = this.#ports.clock.monotonic();
    let now = notice;
    for (const send of notice.sends) {
      const { nextAt: _nextAt, ...rest } = send;
      if (send.perhaps && send.state === "queued" && standingKinds.has(notice.fact.kind)) {
        // Such a channel knows it by its tag, whether or not it answered.
        const unsure: Send = { ...rest, state: "unknown", at, ref: notice.tag };
        now = this.put(writer, now, withChange(unsure, "withdraw"));
      } else if (send.state === "queued") {
        const reason = send.attempts === 0 ? `before it was sent: ${why}` : `after ${send.attempts} attempts: ${why}`;
        now = this.put(writer, now, { ...rest, state: "withdrawn", at, reason });
      } else if (
        isSent(send) &&
        send.ref !== undefined &&
        this.#canChange(send.kind) &&
        standingKinds.has(notice.fact.kind)
      ) {
        now = this.put(writer, now, withChange(send, "withdraw"));
      }
    }
  }

  #changed(writer: Writer, key: string, note?: string): void {
    for (const notice of this.all()) {
      if (notice.state !== "told" || notice.fact.key !== key || !standingKinds.has(notice.fact.kind)) continue;
      let now = notice;
      for (const send of notice.sends) {
        if (!isSent(send) || this.#ports.sender.traits(send.kind)?.later !== "update") continue;
        now = this.put(writer, now, withChange(send, "update", note));
      }
    }
  }

  #canChange(kind: string): boolean {
    const later = this.#ports.sender.traits(kind)?.later ?? "nothing";
    return later !== "nothing";
  }

  #append(writer: Writer, type: NoticeEvent, notice: NoticeRecord, send: Send): void {
    const { fact, id } = notice;
    const { task, terminal } = fact.subject;
    writer.append(type, {
      ...{ notice: id, kind: fact.kind, channel: channelOf(send.to) },
      ...(task === undefined ? {} : { task }),
      ...(terminal === undefined ? {} : { terminal }),
      ...(fact.question === undefined ? {} : { question: fact.question }),
      ...(send.reason === undefined ? {} : { reason: send.reason }),
    });
  }

  /** A notice as history and events name it. */
  title({ fact }: NoticeRecord): string {
    return titleOf(fact, fact.question === undefined ? undefined : this.#ports.store.question(fact.question));
  }
}

// All of them are looked at with each event. Room is made for several at once, so that it is made seldom.
const maxNotices = 2_000;
const keptNotices = 1_800;

type NoticeEvent = Extract<keyof EventData, `notice_${string}`>;

function settingsNow(settings: string | undefined): Pick<Send, "settings"> {
  return settings === undefined ? {} : { settings };
}

function lost({ nextAt: _nextAt, ...send }: Send): Send {
  return { ...send, state: "unknown", reason: "its sender ended while it was being sent" };
}

const noAddress = { state: "failed", reason: "it has no address" } as const;

function queued({ to, kind }: Destination, at: number): Send {
  return { to, kind, state: "queued", attempts: 0, at };
}

/** The event of a send's new state; none for a change that is still under way. */
function eventOf(before: Send | undefined, { state }: Send): NoticeEvent | undefined {
  if (before?.state === state || state === "handed") return undefined;
  return `notice_${state}`;
}
