import type { Agent } from "../../agents/agent.ts";
import type { CpuUse } from "../../model/attention/cpu.ts";
import type { Evidence } from "../../model/attention/evidence.ts";
import { noPace, type Pace, silentAfter } from "../../model/attention/pace.ts";
import { hasReported, starting } from "../../model/attention/starting.ts";
import type { Steady } from "../../model/attention/steady.ts";
import type { PanePlace, TerminalRecord } from "../../model/records.ts";
import { askedAndPrintsLookMs, promptSettlesMs, screenSettlesMs, spinnerLookMs } from "../../model/timing.ts";
import type { Cancel, Listening } from "../ports.ts";
import type { IdentifiedQuestion } from "./question-identity.ts";

/** A terminal whose program runs, with all evidence about it. Every time is monotonic. */
export interface Watched {
  readonly id: string;
  readonly host: string;
  readonly place: PanePlace;
  /** The agent that reads its screens and hooks. */
  readonly agent: Agent | undefined;
  readonly startedAt: number;
  /** The date and the rule of its output evidence until something is printed. */
  readonly initialEvidence: { readonly at: number; readonly rule: string };
  /** The last report of every witness except output and silence, which follow from the pace. */
  evidence: readonly Evidence<IdentifiedQuestion>[];
  pace: Pace;
  steady: Steady<IdentifiedQuestion> | undefined;
  /** Looked at only while it claims to work and prints nothing. */
  cpu: CpuUse | undefined;
  /** Cancels the next judging. */
  cancelJudging: Cancel | undefined;
  /** The last reading that two looks in a row agreed on. */
  confirmed: string | undefined;
  /** A reading that only the last look found, and when; a second look must confirm it. */
  pending: { readonly reading: string; readonly at: number; readonly listening: Listening | undefined } | undefined;
  /** Known from before the daemon started. Until a look confirms it, output counts as old output of the journal. */
  remembered: boolean;
  /** A known agent whose own witnesses have reported nothing since its program began. */
  isStarting: boolean;
  /** How long it may start in silence, where its CPU time cannot be seen. */
  startsForMs: number | undefined;
  /** Its own witnesses reported that it works or asks. Always true for a program without witnesses of its own. */
  hasBegun: boolean;
  /** The title of a pane before the agent set its own: the machine's name, or what the program before left. */
  titleBefore: string | undefined;
  /** A look has found something known. */
  isUnderstood: boolean;
  /** Looks in a row that found nothing. */
  looksWithoutResult: number;
  /** A line without an end, as a prompt is, was printed last and has not been looked at. */
  isOpenLine: boolean;
  /** Looks at such lines, in a row, that found nothing: a progress bar is one too. */
  openLinesWithoutResult: number;
  failures: number;
}

/** In monotonic time. */
interface WatchedFrom {
  /** What was known of a program that ran before the daemon started. */
  readonly known: readonly Evidence<IdentifiedQuestion>[] | undefined;
  readonly startedAt: number;
  readonly now: number;
}

/** A program that runs: since just now, or since before the daemon started. */
export function watch(
  record: TerminalRecord,
  place: PanePlace,
  agent: Agent | undefined,
  { known, startedAt, now }: WatchedFrom,
): Watched {
  const { id, host, lastReported } = record;
  const evidence = known ?? [];
  const isKnown = agent?.readScreen !== undefined;
  const isStarting = isKnown && (known === undefined || lastReported?.why.source === "start") && !hasReported(evidence);
  const worked = known !== undefined && !isStarting && evidence.length === 0 && lastReported?.status === "Running";
  return {
    id,
    host,
    place,
    agent,
    startedAt,
    initialEvidence: worked
      ? { at: now, rule: "it was working when the daemon stopped" }
      : { at: startedAt, rule: "it was just started" },
    evidence,
    pace: noPace,
    steady: undefined,
    cpu: undefined,
    cancelJudging: undefined,
    confirmed: undefined,
    pending: undefined,
    remembered: known !== undefined,
    isStarting,
    startsForMs: undefined,
    hasBegun: !isKnown,
    titleBefore: undefined,
    isUnderstood: false,
    looksWithoutResult: 0,
    isOpenLine: false,
    openLinesWithoutResult: 0,
    failures: 0,
  };
}

/** All evidence about a terminal now. */
export function evidenceOf(watched: Watched, now: number): readonly Evidence<IdentifiedQuestion>[] {
  const { pace, initialEvidence, startedAt, startsForMs, evidence: heard } = watched;
  const start = watched.isStarting ? [starting(startedAt, pace.lastAt, startsForMs, heard)] : [];
  const evidence = [...heard, ...start];
  const at = pace.lastAt ?? initialEvidence.at;
  const lastsMs = silentAfter(pace);
  // A rhythm is measured to the millisecond; people read tenths.
  const seconds = Math.round(lastsMs / 100) / 10;
  const output: Evidence<IdentifiedQuestion> = {
    witness: "output",
    says: "working",
    at,
    rule: pace.lastAt === undefined ? initialEvidence.rule : `output within the last ${seconds} s`,
    lastsMs,
  };
  if (now - at <= lastsMs) return [...evidence, output];
  const silence: Evidence<IdentifiedQuestion> = {
    witness: "silence",
    says: "idle",
    at: at + lastsMs,
    rule: `no output for ${seconds} s`,
  };
  return [...evidence, output, silence];
}

/** A line without an end may be a prompt. Backs off for noisy programs that never ask. */
export function settleDelayMs(watched: Watched): number {
  const { looksWithoutResult, isOpenLine, openLinesWithoutResult, agent } = watched;
  if (!agent?.readScreen && isOpenLine && openLinesWithoutResult < maxOpenLines) return promptSettlesMs;
  return agent?.readScreen ? screenSettlesMs : screenSettlesMs * 2 ** Math.min(3, Math.floor(looksWithoutResult / 2));
}

const maxOpenLines = 4;

/** An agent's spinner never rests, and its start must be reported soon; a program that prints all the time works. */
export function maxLookDelayMs({ agent, confirmed, steady }: Watched): number {
  if (agent?.readScreen) return spinnerLookMs[steady?.shown.says === "working" ? "working" : "other"];
  return confirmed?.startsWith("needs_input") ? askedAndPrintsLookMs : Number.POSITIVE_INFINITY;
}
