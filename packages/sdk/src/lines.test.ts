import assert from "node:assert/strict";
import { test } from "node:test";
import { Lines } from "./lines.ts";

test("a text cut at any point gives the same lines", () => {
  const text = "one\n\ntwo ü\n{}\nrest";
  for (let size = 1; size <= text.length; size++) {
    const lines = new Lines(100);
    const found: string[] = [];
    for (let at = 0; at < text.length; at += size) found.push(...lines.take(text.slice(at, at + size)));
    assert.deepEqual(found, ["one", "", "two ü", "{}"], `in pieces of ${size}`);
    assert.deepEqual(lines.take("\n"), ["rest"]);
  }
});

test("a line is refused once it is too long, complete or not", () => {
  assert.deepEqual(new Lines(3).take("abc\nabc\nabc"), ["abc", "abc"]);
  assert.throws(() => new Lines(3).take("abc\nabcd\n"), RangeError);
  const partial = new Lines(3);
  partial.take("ab");
  assert.throws(() => partial.take("cd"), RangeError);
});
