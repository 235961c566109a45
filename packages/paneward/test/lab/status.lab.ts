import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../../tmux/test/support/random.ts";
import { labAgents } from "./agents/all.ts";
import { startBench } from "./bench.ts";
import { sampled } from "./checks/status-samples.ts";
import { delaysOf, shareOf, wrongSpans } from "./checks/status-share.ts";
import { percentiles } from "./percentiles.ts";
import { wordsOf } from "./words-of.ts";

// `PANEWARD_LAB_ROUNDS=100` plays more scenarios with each agent.
const wanted = process.env.PANEWARD_LAB_AGENT;
const rounds = Number(process.env.PANEWARD_LAB_ROUNDS ?? 12);
const minShare = 0.995;
// A status that comes later than this is wrong, not late.
const lateMs = 1_000;

for (const lab of labAgents.filter(({ name }) => wanted === undefined || name === wanted)) {
  test(`${lab.name}: of the status that is reported in ${rounds} scenarios, 99.5 % is true`, {
    timeout: 300_000 + rounds * 120_000,
  }, async (t) => {
    const bench = await startBench(t, lab);
    const { truths, samples, played } = await sampled(bench, wordsOf[lab.name], random(t), rounds);
    const { right, of, wrong } = shareOf(truths, samples, lateMs);
    const strict = shareOf(truths, samples, 0);
    const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(2)} %`;
    t.diagnostic(`${lab.name}: ${percent(right, of)} of ${of} samples right, ${JSON.stringify(wrong)}`);
    t.diagnostic(`${lab.name}: ${percent(strict.right, strict.of)} with those of the first second after a change`);
    t.diagnostic(`${lab.name}: told after ${percentiles(delaysOf(truths, samples))}; ${JSON.stringify(played)}`);
    for (const span of wrongSpans(truths, samples, lateMs)) t.diagnostic(`${lab.name}: ${span} after the change`);
    assert.ok(of > 0 && right / of >= minShare, `${right} of ${of} are right; ${JSON.stringify(wrong)}`);
  });
}
