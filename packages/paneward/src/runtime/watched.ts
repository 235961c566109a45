import type { Agent } from "../agents/agent.ts";
import type { CpuUse } from "../model/attention/cpu.ts";
import type { Evidence } from "../model/attention/evidence.ts";
import { type Pace, silentAfter } from "../model/attention/pace.ts";
import type { Steady } from "../model/attention/steady.ts";
import type { PanePlace } from "../model/records.ts";
import type { Seen } from "./witnesses/seen.ts";

/** A terminal whose program runs, with all that was said about it. */
export interface Watched {
  readonly id: string;
  readonly host: string;
  readonly place: PanePlace;
  /** The agent whose screens and hooks are understood here. */
  readonly agent: Agent | undefined;
  readonly startedAt: number;
  /** What every witness said last, but for output and silence, which follow from the pace. */
  evidence: readonly Evidence<Seen>[];
  pace: Pace;
  steady: Steady<Seen> | undefined;
  /** Looked at only while it claims to work and prints nothing. */
  cpu: CpuUse | undefined;
  timer: NodeJS.Timeout | undefined;
  /** What the screen said when it last said the same twice. */
  confirmed: string | undefined;
  /** What the last look saw for the first time, and when. */
  pending: { readonly reading: string; readonly at: number } | undefined;
  /** Known from before the daemon started; until a look confirms it, the first news of an old journal mean nothing. */
  remembered: boolean;
  /** Looks in a row that found nothing. */
  fruitless: number;
  failures: number;
}

/** Everything that is said about a terminal now. */
export function evidenceOf({ evidence, pace, startedAt }: Watched, now: number): readonly Evidence<Seen>[] {
  const at = pace.lastAt ?? startedAt;
  const lastsMs = silentAfter(pace);
  const seconds = lastsMs / 1_000;
  const output: Evidence<Seen> = {
    witness: "output",
    says: "working",
    at,
    rule: pace.lastAt === undefined ? "it was just started" : "output within the last second",
    lastsMs,
  };
  if (now - at <= lastsMs) return [...evidence, output];
  const silence: Evidence<Seen> = {
    witness: "silence",
    says: "idle",
    at: at + lastsMs,
    rule: `no output for ${seconds} s`,
  };
  return [...evidence, output, silence];
}

/** Who prints and prints, and never asks, is looked at less and less often. */
export function settleMs({ fruitless, agent }: Watched): number {
  return agent?.readScreen ? settledMs : settledMs * 2 ** Math.min(3, Math.floor(fruitless / 2));
}

/** An agent's spinner never rests, and that it began to turn must be told soon; a program that prints all the time works. */
export function mostMs({ agent, confirmed, steady: told }: Watched): number {
  if (agent?.readScreen) return told?.shown.says === "working" ? 700 : 300;
  return confirmed?.startsWith("needs_input") ? 1_000 : Number.POSITIVE_INFINITY;
}

/** A program draws in several writes. */
const settledMs = 100;
