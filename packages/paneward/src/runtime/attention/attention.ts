import type { Agent } from "../../agents/agent.ts";
import { answered } from "../../model/attention/answered.ts";
import type { AttentionChange } from "../../model/attention/change.ts";
import type { Evidence } from "../../model/attention/evidence.ts";
import type { WeighedEvidence } from "../../model/attention/judge.ts";
import { printed } from "../../model/attention/pace.ts";
import { remember } from "../../model/attention/remember.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { Attention as Judged } from "../../model/status.ts";
import { afterDialogHookLookMs, burstMs, firstLookMs, noiseForgottenMs } from "../../model/timing.ts";
import { steadyTime, wallTime } from "../steady-time.ts";
import { type Ports as OscPorts, OscStatus, type ReportedStatus } from "./osc-status.ts";
import type { IdentifiedQuestion } from "./question-identity.ts";
import { type ScreenPorts, ScreenWatch } from "./screen-watch.ts";
import { type VerdictPorts, Verdicts } from "./verdicts.ts";
import { type Watched, watch } from "./watched.ts";

/** What is known of an output. */
interface Printed {
  readonly old: boolean;
  /** Its last line has text and no end, as a prompt. */
  readonly isOpenLine: boolean;
}

export type AttentionPorts = VerdictPorts & ScreenPorts & OscPorts;

/**
 * What every running program does, judged from everything that witnesses report. Each change is reported once. All
 * evidence is dated in monotonic time; dates that are returned for people are wall time.
 */
export class Attention {
  readonly #ports: AttentionPorts;
  readonly #watched = new Map<string, Watched>();
  readonly #verdicts: Verdicts;
  readonly #screens: ScreenWatch;
  readonly #osc: OscStatus;

  constructor(ports: AttentionPorts) {
    this.#ports = ports;
    this.#verdicts = new Verdicts(ports);
    this.#screens = new ScreenWatch(ports, this.#watched, (watched) => this.#verdicts.judge(watched));
    this.#osc = new OscStatus(ports, (id, status) => this.#receiveOsc(id, status));
  }

  /** Called whenever the verdict, its reason or its question changed, in the order in which that happened. */
  onChange(listener: (change: AttentionChange<IdentifiedQuestion>) => void): void {
    this.#verdicts.onChange(listener);
  }

  /** A program runs: since just now, or since before the daemon started (`known` is the evidence from then). */
  started(record: TerminalRecord, agent: Agent | undefined, known?: readonly Evidence<IdentifiedQuestion>[]): void {
    if (!record.place) return;
    this.forget(record.id);
    const { clock } = this.#ports;
    const startedAt = steadyTime(clock, record.startedAt ?? record.createdAt);
    const watched = watch(record, record.place, agent, { known, startedAt, now: clock.monotonic() });
    this.#watched.set(record.id, watched);
    // Known before the daemon started, so not reported as a change.
    this.#verdicts.judge(watched, known === undefined);
    this.#screens.within(record.id, firstLookMs);
    this.#osc.started(record, known !== undefined, agent?.readScreen !== undefined);
  }

  /** Its program is about to be started again in the same journal. */
  restarts(record: TerminalRecord): Promise<void> {
    return this.#osc.restarts(record);
  }

  /** Something was printed: just now, or, when it is `old`, before the daemon listened. */
  output(terminal: string, { old = false, isOpenLine = false }: Partial<Printed> = {}): void {
    const watched = this.#watched.get(terminal);
    if (!watched) return;
    this.#osc.printed(terminal);
    if (watched.remembered || old) {
      this.#screens.within(terminal, 0);
      return;
    }
    const now = this.#ports.clock.monotonic();
    const before = watched.pace.lastAt ?? 0;
    watched.pace = printed(watched.pace, now);
    if (now - before > noiseForgottenMs) {
      watched.looksWithoutResult = 0;
      watched.openLinesWithoutResult = 0;
    }
    watched.isOpenLine = isOpenLine;
    this.#screens.printed(watched);
    if (watched.agent?.readScreen === undefined) watched.evidence = watched.evidence.filter(outlivesOutput);
    // A busy terminal prints hundreds of times a second; that it works is known.
    if (now - before < burstMs && watched.steady?.shown.says === "working") return;
    this.#verdicts.judge(watched);
  }

  /** A witness reports; the evidence is dated in monotonic time. */
  report(terminal: string, evidence: Evidence<IdentifiedQuestion>): void {
    const watched = this.#watched.get(terminal);
    if (!watched) return;
    watched.evidence = remember(watched.evidence, evidence);
    this.#verdicts.judge(watched);
    // A report is drawn soon; and a look well after it can show that it is over.
    if (drawsSoon.has(evidence.witness))
      this.#screens.soon(terminal, evidence.question ? afterDialogHookLookMs : undefined);
  }

  /** Its question was answered at that monotonic time, and is closed. */
  answered(terminal: string, givenAt: number): void {
    const watched = this.#watched.get(terminal);
    if (!watched) return;
    watched.evidence = answered(watched.evidence, givenAt, this.#ports.clock.monotonic());
    watched.confirmed = undefined;
    watched.pending = undefined;
    this.#verdicts.judge(watched);
    this.#screens.soon(terminal);
  }

  forget(terminal: string): void {
    this.#watched.get(terminal)?.cancelJudging?.();
    this.#watched.delete(terminal);
    this.#screens.forget(terminal);
    this.#osc.forget(terminal);
  }

  /** A date for people. */
  lastOutputAt(terminal: string): number | undefined {
    const at = this.#watched.get(terminal)?.pace.lastAt;
    return at === undefined ? undefined : wallTime(this.#ports.clock, at);
  }

  /** When its process started, in monotonic time. */
  startedAt(terminal: string): number | undefined {
    return this.#watched.get(terminal)?.startedAt;
  }

  agentOf(terminal: string): Agent | undefined {
    return this.#watched.get(terminal)?.agent;
  }

  attention(terminal: string): Judged | undefined {
    const watched = this.#watched.get(terminal);
    return watched && this.#verdicts.shown(watched);
  }

  /** Whether a look has found something known on its screen since its program began. */
  understands(terminal: string): boolean {
    return this.#watched.get(terminal)?.isUnderstood === true;
  }

  /** It asks something, drawn or not yet. */
  asks(terminal: string): boolean {
    const watched = this.#watched.get(terminal);
    return watched !== undefined && this.#verdicts.asks(watched);
  }

  /** Every witness, what it says and whether it is believed. */
  witnesses(terminal: string): readonly (WeighedEvidence & { readonly rule: string })[] {
    const watched = this.#watched.get(terminal);
    return watched ? this.#verdicts.witnesses(watched) : [];
  }

  stop(): void {
    for (const terminal of [...this.#watched.keys()]) this.forget(terminal);
    this.#screens.stop();
  }

  // The newest status is all there is, also when one from before the daemon's start has a later date.
  #receiveOsc(id: string, status: ReportedStatus): void {
    const watched = this.#watched.get(id);
    if (!watched) return;
    const { says, rule, at } = status ?? {
      ...{ says: "unknown" as const, rule: "its output no longer reports a status" },
      at: this.#ports.clock.monotonic(),
    };
    const evidence: Evidence<IdentifiedQuestion> = { witness: "osc", says, rule, at };
    watched.evidence = [...watched.evidence.filter(({ witness }) => witness !== "osc"), evidence];
    this.#verdicts.judge(watched);
  }
}

/** What these report is drawn a moment later. */
const drawsSoon: ReadonlySet<Evidence["witness"]> = new Set(["hook", "event_stream", "state_file"]);

// The next line may begin a command: a shell's prompt is believed until something is printed.
function outlivesOutput({ witness, says }: Evidence): boolean {
  return !(witness === "screen" && says === "idle");
}
