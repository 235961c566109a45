import type { ChannelTraits, Outcome } from "../../src/model/notify/message.ts";
import type {
  Absence,
  Fate,
  ListeningChannel,
  NoticeJob,
  NoticeListener,
  NoticeSender,
  ToldAbsence,
} from "../../src/runtime/ports.ts";

/** A sender in memory: a test says what becomes of each job, and it outlives a daemon as the real one does. */
export class MemorySender {
  /** What arrived, also twice. */
  readonly arrived: NoticeJob[] = [];
  answer: (job: NoticeJob) => Outcome = (job) => ({ kind: "sent", said: "ok", ref: job.id });
  /** Jobs are sent, but nobody hears of it: the daemon was killed. */
  isCut = false;
  /** Jobs are lost on the way to it. */
  isDeaf = false;
  /** What it would tell of the daemon's absence, and what it told. */
  expected: Absence | undefined;
  told: ToldAbsence | undefined;
  listening: readonly ListeningChannel[] = [];
  /** Why channels cannot hear what is pressed. */
  troubles: Readonly<Record<string, string>> = {};
  readonly #fates = new Map<string, Fate>();
  #listener: NoticeListener | undefined;

  readonly traits = (kind: string): ChannelTraits | undefined => ({
    ...{ kind, text: "full", later: "update", idempotent: kind === "webhook" },
    limits: { title: 100, body: 500, label: 40, buttons: 4 },
  });

  get port(): NoticeSender {
    return {
      traits: this.traits,
      begin: async (listener) => {
        this.#listener = listener;
      },
      fate: async (job) => this.#fates.get(job) ?? { kind: "never_begun" },
      hand: (job) => this.#hand(job),
      forget: (job) => void this.#fates.delete(job),
      listen: (channels) => {
        this.listening = channels;
      },
      expect: (absence) => {
        this.expected = absence;
      },
      absence: async () => this.told,
      forgetAbsence: () => {
        this.told = undefined;
      },
      trouble: (channel) => this.troubles[channel],
      stop: () => {},
    };
  }

  #hand(job: NoticeJob): void {
    if (this.isDeaf) return;
    const outcome = this.answer(job);
    if (outcome.kind === "sent" || outcome.kind === "unknown") this.arrived.push(job);
    this.#fates.set(job.id, { kind: "done", outcome });
    if (!this.isCut) this.#listener?.done(job.id, outcome);
  }
}
