import assert from "node:assert/strict";
import { test } from "node:test";
import { holdsOurs, isBeginning, isOurs } from "./draft.ts";

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join("\n");

test("a draft is ours as it was typed, wrapped, scrolled, or as the mark of a paste", () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["hello", "hello", true],
    ["hel\n  lo wor\n  ld", "hello world", true],
    ["hello", "hello world", false],
    ["", "hello", false],
    ["hello", "", false],
    [lines(400).slice(-300), lines(400), true],
    ["line 399", lines(400), false],
    ["[Pasted text #1 +3 lines]", lines(4), true],
    ["[Pasted text #12 +399 lines]", lines(400), true],
    ["[Pasted text #1 +9 lines]", lines(400), false],
    [`[Pasted Content ${lines(400).length} chars]`, lines(400), true],
    ["[Pasted Content 17 chars]", lines(400), false],
    ["[Pasted Text: 5 lines]", lines(5), true],
    ["[Pasted ~5 lines]", lines(5), true],
    ["[paste #1 +31 lines]", lines(31), true],
    ["[Pasted text #1 +3 lines] and", lines(4), false],
  ];
  for (const [draft, text, expected] of cases) assert.equal(isOurs(draft, text), expected, JSON.stringify(draft));
});

test("a beginning may become ours; ours with something beside it is not ours alone", () => {
  assert.equal(isBeginning("hel", "hello"), true);
  assert.equal(isBeginning("hex", "hello"), false);
  assert.equal(holdsOurs("no: hello there", "hello"), true);
  assert.equal(holdsOurs("help", "hello"), false);
});
