import assert from "node:assert/strict";
import { test } from "node:test";
import { isAllShown, withPart } from "../src/pages/shown-parts.ts";

const cases: readonly (readonly [string, readonly (readonly [number, number])[], boolean])[] = [
  ["nothing", [], false],
  ["all at once", [[0, 1]], true],
  ["its end", [[0.8, 1]], false],
  [
    "its end, then its top",
    [
      [0.8, 1],
      [0, 0.2],
    ],
    false,
  ],
  [
    "its end, and upwards step by step",
    [
      [0.8, 1],
      [0.6, 0.8],
      [0.3, 0.61],
      [0, 0.3],
    ],
    true,
  ],
  [
    "the middle last",
    [
      [0.8, 1],
      [0, 0.3],
      [0.2, 0.9],
    ],
    true,
  ],
  [
    "its end, but not its first line",
    [
      [0.5, 1],
      [0.1, 0.6],
    ],
    false,
  ],
  [
    "all but a hair",
    [
      [0.8, 1],
      [0.0005, 0.7995],
    ],
    true,
  ],
];
for (const [name, parts, isAll] of cases) {
  test(`a page of which was shown: ${name}`, () => {
    const shown = parts.reduce<ReturnType<typeof withPart>>(
      (before, [from, to]) => withPart(before, { from, to }, 0.001),
      [],
    );
    assert.equal(isAllShown(shown, 0.001), isAll);
  });
}
