import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesAt, tapeOf } from "../src/terminal/tape.ts";

const text = (words: string) => new TextEncoder().encode(words);

test("a tape plays each byte at its time, and shortens long pauses", () => {
  const pieces = [
    { epoch: "e1", end: 5, bytes: text("hello") },
    { epoch: "e1", end: 11, bytes: text(" world") },
    { epoch: "e2", end: 3, bytes: text("bye") },
  ];
  const times = [
    {
      epoch: "e1",
      times: [
        [5, 1_000],
        [11, 1_400],
      ] as const,
    },
    { epoch: "e2", times: [[3, 90_000]] as const },
  ];
  const tape = tapeOf(pieces, times);
  assert.equal(tape.lengthMs, 2_400);
  assert.deepEqual(
    [0, 399, 400, 2_399, 2_400].map((ms) => bytesAt(tape, ms)),
    [5, 5, 11, 11, 14],
  );
});

test("a tape without times shows everything at its end", () => {
  const tape = tapeOf([{ epoch: "e1", end: 2, bytes: text("ab") }], []);
  assert.equal(bytesAt(tape, tape.lengthMs), 2);
});

test("offsets are right when an exit mark between two pieces was stripped", () => {
  const pieces = [
    { epoch: "e1", end: 4, bytes: text("abcd") },
    { epoch: "e1", end: 20, bytes: text("xy") },
  ];
  const tape = tapeOf(pieces, [
    {
      epoch: "e1",
      times: [
        [4, 10],
        [18, 20],
        [20, 30],
      ],
    },
  ]);
  assert.deepEqual(
    tape.marks.map(([byte]) => byte),
    [0, 4, 4, 6, 6],
  );
});
