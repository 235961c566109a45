import { type Config, PanewardError } from "@paneward/sdk";
import type { Outcome } from "../../model/notify/message.ts";
import { type Fact, type Subject, testKey } from "../../model/notify/notice.ts";
import { minuteIn } from "../../model/notify/quiet.ts";
import { type Action, type Plan, schedule } from "../../model/notify/schedule.ts";
import { together } from "../../model/notify/together.ts";
import type { Cancel, NoticeSender, Tap } from "../ports.ts";
import { sureAge, wallTime } from "../steady-time.ts";
import type { World } from "../world.ts";
import { AbsenceInAdvance } from "./absence.ts";
import { NoticeBook } from "./book.ts";
import type { NotifyChannels } from "./channels.ts";
import { Handover } from "./handover.ts";
import { NewsReader } from "./news-reader.ts";
import type { Presence } from "./presence.ts";

export interface NotifierDeps extends Pick<World, "clock" | "log" | "store" | "httpPort"> {
  readonly sender: NoticeSender;
  readonly channels: NotifyChannels;
  readonly presence: Presence;
  /** What people are attached to, by tmux. */
  readonly attached: () => Promise<void>;
  readonly tapped: (tap: Tap) => Promise<void>;
}

/** Sends notices when they are due: `news` puts them into the book, `schedule` says what is due, `handover` sends it. */
export class Notifier {
  readonly #deps: NotifierDeps;
  readonly book: NoticeBook;
  readonly #news: NewsReader;
  readonly #handover: Handover;
  readonly #absence: AbsenceInAdvance;
  readonly #tests = new Map<string, (to: string, outcome: Outcome) => void>();
  #cancels: readonly Cancel[] = [];
  #timer: { readonly at: number; readonly cancel: Cancel } | undefined;
  #starting: Promise<void> | undefined;
  /** The daemon before did not stop by itself, and nobody has been told yet that this one is here. */
  #isBack = false;
  #isRunning = false;
  #runAgain = false;
  #isStopped = false;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
    const book = new NoticeBook(deps);
    this.book = book;
    this.#news = new NewsReader({ ...deps, book, told: () => this.#soon() });
    const reported = (notice: string, to: string, outcome: Outcome) => this.#tests.get(notice)?.(to, outcome);
    this.#absence = new AbsenceInAdvance(deps);
    const back = (shownBy?: readonly string[]) => {
      if (this.#isBack || shownBy !== undefined) this.#news.wasAway(shownBy ?? []);
      this.#isBack = false;
    };
    this.#handover = new Handover({ ...deps, book, reported, back, soon: () => this.#soon() });
  }

  /** Continues where the daemon before ended. `away`: it did not stop by itself. */
  begin(away: boolean): void {
    const { store, clock } = this.#deps;
    const stopEvents = store.onEvents((events) => {
      if (!this.#isStopped) this.#news.receive(events);
    });
    const stopLooking = clock.interval(readAgainMs, () => void this.readAgain());
    this.#cancels = [stopEvents, stopLooking];
    this.#isBack = away;
    void this.readAgain();
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#cancels) cancel();
    this.#timer?.cancel();
    this.#handover.stop();
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

  /** Shows the question of a notice again where that is possible, below these words. */
  renew(question: string, words: string): void {
    this.book.renew(`question ${question}`, words);
    this.#soon();
  }

  looked(): void {
    this.#soon();
  }

  /** Reads the configuration, which may have changed. */
  async readAgain(): Promise<void> {
    const { channels, log } = this.#deps;
    try {
      const before = JSON.stringify(channels.config);
      const isOther = await channels.read();
      if (this.#isStopped) return;
      // Also before the sender starts, which reads it first.
      this.#absence.give();
      if (this.book.sendAnew((to) => channels.settings(to))) this.#soon();
      if (isOther) await this.#configured();
      // What waits for the end of a dwell or of quiet hours may be due by other rules.
      else if (JSON.stringify(channels.config) !== before) this.#soon();
    } catch (error) {
      log.warn("the configuration of notices could not be read", { error: String(error) });
    }
  }

  // Without a channel nothing is stored, and no process runs.
  async #configured(): Promise<void> {
    const { channels, log, clock } = this.#deps;
    if (!channels.areConfigured) {
      this.book.end();
      return;
    }
    this.#news.catchUp();
    try {
      await this.#start();
      this.#handover.listen();
      this.#soon();
    } catch (error) {
      log.error("notices cannot be sent: their sender does not start", { error: String(error) });
      if (!this.#isStopped) clock.timer(tryAgainMs, () => void this.#configured());
    }
  }

  #start(): Promise<void> {
    const begun = () => this.#handover.begin().then(() => this.#run());
    this.#starting ??= begun().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
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
      this.#deps.log.error("notices could not be sent; trying again in a moment", { error: String(error) });
      this.#soon(tryAgainMs);
    } finally {
      this.#isRunning = false;
    }
  }

  async #once(): Promise<void> {
    const { channels, clock, attached } = this.#deps;
    if (!channels.config || !this.#handover.isReady) return;
    await this.#handover.resume();
    // Asking tmux takes a moment: only when something is about to be told.
    if (this.#plan(channels.config).actions.some(isTelling)) await attached();
    if (this.#isStopped) return;
    const plan = this.#plan(channels.config);
    this.book.apply(plan.actions, (channel) => channels.destinations(channel));
    await this.#handover.hand();
    const next = Math.min(plan.wakeAt ?? Number.POSITIVE_INFINITY, this.#handover.nextAttempt());
    if (next < Number.POSITIVE_INFINITY) this.#soon(Math.min(Math.max(0, next - clock.monotonic()), maxSleepMs));
  }

  #plan(notify: Config["notify"]): Plan {
    const { clock, presence } = this.#deps;
    const now = { at: clock.monotonic(), minute: minuteIn(clock.now(), notify.time_zone) };
    const seenUntil = (subject: Subject) => presence.until(idsOf(subject));
    return schedule({ notices: this.book.all(), notify, seenUntil, now });
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

function isTelling({ do: what }: Action): boolean {
  return what === "tell" || what === "digest" || what === "escalate";
}

function idsOf({ task, terminal }: Subject): readonly string[] {
  return [...(task === undefined ? [] : [String(task)]), ...(terminal === undefined ? [] : [terminal])];
}

const readAgainMs = 10_000;
const tryAgainMs = 5_000;
/** Quiet hours go by the machine's clock, which can be set. */
const maxSleepMs = 60_000;
const keptMs = 7 * 24 * 3_600_000;
