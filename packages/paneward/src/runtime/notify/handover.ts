import type { Outcome } from "../../model/notify/message.ts";
import type { NoticeRecord, Send } from "../../model/notify/notice.ts";
import type { NoticeJob, NoticeSender, Tap } from "../ports.ts";
import { steadyTime, wallTime } from "../steady-time.ts";
import type { World } from "../world.ts";
import { daemonIsAway } from "./absence.ts";
import type { NoticeBook } from "./book.ts";
import type { NotifyChannels } from "./channels.ts";
import { type JobSources, jobId, jobOf, notHanded } from "./job.ts";

export interface HandoverDeps extends Pick<World, "clock" | "store" | "httpPort"> {
  readonly sender: NoticeSender;
  readonly channels: NotifyChannels;
  readonly book: NoticeBook;
  readonly tapped: (tap: Tap) => Promise<void>;
  /** The channels that show already that the daemon is back; undefined if nobody was told that it was away. */
  readonly back: (shownBy: readonly string[] | undefined) => void;
  readonly reported: (notice: string, to: string, outcome: Outcome) => void;
  /** Something may be due now. */
  readonly soon: () => void;
}

/** Hands what is due to the sender's process, and records what became of it: each send once, whatever ends in between. */
export class Handover {
  readonly #deps: HandoverDeps;
  readonly #underWay = new Map<string, UnderWay>();
  #isReady = false;
  /** A new sender runs: what the one before did is to be read. */
  #mustResume = false;
  #isStopped = false;

  constructor(deps: HandoverDeps) {
    this.#deps = deps;
  }

  /** Whether the sender has started. */
  get isReady(): boolean {
    return this.#isReady;
  }

  async begin(): Promise<void> {
    await this.#deps.sender.begin({
      done: (job, outcome) => this.#done(job, outcome),
      tapped: (tap) => {
        if (!this.#isStopped) void this.#deps.tapped(tap);
      },
      // What was given to the one before is in its files, or lost on the way.
      again: () => {
        this.#underWay.clear();
        this.#mustResume = true;
        this.#deps.soon();
      },
    });
    this.#isReady = true;
    this.#mustResume = true;
  }

  stop(): void {
    this.#isStopped = true;
    this.#deps.sender.stop();
  }

  /** Reads what an earlier sender had. Never while something is handed over: that would be found as never begun. */
  async resume(): Promise<void> {
    if (!this.#mustResume) return;
    this.#mustResume = false;
    await this.#resume().catch((error: unknown) => {
      this.#mustResume = true;
      throw error;
    });
  }

  /** Stores that they are on their way, makes that last, and only then gives them away. */
  async hand(): Promise<void> {
    const { store, clock, sender, book } = this.#deps;
    const at = clock.monotonic();
    const due = book.all().filter((notice) => notice.sends.some((send) => isDue(send, at)));
    if (due.length === 0) return;
    const jobs = store.write((writer) =>
      due.flatMap((notice) => {
        const sends = notice.sends.filter((send) => isDue(send, at));
        return sends.flatMap((send) => {
          const { job, send: now } = this.#prepare(notice, send, at);
          book.put(writer, store.notice(notice.id) ?? notice, now);
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

  /** When the next attempt is due. */
  nextAttempt(): number {
    const times = this.#deps.book.all().flatMap(({ sends }) => sends.flatMap(dueAt));
    return Math.min(...times);
  }

  /** Hears the buttons of the channels that are configured. */
  listen(): void {
    const { channels, sender } = this.#deps;
    const all = Object.entries(channels.config?.channels ?? {});
    sender.listen(all.map(([channel, { kind, text: _text, ...settings }]) => ({ channel, kind, settings })));
  }

  /** What an earlier sender had: done, lost on the way, or never begun. */
  async #resume(): Promise<void> {
    const { sender, book } = this.#deps;
    for (const notice of book.all()) {
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
    await this.#takeAbsence();
    book.showAnew();
    this.listen();
  }

  async #takeAbsence(): Promise<void> {
    const { sender, book, clock, store, back } = this.#deps;
    const told = await sender.absence();
    if (!told) return back(undefined);
    back(book.takeAbsence(told, daemonIsAway, steadyTime(clock, told.at)));
    await store.settled();
    sender.forgetAbsence();
  }

  #putBack(id: string, { to }: Send): void {
    const { store, book } = this.#deps;
    const notice = store.notice(id);
    const send = notice?.sends.find((one) => one.to === to);
    if (!notice || !send) return;
    store.keep((writer) => void book.put(writer, notice, notHanded(send)));
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
    const settings = channels.settings(send.to);
    const known = settings === undefined || send.change ? send : { ...send, settings };
    return jobOf(notice, known, {
      ...{ notice: (id) => store.notice(id), question: (id) => store.question(id), channel, traits, at },
      ...(address === undefined ? {} : { address: address.address, mayAnswer: address.mayAnswer ?? true }),
      ...addressesOf(channels.config?.url, this.#deps.httpPort()),
      wallTime: (time) => wallTime(clock, time),
    });
  }

  #done(job: string, outcome: Outcome): void {
    const { sender, soon } = this.#deps;
    // The next daemon reads it in the sender's files.
    if (this.#isStopped) return;
    const known = this.#underWay.get(job);
    this.#underWay.delete(job);
    if (known) this.#store(known.notice, known.to, known.does, outcome);
    sender.forget(job);
    soon();
  }

  #store(notice: string, to: string, does: UnderWay["does"], outcome: Outcome): void {
    const { channels, book, reported } = this.#deps;
    book.done(notice, to, does, outcome);
    if (outcome.kind === "refused" && outcome.gone) channels.gone(to);
    reported(notice, to, outcome);
  }
}

interface UnderWay {
  readonly notice: string;
  readonly to: string;
  readonly does: "send" | "change";
}

function doesOf({ change }: Send): UnderWay["does"] {
  return change ? "change" : "send";
}

/** Where people find the dashboard, and where a button's capability is taken. */
function addressesOf(url: string | undefined, port: number | undefined): Pick<JobSources, "url" | "answerAt"> {
  if (url !== undefined) return { url, answerAt: `${url.replace(/\/+$/, "")}/tap` };
  return port === undefined ? {} : { answerAt: `http://127.0.0.1:${port}/tap` };
}

function isDue(send: Send, at: number): boolean {
  return dueAt(send).some((time) => time <= at);
}

function dueAt({ state, nextAt = 0, change }: Send): readonly number[] {
  if (change) return change.state === "queued" ? [change.nextAt ?? 0] : [];
  return state === "queued" ? [nextAt] : [];
}
