import { type Config, PanewardError, type PanewardEvent } from "@paneward/sdk";
import type { Outcome } from "../../model/notify/message.ts";
import { type News, newsOf } from "../../model/notify/news.ts";
import { type Fact, type NoticeRecord, type Send, type Subject, testKey } from "../../model/notify/notice.ts";
import { minuteIn } from "../../model/notify/quiet.ts";
import { routeOf } from "../../model/notify/rules.ts";
import { type Action, type Plan, schedule } from "../../model/notify/schedule.ts";
import { together } from "../../model/notify/together.ts";
import type { Cancel, NoticeJob, NoticeSender, Tap } from "../ports.ts";
import { sureAge, wallTime } from "../steady-time.ts";
import type { World } from "../world.ts";
import { NoticeBook } from "./book.ts";
import type { NotifyChannels } from "./channels.ts";
import { type JobSources, jobId, jobOf, notHanded } from "./job.ts";
import { lookupIn } from "./lookup.ts";
import type { Presence } from "./presence.ts";

export interface NotifierDeps extends Pick<World, "clock" | "log" | "store" | "httpPort"> {
  readonly sender: NoticeSender;
  readonly channels: NotifyChannels;
  readonly presence: Presence;
  /** What people are attached to, by tmux. */
  readonly attached: () => Promise<void>;
  readonly tapped: (tap: Tap) => Promise<void>;
}

/** Makes notices of events, tells them when it is time, and records what becomes of them. */
export class Notifier {
  readonly #deps: NotifierDeps;
  readonly book: NoticeBook;
  readonly #underWay = new Map<string, UnderWay>();
  readonly #tests = new Map<string, (to: string, outcome: Outcome) => void>();
  #cancels: readonly Cancel[] = [];
  /** Events that came before others with lower numbers: a listener before this one wrote more. */
  #early: readonly PanewardEvent[] = [];
  /** The last event that notices were made of, and the last one for which that is stored. */
  #last = 0;
  #stored = 0;
  #timer: { readonly at: number; readonly cancel: Cancel } | undefined;
  #starting: Promise<void> | undefined;
  #isRunning = false;
  #runAgain = false;
  #isReady = false;
  /** A new sender runs: what the one before did is to be read. */
  #mustResume = false;
  #isStopped = false;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
    this.book = new NoticeBook(deps);
  }

  /** Continues where the daemon before ended. `away`: it did not stop by itself. */
  begin(away: boolean): void {
    const { store, clock } = this.#deps;
    const stopEvents = store.onEvents((events) => this.#receive(events));
    const stopLooking = clock.interval(readAgainMs, () => void this.readAgain());
    this.#cancels = [stopEvents, stopLooking];
    void this.readAgain(away);
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#cancels) cancel();
    this.#timer?.cancel();
    this.#deps.sender.stop();
  }

  /** Sends through one channel at once, to all of its addresses, and returns what came back; it is not tried again. */
  async test(name: string, limitMs: number): Promise<Outcome> {
    const { channels, clock } = this.#deps;
    await this.readAgain();
    const destinations = channels.destinations(name);
    if (destinations.length === 0) return together(new Map());
    await this.#start().catch((cause: unknown) => {
      throw new PanewardError("unavailable", "notices cannot be sent: their sender does not start", { cause });
    });
    const fact: Fact = {
      key: testKey,
      kind: "team",
      subject: { name: "Paneward" },
      words: `can reach you through ${name}`,
    };
    const notice = this.book.tellNow(fact, destinations, "it was asked for as a test");
    const silent: Outcome = { kind: "unknown", said: `nothing came back within ${limitMs / 1_000} s` };
    const outcomes = new Map<string, Outcome>(destinations.map(({ to }) => [to, silent]));
    const heard = new Set<string>();
    const all = new Promise<void>((resolve) => {
      this.#tests.set(notice.id, (to, outcome) => {
        outcomes.set(to, outcome);
        if (heard.add(to).size === destinations.length) resolve();
      });
      clock.timer(limitMs, resolve);
    });
    this.#soon();
    await all.finally(() => this.#tests.delete(notice.id));
    return together(outcomes);
  }

  /** The question of a notice is shown anew where that is possible, below these words. */
  renew(question: string, words: string): void {
    this.book.renew(`question ${question}`, words);
    this.#soon();
  }

  looked(): void {
    this.#soon();
  }

  /** Reads the configuration, which may have changed. */
  async readAgain(away = false): Promise<void> {
    const { channels, log } = this.#deps;
    try {
      const before = JSON.stringify(channels.config);
      if (await channels.read()) await this.#configured(away);
      // What waits for the end of a dwell or of quiet hours may be due by other rules.
      else if (JSON.stringify(channels.config) !== before) this.#soon();
    } catch (error) {
      log.warn("the configuration of notices could not be read", { error: String(error) });
    }
  }

  // Without a channel nothing is stored, and no process runs.
  async #configured(away: boolean): Promise<void> {
    const { channels, store, log, clock } = this.#deps;
    if (!channels.areConfigured) {
      this.book.end();
      return;
    }
    this.#catchUp(store.notified() ?? store.eventRange().newest);
    if (away) this.#note([daemonWasAway]);
    try {
      await this.#start();
      this.#listen();
      this.#soon();
    } catch (error) {
      log.error("notices cannot be sent: their sender does not start", { error: String(error) });
      if (!this.#isStopped) clock.timer(tryAgainMs, () => void this.#configured(false));
    }
  }

  #start(): Promise<void> {
    this.#starting ??= this.#begin().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  async #begin(): Promise<void> {
    await this.#deps.sender.begin({
      done: (job, outcome) => this.#done(job, outcome),
      tapped: (tap) => {
        if (!this.#isStopped) void this.#deps.tapped(tap);
      },
      // What was given to the one before is in its files, or lost on the way.
      again: () => {
        this.#underWay.clear();
        this.#mustResume = true;
        this.#soon();
      },
    });
    this.#isReady = true;
    this.#mustResume = true;
    await this.#run();
  }

  /** What an earlier sender had: done, lost on the way, or never begun. */
  async #resume(): Promise<void> {
    const { sender } = this.#deps;
    for (const notice of this.book.all()) {
      if (this.#isStopped) return;
      for (const send of notice.sends) {
        if (send.state !== "handed" && send.change?.state !== "handed") continue;
        const job = jobId(notice, send);
        // The sender that runs now has it.
        if (this.#underWay.has(job)) continue;
        const does = doesOf(send);
        const fate = await sender.fate(job);
        if (fate.kind === "never_begun") this.#putBack(notice.id, send);
        else if (fate.kind === "done") this.#store(notice.id, send.to, does, fate.outcome);
        else
          this.#store(notice.id, send.to, does, { kind: "unknown", said: "its sender ended while it was being sent" });
        sender.forget(job);
      }
    }
    this.book.showAnew();
    this.#listen();
  }

  #putBack(id: string, { to }: Send): void {
    const { store } = this.#deps;
    const notice = store.notice(id);
    const send = notice?.sends.find((one) => one.to === to);
    if (!notice || !send) return;
    store.keep((writer) => void this.book.put(writer, notice, notHanded(send)));
  }

  #listen(): void {
    const { channels, sender } = this.#deps;
    const all = Object.entries(channels.config?.channels ?? {});
    sender.listen(all.map(([channel, { kind, text: _text, ...settings }]) => ({ channel, kind, settings })));
  }

  /** Reads what happened after this event, until now. */
  #catchUp(from: number): void {
    const { store } = this.#deps;
    const { oldest, newest } = store.eventRange();
    this.#last = Math.min(from, newest);
    // Events that are gone: what they said is in the records.
    if (from + 1 < oldest) this.#note(this.#standingNews());
    for (;;) {
      const page = store.events(this.#last, 1_000);
      if (page.length === 0) break;
      this.#take(page);
    }
    this.book.take([], this.#last, () => false);
    this.#stored = this.#last;
  }

  #standingNews(): readonly News[] {
    const { store } = this.#deps;
    const lookup = lookupIn(store);
    const opened = store
      .questions()
      .filter(({ state }) => state !== "closed")
      .flatMap((question) => newsOf({ seq: 0, at: 0, type: "question_opened", data: { question } }, lookup));
    const known = new Set(this.book.all().flatMap(({ state, fact }) => (state === "over" ? [] : [fact.key])));
    const gone = this.book.all().flatMap(({ state, fact }) => {
      if (state === "over" || fact.question === undefined) return [];
      const question = store.question(fact.question);
      return question && question.state !== "closed" ? [] : [fact.key];
    });
    return [
      { kind: "over", keys: gone, why: "it was closed", answered: false },
      ...opened.filter((one) => one.kind !== "stands" || !known.has(one.fact.key)),
    ];
  }

  #receive(events: readonly PanewardEvent[]): void {
    if (!this.#deps.channels.areConfigured || this.#isStopped) return;
    const all = [...this.#early, ...events]
      .filter(({ seq }) => seq > this.#last)
      .sort((one, other) => one.seq - other.seq);
    const inOrder = all.filter(({ seq }, index) => seq === this.#last + 1 + index);
    this.#early = all.slice(inOrder.length);
    if (inOrder.length > 0) this.#take(inOrder);
  }

  #take(events: readonly PanewardEvent[]): void {
    const lookup = lookupIn(this.#deps.store);
    this.#last = events.at(-1)?.seq ?? this.#last;
    this.#note(events.flatMap((event) => newsOf(event, lookup)));
  }

  /** Stores what news mean, with the number of the last event; that alone only now and then. */
  #note(news: readonly News[]): void {
    const { log } = this.#deps;
    if (news.length === 0 && this.#last - this.#stored < storeEvery) return;
    try {
      this.book.take(news, this.#last, (fact) => this.#isWanted(fact));
      this.#stored = this.#last;
    } catch (error) {
      log.error("a notice could not be stored", { error: String(error) });
    }
    if (news.length > 0) this.#soon();
  }

  #isWanted(fact: Fact): boolean {
    const { config } = this.#deps.channels;
    return config !== undefined && routeOf(config, fact) !== undefined;
  }

  #soon(ms = 0): void {
    const { clock } = this.#deps;
    const at = clock.monotonic() + ms;
    if (this.#isStopped || (this.#timer && this.#timer.at <= at)) return;
    this.#timer?.cancel();
    const cancel = clock.timer(ms, () => {
      this.#timer = undefined;
      void this.#run();
    });
    this.#timer = { at, cancel };
  }

  async #run(): Promise<void> {
    if (this.#isRunning) {
      this.#runAgain = true;
      return;
    }
    this.#isRunning = true;
    try {
      do {
        this.#runAgain = false;
        await this.#once();
      } while (this.#runAgain);
    } catch (error) {
      this.#deps.log.error("notices could not be told; tried again in a moment", { error: String(error) });
      this.#soon(tryAgainMs);
    } finally {
      this.#isRunning = false;
    }
  }

  async #once(): Promise<void> {
    const { channels, clock, attached } = this.#deps;
    if (!channels.config || !this.#isReady) return;
    // Never while something is being handed over: that would be found as never begun, and be handed over twice.
    if (this.#mustResume) {
      this.#mustResume = false;
      await this.#resume().catch((error: unknown) => {
        this.#mustResume = true;
        throw error;
      });
    }
    // Asking tmux takes a moment: only when something is about to be told.
    if (this.#plan(channels.config).actions.some(isTelling)) await attached();
    if (this.#isStopped) return;
    const plan = this.#plan(channels.config);
    this.book.apply(plan.actions, (channel) => channels.destinations(channel));
    await this.#hand();
    const next = Math.min(plan.wakeAt ?? Number.POSITIVE_INFINITY, this.#nextAttempt());
    if (next < Number.POSITIVE_INFINITY) this.#soon(Math.min(Math.max(0, next - clock.monotonic()), maxSleepMs));
  }

  #plan(notify: Config["notify"]): Plan {
    const { clock, presence } = this.#deps;
    const now = { at: clock.monotonic(), minute: minuteIn(clock.now(), notify.time_zone) };
    const seenUntil = (subject: Subject) => presence.until(idsOf(subject));
    return schedule({ notices: this.book.all(), notify, seenUntil, now });
  }

  /** Stores that they are on their way, makes that last, and only then gives them away. */
  async #hand(): Promise<void> {
    const { store, clock, sender } = this.#deps;
    const at = clock.monotonic();
    const due = this.book.all().filter((notice) => notice.sends.some((send) => isDue(send, at)));
    if (due.length === 0) return;
    const jobs = store.write((writer) =>
      due.flatMap((notice) => {
        const sends = notice.sends.filter((send) => isDue(send, at));
        return sends.flatMap((send) => {
          const { job, send: now } = this.#prepare(notice, send, at);
          this.book.put(writer, store.notice(notice.id) ?? notice, now);
          return job ? [{ job, of: { notice: notice.id, to: send.to, does: doesOf(send) } }] : [];
        });
      }),
    );
    await store.settled();
    for (const { job, of } of jobs) {
      this.#underWay.set(job.id, of);
      sender.hand(job);
    }
  }

  /** The job for a send, or the send as it is when there is nowhere to send it to. */
  #prepare(notice: NoticeRecord, send: Send, at: number): { readonly job?: NoticeJob; readonly send: Send } {
    const { store, clock, sender, channels } = this.#deps;
    const channel = channels.channel(send.to);
    const traits = channel && sender.traits(channel.kind);
    const address = channels.address(send.to);
    const isGone = send.to.includes("/") && address === undefined;
    if (!channel || !traits || isGone) {
      const { change, nextAt: _nextAt, ...rest } = send;
      const reason = channel ? "its address is gone" : "the channel is not configured any more";
      return { send: change ? rest : { ...rest, state: "failed", at, reason } };
    }
    return jobOf(notice, send, {
      ...{ notice: (id) => store.notice(id), question: (id) => store.question(id), channel, traits, at },
      ...(address === undefined ? {} : { address: address.address, mayAnswer: address.mayAnswer ?? true }),
      ...addressesOf(channels.config?.url, this.#deps.httpPort()),
      wallTime: (time) => wallTime(clock, time),
    });
  }

  #nextAttempt(): number {
    const times = this.book.all().flatMap(({ sends }) => sends.flatMap(dueAt));
    return Math.min(...times);
  }

  #done(job: string, outcome: Outcome): void {
    const { sender } = this.#deps;
    // The next daemon reads it in the sender's files.
    if (this.#isStopped) return;
    const known = this.#underWay.get(job);
    this.#underWay.delete(job);
    if (known) this.#store(known.notice, known.to, known.does, outcome);
    sender.forget(job);
    this.#soon();
  }

  #store(notice: string, to: string, does: UnderWay["does"], outcome: Outcome): void {
    const { channels } = this.#deps;
    this.book.done(notice, to, does, outcome);
    if (outcome.kind === "refused" && outcome.gone) channels.gone(to);
    this.#tests.get(notice)?.(to, outcome);
  }

  /** What is over for long is forgotten. */
  tidy(): void {
    const { clock } = this.#deps;
    this.book.forget(({ overAt, toldAt, at, state }) => {
      const since = overAt ?? toldAt ?? at;
      return state !== "waiting" && sureAge(clock, wallTime(clock, since)) > keptMs;
    });
  }
}

interface UnderWay {
  readonly notice: string;
  readonly to: string;
  readonly does: "send" | "change";
}

const daemonWasAway: News = {
  kind: "stands",
  fact: {
    ...{ key: "daemon", kind: "away", subject: { name: "Paneward's daemon" } },
    words: "did not stop by itself, and is back; programs kept running",
  },
};

function doesOf({ change }: Send): UnderWay["does"] {
  return change ? "change" : "send";
}

/** Where people find the dashboard, and where a button's capability is taken. */
function addressesOf(url: string | undefined, port: number | undefined): Pick<JobSources, "url" | "answerAt"> {
  if (url !== undefined) return { url, answerAt: `${url.replace(/\/+$/, "")}/tap` };
  return port === undefined ? {} : { answerAt: `http://127.0.0.1:${port}/tap` };
}

function isTelling({ do: what }: Action): boolean {
  return what === "tell" || what === "digest" || what === "escalate";
}

function isDue(send: Send, at: number): boolean {
  return dueAt(send).some((time) => time <= at);
}

function dueAt({ state, nextAt = 0, change }: Send): readonly number[] {
  if (change) return change.state === "queued" ? [change.nextAt ?? 0] : [];
  return state === "queued" ? [nextAt] : [];
}

function idsOf({ task, terminal }: Subject): readonly string[] {
  return [...(task === undefined ? [] : [String(task)]), ...(terminal === undefined ? [] : [terminal])];
}

/** How many events that tell nothing may have to be read again after a restart. */
const storeEvery = 1_000;
const readAgainMs = 10_000;
const tryAgainMs = 5_000;
/** Quiet hours go by the machine's clock, which can be set. */
const maxSleepMs = 60_000;
const keptMs = 7 * 24 * 3_600_000;
