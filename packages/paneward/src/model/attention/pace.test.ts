import assert from "node:assert/strict";
import { test } from "node:test";
import { noPace, printed, silentAfter } from "./pace.ts";

function after(...gaps: readonly number[]): number {
  let now = 1_000;
  let pace = printed(noPace, now);
  for (const gap of gaps) {
    now += gap;
    pace = printed(pace, now);
  }
  return silentAfter(pace);
}

test("silence counts after a second, and later for a program with a slow rhythm", () => {
  const cases: readonly (readonly [string, readonly number[], number])[] = [
    ["one burst", [], 1_000],
    ["a burst of many writes", [5, 10, 20, 5], 1_000],
    ["quick lines", [300, 300, 300], 1_000],
    ["a line a second", [1_000, 1_000, 1_000], 2_500],
    ["one gap is a rhythm already", [1_000], 2_500],
    ["every two seconds", [2_000, 2_000], 5_000],
    ["the limit", [2_400, 2_400, 2_400], 6_000],
    ["a long rest ends the rhythm", [1_000, 1_000, 9_000], 1_000],
    ["one late line does not change it", [500, 500, 2_300, 500], 1_250],
  ];
  for (const [name, gaps, expected] of cases) assert.equal(after(...gaps), expected, name);
});
