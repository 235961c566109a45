import type { AttentionChange } from "../../model/attention/change.ts";
import { lookedAtCpu } from "../../model/attention/cpu.ts";
import { type Circumstances, judge, type Verdict, type WeighedEvidence } from "../../model/attention/judge.ts";
import { nextChange } from "../../model/attention/next-change.ts";
import { silentAfter } from "../../model/attention/pace.ts";
import { begun, hasReported } from "../../model/attention/starting.ts";
import { steady } from "../../model/attention/steady.ts";
import { callEach } from "../../model/call-each.ts";
import type { Attention as Judged } from "../../model/status.ts";
import { idleStableMs } from "../../model/timing.ts";
import type { Clock } from "../ports.ts";
import { wallTime } from "../steady-time.ts";
import { askedBy } from "./asked-question.ts";
import type { IdentifiedQuestion } from "./question-identity.ts";
import { evidenceOf, type Watched } from "./watched.ts";

export interface VerdictPorts {
  readonly clock: Clock;
  /** The CPU time of a process and all below it; undefined where that cannot be seen. */
  readonly cpuTime: (host: string, pid: number) => number | undefined;
  /** An agent that claims to work, prints nothing and uses no CPU is stuck after this time. */
  readonly stuckAfterMs: number;
}

type Listener = (change: AttentionChange<IdentifiedQuestion>) => void;

/** The verdict on each watched terminal: judged at every report, and at the time when it may change without one. */
export class Verdicts {
  readonly #ports: VerdictPorts;
  readonly #listeners: Listener[] = [];

  constructor(ports: VerdictPorts) {
    this.#ports = ports;
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Judges now. With `reports` false, listeners are not called for a changed verdict. */
  judge(watched: Watched, reports = true): void {
    const now = this.#ports.clock.monotonic();
    if (watched.isStarting) watched.isStarting = !hasReported(watched.evidence);
    watched.hasBegun ||= begun(watched.evidence);
    const evidence = evidenceOf(watched, now);
    const circumstances = this.#circumstances(watched, judge(evidence, now), now);
    const verdict = judge(evidence, now, circumstances);
    const before = watched.steady?.shown;
    const { question, waitUntil } = askedBy(verdict, evidence, now, watched.agent?.readScreen !== undefined);
    const cpuAt = watched.cpu && watched.cpu.at + this.#ports.stuckAfterMs / looksUntilStuck;
    const moments = [nextChange(evidence, now, circumstances), waitUntil, cpuAt];
    if (waitUntil === undefined) {
      const candidate = question === undefined ? verdict : { ...verdict, question };
      // Two looks confirmed a question before it became evidence, and output proves work: only idle must last first.
      const held = steady(watched.steady, candidate, now, verdict.says === "idle" ? idleStableMs : 0);
      watched.steady = { ...held, shown: withFirstSince(before, held.shown) };
      moments.push(held.recheckAt);
    }
    this.#arm(watched, Math.min(...moments.map((moment) => moment ?? Number.POSITIVE_INFINITY)) - now);
    const shown = watched.steady?.shown;
    if (reports && shown && !(before && isSame(before, shown))) this.#report(watched, shown);
  }

  /** What is shown now, dated for people. */
  shown({ steady: held }: Watched): Judged | undefined {
    if (!held) return undefined;
    const { says, why, detail } = held.shown;
    return { says, why: { ...this.#dated(why), ...(detail === undefined ? {} : { detail }) } };
  }

  /** It asks something, drawn or not yet. */
  asks(watched: Watched): boolean {
    const now = this.#ports.clock.monotonic();
    return judge(evidenceOf(watched, now), now).says === "needs_input";
  }

  /** Every witness, what it says and whether it is believed, dated for people. */
  witnesses(watched: Watched): readonly (WeighedEvidence & { readonly rule: string })[] {
    const { clock, stuckAfterMs } = this.#ports;
    const now = clock.monotonic();
    const evidence = evidenceOf(watched, now);
    return judge(evidence, now, circumstancesOf(watched, stuckAfterMs)).witnesses.map((heard, at) => ({
      ...heard,
      at: wallTime(clock, heard.at),
      rule: evidence[at]?.rule ?? "",
    }));
  }

  #report({ id, hasBegun }: Watched, { says, why, detail, question }: Verdict<IdentifiedQuestion>): void {
    const change: AttentionChange<IdentifiedQuestion> = {
      ...{ terminal: id, hasBegun, says, why: this.#dated(why) },
      ...(detail === undefined ? {} : { detail }),
      ...(question === undefined ? {} : { question }),
    };
    callEach(this.#listeners, change);
  }

  #dated(why: Verdict["why"]): Verdict["why"] {
    return { ...why, since: wallTime(this.#ports.clock, why.since) };
  }

  // An agent that works in silence waits for a model, or hangs: only its CPU time shows which.
  #circumstances(watched: Watched, { says, why }: Verdict<IdentifiedQuestion>, now: number): Circumstances {
    const { cpuTime, stuckAfterMs } = this.#ports;
    if (says !== "working" || why.source === "output" || now - (watched.pace.lastAt ?? 0) < silentAfter(watched.pace)) {
      watched.cpu = undefined;
    } else if (!watched.cpu || now >= watched.cpu.at + stuckAfterMs / looksUntilStuck) {
      const used = cpuTime(watched.host, watched.place.pid);
      watched.cpu = used === undefined ? undefined : lookedAtCpu(watched.cpu, used, now);
      watched.startsForMs = used === undefined ? stuckAfterMs : undefined;
    }
    return circumstancesOf(watched, stuckAfterMs);
  }

  #arm(watched: Watched, ms: number): void {
    watched.cancelJudging?.();
    watched.cancelJudging = Number.isFinite(ms)
      ? this.#ports.clock.timer(Math.min(Math.max(1, ms), maxTimerMs), () => this.judge(watched))
      : undefined;
  }
}

/** Node's timers take no more than 24 days. */
const maxTimerMs = 3_600_000;
const looksUntilStuck = 4;

function circumstancesOf({ cpu }: Watched, stuckAfterMs: number): Circumstances {
  return { stuckAfterMs, ...(cpu?.idleSince === undefined ? {} : { cpuIdleSince: cpu.idleSince }) };
}

function isSame(one: Verdict<IdentifiedQuestion>, other: Verdict<IdentifiedQuestion>): boolean {
  return (
    one.says === other.says &&
    one.detail === other.detail &&
    one.why.source === other.why.source &&
    one.question?.hash === other.question?.hash &&
    one.question?.request === other.question?.request &&
    one.question?.text === other.question?.text &&
    one.question?.kind === other.question?.kind &&
    one.question?.freeText === other.question?.freeText &&
    one.question?.proof === other.question?.proof &&
    one.question?.doubt === other.question?.doubt
  );
}

// While output continues, keep the original start time.
function withFirstSince(
  before: Verdict<IdentifiedQuestion> | undefined,
  now: Verdict<IdentifiedQuestion>,
): Verdict<IdentifiedQuestion> {
  if (!before || before.says !== now.says || before.detail !== now.detail) return now;
  return { ...now, why: { ...now.why, since: Math.min(before.why.since, now.why.since) } };
}
