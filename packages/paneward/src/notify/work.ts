import { cutText } from "../model/cut-texts.ts";
import type { Outcome } from "../model/notify/message.ts";
import type { NoticeJob } from "../runtime/ports.ts";
import type { Tools } from "./channel.ts";
import { channelKind } from "./channels.ts";
import { scrubbed, withSecrets } from "./secrets.ts";
import type { Spool } from "./spool.ts";

export interface WorkPorts {
  readonly spool: Pick<Spool, "take" | "keep" | "fate" | "isWanted">;
  readonly tools: Tools;
  readonly done: (job: string, outcome: Outcome) => void;
  readonly limitMs?: number;
}

/** Attempts jobs, each at most once, a few at a time for each channel: one that hangs holds no other up. */
export class Work {
  readonly #ports: WorkPorts;
  readonly #queues = new Map<string, NoticeJob[]>();
  readonly #running = new Map<string, number>();
  #isEnding = false;
  #idle: (() => void) | undefined;

  constructor(ports: WorkPorts) {
    this.#ports = ports;
  }

  add(job: NoticeJob): void {
    const queue = this.#queues.get(job.channel) ?? [];
    queue.push(job);
    this.#queues.set(job.channel, queue);
    this.#next(job.channel);
  }

  /** The daemon is gone. Resolves when everything is done, or as soon as a successor takes the rest. */
  async end(): Promise<void> {
    this.#isEnding = true;
    while (this.#isBusy) {
      const idle = new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
      await idle;
    }
  }

  get #isBusy(): boolean {
    const isRunning = [...this.#running.values()].some((count) => count > 0);
    return isRunning || (!this.#isLeft && [...this.#queues.values()].some((queue) => queue.length > 0));
  }

  get #isLeft(): boolean {
    return this.#isEnding && this.#ports.spool.isWanted;
  }

  #next(channel: string): void {
    const queue = this.#queues.get(channel) ?? [];
    while (queue.length > 0 && (this.#running.get(channel) ?? 0) < atOnce && !this.#isLeft) {
      const job = queue.shift();
      if (!job) break;
      this.#count(channel, 1);
      void this.#attempt(job).finally(() => {
        this.#count(channel, -1);
        this.#next(channel);
        this.#idle?.();
      });
    }
  }

  #count(channel: string, by: number): void {
    this.#running.set(channel, (this.#running.get(channel) ?? 0) + by);
  }

  async #attempt(job: NoticeJob): Promise<void> {
    const { spool, done } = this.#ports;
    try {
      if (!spool.take(job.id)) {
        const fate = spool.fate(job.id);
        return done(job.id, fate.kind === "done" ? fate.outcome : { kind: "unknown", said: "it was begun before" });
      }
    } catch (error) {
      // Without the file, nobody would know after a crash that it may have been sent.
      return done(job.id, { kind: "later", said: `the attempt could not be recorded: ${(error as Error).message}` });
    }
    const outcome = await this.once(job);
    try {
      spool.keep(job.id, outcome);
    } catch {
      // The daemon hears of it below; only a daemon that is killed now cannot read it.
    }
    done(job.id, outcome);
  }

  /** One attempt, of which nothing is kept. */
  once(job: NoticeJob): Promise<Outcome> {
    return this.#within(this.#send(job));
  }

  /** Each channel has limits of its own; no mistake in one may hold the others up. */
  async #within(sending: Promise<Outcome>): Promise<Outcome> {
    const { tools, limitMs = defaultLimitMs } = this.#ports;
    const done = new AbortController();
    const tooLate = tools
      .sleep(limitMs, done.signal)
      .then((): Outcome => ({ kind: "unknown", said: `it was not done within ${limitMs / 1_000} s` }));
    return Promise.race([sending, tooLate]).finally(() => done.abort());
  }

  async #send(job: NoticeJob): Promise<Outcome> {
    const kind = channelKind(job.kind);
    if (!kind) return { kind: "refused", said: `there is no channel of the kind ${job.kind}` };
    let settings = job.settings;
    try {
      settings = await withSecrets(settings);
    } catch (error) {
      return { kind: "refused", said: (error as Error).message };
    }
    const { tools } = this.#ports;
    const to = { settings, ...(job.address === undefined ? {} : { address: job.address }) };
    try {
      if (job.does === "send") return clean(await kind.send(job.message, to, tools), settings);
      if (!kind.change || job.ref === undefined)
        return { kind: "refused", said: "this channel changes nothing afterwards" };
      return clean(await kind.change(job.does, job.message, { ...to, ref: job.ref }, tools), settings);
    } catch (error) {
      return clean({ kind: "unknown", said: `it failed unexpectedly: ${(error as Error).message}` }, settings);
    }
  }
}

/** What a service says is kept with the notice: little of it, and none of its name for the notice if that is no name. */
function clean(outcome: Outcome, settings: NoticeJob["settings"]): Outcome {
  const said = cutText(scrubbed(outcome.said, settings), 500);
  if (outcome.kind !== "sent" || outcome.ref === undefined || outcome.ref.length <= maxRef) return { ...outcome, said };
  const { ref: _tooLong, ...rest } = outcome;
  return { ...rest, said };
}

const maxRef = 200;

const atOnce = 4;
const defaultLimitMs = 60_000;
