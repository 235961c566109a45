import type { Agent } from "../../agents/agent.ts";
import type { CpuUse } from "../../model/attention/cpu.ts";
import type { Evidence } from "../../model/attention/evidence.ts";
import { noPace, type Pace, silentAfter } from "../../model/attention/pace.ts";
import { spoke, starting } from "../../model/attention/starting.ts";
import type { Steady } from "../../model/attention/steady.ts";
import type { PanePlace, TerminalRecord } from "../../model/records.ts";
import { askedAndPrintsLookMs, screenSettlesMs, spinnerLookMs } from "../../model/timing.ts";
import type { IdentifiedQuestion } from "./question-identity.ts";

/** A terminal whose program runs, with all that was said about it. */
export interface Watched {
  readonly id: string;
  readonly host: string;
  readonly place: PanePlace;
  /** The agent whose screens and hooks are understood here. */
  readonly agent: Agent | undefined;
  readonly startedAt: number;
  /** What stands for output as long as nothing was printed. */
  readonly begins: { readonly at: number; readonly rule: string };
  /** What every witness said last, but for output and silence, which follow from the pace. */
  evidence: readonly Evidence<IdentifiedQuestion>[];
  pace: Pace;
  steady: Steady<IdentifiedQuestion> | undefined;
  /** Looked at only while it claims to work and prints nothing. */
  cpu: CpuUse | undefined;
  timer: NodeJS.Timeout | undefined;
  /** What the screen said when it last said the same twice. */
  confirmed: string | undefined;
  /** What the last look saw for the first time, and when. */
  pending: { readonly reading: string; readonly at: number } | undefined;
  /** Known from before the daemon started; until a look confirms it, the first news of an old journal mean nothing. */
  remembered: boolean;
  /** A known agent whose own witnesses have said nothing since its program began. */
  isStarting: boolean;
  /** How long it may start in silence, where nobody can see whether it uses CPU. */
  startsForMs: number | undefined;
  /** Its own witnesses said that it works or asks; of a program without witnesses of its own nobody can tell. */
  hasBegun: boolean;
  /** The title of a pane in which the agent has not spoken: the machine's name, or what the program before left. */
  titleBefore: string | undefined;
  /** Looks in a row that found nothing. */
  fruitless: number;
  failures: number;
}

/** A program that runs: since just now, or since before the daemon was there, and then with what was `known`. */
export function watch(
  record: TerminalRecord,
  place: PanePlace,
  agent: Agent | undefined,
  known: readonly Evidence<IdentifiedQuestion>[] | undefined,
  now: number,
): Watched {
  const { id, host, told, createdAt, startedAt = createdAt } = record;
  const evidence = known ?? [];
  const isKnown = agent?.readScreen !== undefined;
  const isStarting = isKnown && (known === undefined || told?.why.source === "start") && !spoke(evidence);
  const worked = known !== undefined && !isStarting && evidence.length === 0 && told?.status === "Running";
  return {
    id,
    host,
    place,
    agent,
    startedAt,
    begins: worked
      ? { at: now, rule: "it worked when the daemon was last there" }
      : { at: startedAt, rule: "it was just started" },
    evidence,
    pace: noPace,
    steady: undefined,
    cpu: undefined,
    timer: undefined,
    confirmed: undefined,
    pending: undefined,
    remembered: known !== undefined,
    isStarting,
    startsForMs: undefined,
    hasBegun: !isKnown,
    titleBefore: undefined,
    fruitless: 0,
    failures: 0,
  };
}

/** Everything that is said about a terminal now. */
export function evidenceOf(watched: Watched, now: number): readonly Evidence<IdentifiedQuestion>[] {
  const { pace, begins, startedAt, startsForMs } = watched;
  const start = watched.isStarting ? [starting<IdentifiedQuestion>(startedAt, pace.lastAt, startsForMs)] : [];
  const evidence = [...watched.evidence, ...start];
  const at = pace.lastAt ?? begins.at;
  const lastsMs = silentAfter(pace);
  const seconds = lastsMs / 1_000;
  const output: Evidence<IdentifiedQuestion> = {
    witness: "output",
    says: "working",
    at,
    rule: pace.lastAt === undefined ? begins.rule : "output within the last second",
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

/** Who prints and prints, and never asks, is looked at less and less often. */
export function settleMs({ fruitless, agent }: Watched): number {
  return agent?.readScreen ? screenSettlesMs : screenSettlesMs * 2 ** Math.min(3, Math.floor(fruitless / 2));
}

/** An agent's spinner never rests, and that it began to turn must be told soon; a program that prints all the time works. */
export function maxMs({ agent, confirmed, steady: told }: Watched): number {
  if (agent?.readScreen) return spinnerLookMs[told?.shown.says === "working" ? "working" : "other"];
  return confirmed?.startsWith("needs_input") ? askedAndPrintsLookMs : Number.POSITIVE_INFINITY;
}
