import assert from "node:assert/strict";
import { test } from "node:test";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import type { Evidence } from "../../src/model/attention/evidence.ts";
import { judge } from "../../src/model/attention/judge.ts";
import { remember } from "../../src/model/attention/remember.ts";

const beginsAt = 10_000;

interface Report {
  readonly evidence: Evidence;
  readonly arrivesAt: number;
}

test("a program that reports its work is working until it reports the end, whatever its screen is taken for", () =>
  fuzz(
    (random) => {
      const turn = turnOf(random);
      const reports = [...wordsOf(random, turn), ...looksOf(random, turn)].sort((a, b) => a.arrivesAt - b.arrivesAt);
      const begins = reports.find(({ evidence: { witness, says } }) => witness === "osc" && says === "working");
      const begunAt = begins?.arrivesAt ?? 0;
      let evidence: readonly Evidence[] = [idleScreen(beginsAt - 5_000)];
      for (const { evidence: report, arrivesAt } of reports) {
        evidence = remember(evidence, report);
        const { says, why } = judge(evidence, arrivesAt);
        const mustWork = arrivesAt > begunAt && arrivesAt < turn.endsAt;
        if (mustWork && says !== "working") {
          assert.fail(
            `at ${arrivesAt}, of ${JSON.stringify(turn)}: ${says} by ${why.source}; ${JSON.stringify(reports)}`,
          );
        }
      }
      const last = judge(evidence, turn.endsAt + 10_000).says;
      if (last !== "idle") assert.fail(`${last} in the end: ${JSON.stringify([turn, reports])}`);
    },
    amount(3_000, 100_000),
  ));

interface Turn {
  readonly endsAt: number;
  /** How late the screen shows work; longer than the turn where a long prompt hides it. */
  readonly shownAfterMs: number;
  readonly hasTitle: boolean;
}

function turnOf({ below, pick }: Random): Turn {
  const hasTitle = pick([true, false]);
  // One word alone is believed against the screen for five seconds.
  const lastsMs = 500 + below(hasTitle ? 60_000 : 4_000);
  return { hasTitle, endsAt: beginsAt + lastsMs, shownAfterMs: pick([0, below(3_000), lastsMs + 1]) };
}

function wordsOf({ below }: Random, { endsAt }: Turn): readonly Report[] {
  const word = (says: "working" | "idle", at: number): Report => {
    return { evidence: { witness: "osc", says, at, rule: "7501" }, arrivesAt: at + below(100) };
  };
  return [word("working", beginsAt + below(10)), word("idle", endsAt + below(10))];
}

/** Looks that take a while, so that their reports arrive in any order among the words. */
function looksOf({ below }: Random, { endsAt, shownAfterMs, hasTitle }: Turn): readonly Report[] {
  const reports: Report[] = [];
  const titleLateMs = below(200);
  for (let at = beginsAt - 1_000; at < endsAt + 3_000; at += 80 + below(700)) {
    const arrivesAt = at + below(300);
    const works = at >= beginsAt && at < endsAt;
    const shows = works && at >= beginsAt + shownAfterMs;
    reports.push({ arrivesAt, evidence: shows ? { ...idleScreen(at), says: "working" } : idleScreen(at) });
    const titled = at >= beginsAt + titleLateMs && at < endsAt ? "working" : "idle";
    if (hasTitle) reports.push({ arrivesAt, evidence: { witness: "title", says: titled, at, rule: "its title" } });
  }
  return reports;
}

function idleScreen(at: number): Evidence {
  return { witness: "screen", says: "idle", at, rule: "its input line waits" };
}
