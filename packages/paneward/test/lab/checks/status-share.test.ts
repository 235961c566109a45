import assert from "node:assert/strict";
import { test } from "node:test";
import { delaysOf, shareOf, wrongSpans } from "./status-share.ts";

const truths = [
  { at: 0, status: "Idle" },
  { at: 1_000, status: undefined },
  { at: 1_100, status: "Running" },
  { at: 2_000, status: "Idle" },
];
const told = (status: string, ...dates: readonly number[]) => dates.map((at) => ({ at, status }));
const samples = [...told("Idle", 500, 1_050, 1_150), ...told("Running", 1_300, 1_900, 2_050), ...told("Idle", 2_400)];

test("a sample is right, wrong, or of a moment that only the agent knows", () => {
  assert.deepEqual(shareOf(truths, samples, 0), {
    right: 4,
    of: 6,
    wrong: { "Idle for Running": 1, "Running for Idle": 1 },
  });
  assert.deepEqual(shareOf(truths, samples, 100), { right: 4, of: 4, wrong: {} });
});

test("a change is as late as the first sample that shows it, or as the next change", () => {
  assert.deepEqual(delaysOf(truths, samples), [500, 200, 400]);
  assert.deepEqual(delaysOf(truths.slice(1), told("Idle", 1_150, 1_900)), [800]);
});

test("what was reported wrongly is listed by change, with the time until which it was", () => {
  assert.deepEqual(wrongSpans(truths, samples, 0), ["Idle for Running until 50 ms", "Running for Idle until 50 ms"]);
  assert.deepEqual(wrongSpans(truths, samples, 100), []);
});
