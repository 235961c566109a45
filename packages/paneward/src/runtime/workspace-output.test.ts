import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { endOfLines, wholeLength } from "./workspace-output.ts";

const bytes = (text: string) => Buffer.from(text);

test("lines are counted up to the one that is wanted", () => {
  assert.deepEqual(endOfLines(bytes("a\nb\nc"), 1), { end: 2, lines: 1 });
  assert.deepEqual(endOfLines(bytes("a\nb\nc"), 9), { end: 4, lines: 2 });
  assert.deepEqual(endOfLines(bytes("abc"), 1), { end: 0, lines: 0 });
});

describe("what is whole", () => {
  const cases: readonly (readonly [string, Buffer, number])[] = [
    ["plain text", bytes("abc"), 3],
    ["a character of four bytes", bytes("a🙂"), 5],
    ["a character without its last byte", bytes("a🙂").subarray(0, 4), 1],
    ["a finished colour", bytes("a\u001b[31m"), 6],
    ["a colour without its letter", bytes("a\u001b[31"), 1],
    ["an escape alone", bytes("a\u001b"), 1],
    ["a title without its end", bytes("a\u001b]0;title"), 1],
    ["a finished title and text", bytes("a\u001b]0;title\u0007b"), 12],
    ["a sequence so long that it is none", bytes(`a\u001b]${"x".repeat(400)}`), 403],
    ["nothing", bytes(""), 0],
  ];
  for (const [name, given, whole] of cases) test(name, () => assert.equal(wholeLength(given), whole));
});
