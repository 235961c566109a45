import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "./differences.ts";

test("the lines that differ, with two around them", () => {
  const shown = (before: string, after: string) => differences(before, after).map((line) => line.join(""));
  assert.deepEqual(shown("a\nb\nc\nd\ne\n", "a\nb\nc\nX\nd\ne\n"), [" b", " c", "+X", " d", " e"]);
  assert.deepEqual(shown("", "a\n"), ["+a"]);
  assert.deepEqual(shown("a\n", "a\nb\n"), [" a", "+b"]);
  assert.deepEqual(shown("a\nb\n", "a\nc\n"), [" a", "-b", "+c"]);
  assert.deepEqual(shown("a\n", "a\n"), [" a"]);
});
