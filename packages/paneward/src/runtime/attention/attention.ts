import type { Agent } from "../../agents/agent.ts";
import { answered } from "../../model/attention/answered.ts";
import type { AttentionChange } from "../../model/attention/change.ts";
import { lookedAtCpu } from "../../model/attention/cpu.ts";
import type { Evidence } from "../../model/attention/evidence.ts";
import { firstDrawn } from "../../model/attention/first-drawn.ts";
import { type Circumstances, type Heard, judge, type Verdict } from "../../model/attention/judge.ts";
import { nextChange } from "../../model/attention/next-change.ts";
import { printed, silentAfter } from "../../model/attention/pace.ts";
import { remember } from "../../model/attention/remember.ts";
import { begun, spoke } from "../../model/attention/starting.ts";
import { steady } from "../../model/attention/steady.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { Attention as Judged } from "../../model/status.ts";
import {
  afterDialogHookLookMs,
  afterHookLookMs,
  burstMs,
  firstLookMs,
  idleStableMs,
  noiseForgottenMs,
} from "../../model/timing.ts";
import type { Clock, Log, ScreenLook, Terminals } from "../ports.ts";
import { askedBy } from "./asked-question.ts";
import { Looks } from "./looks.ts";
import { OscStatus, type ReportedStatus } from "./osc-status.ts";
import type { IdentifiedQuestion } from "./question-identity.ts";
import { readScreen } from "./screen.ts";
import { seeTwice } from "./second-look.ts";
import { evidenceOf, maxMs, settleMs, type Watched, watch } from "./watched.ts";

export interface AttentionPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly terminals: Pick<Terminals, "look" | "read" | "cursorBeforeEnd" | "times">;
  /** The CPU time of a process and all below it; undefined where that cannot be seen. */
  readonly cpuTime: (host: string, pid: number) => number | undefined;
  /** Who claims to work in silence and without CPU for so long is stuck. */
  readonly stuckAfterMs: number;
}

/** What every running program does, from everything that witnesses say. Each change is told once. */
export class Attention {
  readonly #ports: AttentionPorts;
  readonly #watched = new Map<string, Watched>();
  readonly #looks: Looks;
  readonly #ownWords: OscStatus;
  readonly #listeners: ((change: AttentionChange<IdentifiedQuestion>) => void)[] = [];

  constructor(ports: AttentionPorts) {
    this.#ports = ports;
    this.#looks = new Looks(ports.clock, (id) => this.#look(id));
    this.#ownWords = new OscStatus(ports, (id, word) => this.#heardOwn(id, word));
  }

  /** Called whenever the answer, its reason or its question is another one. In the order in which they came. */
  onChange(listener: (change: AttentionChange<IdentifiedQuestion>) => void): void {
    this.#listeners.push(listener);
  }

  /** A program runs: since just now, or since before the daemon was there (`known` is what was known then). */
  started(record: TerminalRecord, agent: Agent | undefined, known?: readonly Evidence<IdentifiedQuestion>[]): void {
    if (!record.place) return;
    this.forget(record.id);
    const watched = watch(record, record.place, agent, known, this.#ports.clock.now());
    this.#watched.set(record.id, watched);
    // What was known before the daemon was away is no news.
    this.#judge(watched, known === undefined);
    this.#looks.within(record.id, firstLookMs);
    this.#ownWords.started(record, known !== undefined);
  }

  restarts(record: TerminalRecord): Promise<void> {
    return this.#ownWords.restarts(record);
  }

  /** Something was printed: just now, or, when it is `old`, before anybody listened. */
  output(terminal: string, old = false): void {
    const watched = this.#watched.get(terminal);
    if (!watched) return;
    this.#ownWords.printed(terminal);
    if (watched.remembered || old) {
      this.#looks.within(terminal, 0);
      return;
    }
    const now = this.#ports.clock.now();
    const before = watched.pace.lastAt ?? 0;
    watched.pace = printed(watched.pace, now);
    if (now - before > noiseForgottenMs) watched.fruitless = 0;
    this.#looks.printed(terminal, settleMs(watched), maxMs(watched));
    if (watched.agent?.readScreen === undefined) watched.evidence = watched.evidence.filter(outlivesOutput);
    // A busy terminal prints hundreds of times a second; that it works is known.
    if (now - before < burstMs && watched.steady?.shown.says === "working") return;
    this.#judge(watched);
  }

  /** A witness speaks. */
  hear(terminal: string, heard: Evidence<IdentifiedQuestion>): void {
    const watched = this.#watched.get(terminal);
    if (!watched) return;
    watched.evidence = remember(watched.evidence, heard);
    this.#judge(watched);
    // What was told is drawn soon; and a look well after it can tell that it is over.
    if (drawsSoon.has(heard.witness)) this.lookSoon(terminal, heard.question ? afterDialogHookLookMs : afterHookLookMs);
  }

  /** Its question was answered at that time, and is closed. */
  answered(terminal: string, givenAt: number): void {
    const watched = this.#watched.get(terminal);
    if (!watched) return;
    watched.evidence = answered(watched.evidence, givenAt, this.#ports.clock.now());
    watched.confirmed = undefined;
    watched.pending = undefined;
    this.#judge(watched);
    this.lookSoon(terminal);
  }

  /** Looks at the screen soon, and again when everything that goes with a hook must be drawn. */
  lookSoon(terminal: string, againMs: number = afterHookLookMs): void {
    if (!this.#watched.has(terminal)) return;
    this.#looks.within(terminal, 100);
    setTimeout(() => {
      if (this.#watched.has(terminal)) this.#looks.within(terminal, 0);
    }, againMs).unref();
  }

  forget(terminal: string): void {
    clearTimeout(this.#watched.get(terminal)?.timer);
    this.#watched.delete(terminal);
    this.#looks.forget(terminal);
    this.#ownWords.forget(terminal);
  }

  lastOutputAt(terminal: string): number | undefined {
    return this.#watched.get(terminal)?.pace.lastAt;
  }

  agentOf(terminal: string): Agent | undefined {
    return this.#watched.get(terminal)?.agent;
  }

  attention(terminal: string): Judged | undefined {
    const shown = this.#watched.get(terminal)?.steady?.shown;
    if (!shown) return undefined;
    const { says, why, detail } = shown;
    return { says, why: detail === undefined ? why : { ...why, detail } };
  }

  /** It asks something, drawn or not yet. */
  asks(terminal: string): boolean {
    const watched = this.#watched.get(terminal);
    const now = this.#ports.clock.now();
    return watched !== undefined && judge(evidenceOf(watched, now), now).says === "needs_input";
  }

  /** Every witness, with what he says and whether he is believed. */
  witnesses(terminal: string): readonly (Heard & { readonly rule: string })[] {
    const watched = this.#watched.get(terminal);
    if (!watched) return [];
    const now = this.#ports.clock.now();
    const evidence = evidenceOf(watched, now);
    return judge(evidence, now, circumstancesOf(watched, this.#ports.stuckAfterMs)).witnesses.map((heard, at) => ({
      ...heard,
      rule: evidence[at]?.rule ?? "",
    }));
  }

  stop(): void {
    for (const terminal of [...this.#watched.keys()]) this.forget(terminal);
    this.#looks.stop();
  }

  #judge(watched: Watched, tells = true): void {
    const now = this.#ports.clock.now();
    if (watched.isStarting) watched.isStarting = !spoke(watched.evidence);
    watched.hasBegun ||= begun(watched.evidence);
    const evidence = evidenceOf(watched, now);
    const circumstances = this.#circumstances(watched, judge(evidence, now), now);
    const verdict = judge(evidence, now, circumstances);
    const before = watched.steady?.shown;
    const { question, waitUntil } = askedBy(verdict, evidence, now, watched.agent?.readScreen !== undefined);
    const cpuAt = watched.cpu && watched.cpu.at + this.#ports.stuckAfterMs / looksUntilStuck;
    const moments = [nextChange(evidence, now, circumstances), waitUntil, cpuAt];
    if (waitUntil === undefined) {
      const asked = question === undefined ? verdict : { ...verdict, question };
      // A question was seen twice before it became evidence, and output is work: only rest must prove itself.
      const held = steady(watched.steady, asked, now, verdict.says === "idle" ? idleStableMs : 0);
      watched.steady = { ...held, shown: sinceThen(before, held.shown) };
      moments.push(held.recheckAt);
    }
    this.#arm(watched, Math.min(...moments.map((moment) => moment ?? Number.POSITIVE_INFINITY)) - now);
    const shown = watched.steady?.shown;
    if (!tells || !shown || (before && isSame(before, shown))) return;
    for (const listener of this.#listeners) listener({ ...shown, terminal: watched.id, hasBegun: watched.hasBegun });
  }

  // Whoever works in silence may wait for a model, or for ever: only his CPU time tells.
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
    clearTimeout(watched.timer);
    watched.timer = Number.isFinite(ms)
      ? setTimeout(() => this.#judge(watched), Math.min(Math.max(1, ms), maxTimerMs)).unref()
      : undefined;
  }

  async #look(id: string): Promise<void> {
    const watched = this.#watched.get(id);
    if (!watched) return;
    try {
      const askedAt = this.#ports.clock.now();
      const look = await this.#ports.terminals.look(watched.host, watched.place);
      if (this.#watched.get(id) === watched) this.#saw(watched, look, askedAt);
    } catch (error) {
      if (this.#watched.get(id) !== watched) return;
      watched.failures += 1;
      if (watched.failures === 5)
        this.#ports.log.warn("a screen cannot be read", { terminal: id, error: String(error) });
      this.#looks.within(id, Math.min(500 * 2 ** watched.failures, 30_000));
    }
  }

  // Dated by when it was asked for: what is told while a look is under way is newer.
  #saw(watched: Watched, look: ScreenLook, now: number): void {
    watched.failures = 0;
    this.#sawTitle(watched, look.title, now);
    const { evidence, againMs } = seeTwice(watched, readScreen(watched.agent, look), now);
    if (evidence) {
      watched.evidence = remember(watched.evidence, firstDrawn(watched.evidence, evidence));
      watched.remembered = false;
    }
    if (againMs !== undefined) this.#looks.within(watched.id, againMs);
    this.#judge(watched);
  }

  // Its newest word is all there is, also when one from before the daemon's start has a later date.
  #heardOwn(id: string, word: ReportedStatus): void {
    const watched = this.#watched.get(id);
    if (!watched) return;
    const { says, rule, at } = word ?? { says: "unknown", rule: "its output says nothing any more", at: undefined };
    const heard: Evidence<IdentifiedQuestion> = { witness: "osc", says, rule, at: at ?? this.#ports.clock.now() };
    watched.evidence = [...watched.evidence.filter(({ witness }) => witness !== "osc"), heard];
    this.#judge(watched);
  }

  #sawTitle(watched: Watched, title: string, now: number): void {
    const told = watched.agent?.readTitle?.(title);
    watched.titleBefore ??= title;
    if (!told) return;
    const { says, rule, detail } = told;
    if (watched.isStarting && says === "idle" && watched.titleBefore === title) return;
    const evidence: Evidence<IdentifiedQuestion> = {
      witness: "title",
      says,
      rule,
      at: now,
      ...(detail === undefined ? {} : { detail }),
    };
    watched.evidence = remember(watched.evidence, evidence);
  }
}

/** What these tell is drawn a moment later. */
const drawsSoon: ReadonlySet<Evidence["witness"]> = new Set(["hook", "event_stream", "state_file"]);
const maxTimerMs = 3_600_000;
const looksUntilStuck = 4;

function circumstancesOf({ cpu }: Watched, stuckAfterMs: number): Circumstances {
  return { stuckAfterMs, ...(cpu?.idleSince === undefined ? {} : { cpuIdleSince: cpu.idleSince }) };
}

// The next line may begin a command: a prompt of a shell is believed until something is printed.
function outlivesOutput({ witness, says }: Evidence): boolean {
  return !(witness === "screen" && says === "idle");
}

function isSame(one: Verdict<IdentifiedQuestion>, other: Verdict<IdentifiedQuestion>): boolean {
  return (
    one.says === other.says &&
    one.detail === other.detail &&
    one.why.source === other.why.source &&
    one.question?.hash === other.question?.hash &&
    one.question?.request === other.question?.request &&
    one.question?.text === other.question?.text
  );
}

// Whoever goes on printing works since he began, not since his last line.
function sinceThen(
  before: Verdict<IdentifiedQuestion> | undefined,
  now: Verdict<IdentifiedQuestion>,
): Verdict<IdentifiedQuestion> {
  if (!before || before.says !== now.says || before.detail !== now.detail) return now;
  return { ...now, why: { ...now.why, since: Math.min(before.why.since, now.why.since) } };
}
