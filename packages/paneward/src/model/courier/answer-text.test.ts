import assert from "node:assert/strict";
import { test } from "node:test";
import { answerText } from "./answer-text.ts";

test("to a program that reads lines an answer is one line, and a break at its end is dropped", () => {
  const kept: readonly (readonly [string, string])[] = [
    ["Ada", "Ada"],
    ["", ""],
    ["Ada\n", "Ada"],
    ["Ada\r\n", "Ada"],
    ["Ada\r", "Ada"],
    ["  パスワード ü 👍 ", "  パスワード ü 👍 "],
  ];
  for (const [text, typed] of kept) assert.equal(answerText(text, false), typed);
  const breaks = ["a\nb", "a\rb", "a\r\nb", "a\n\n", "\n\n", "a\u0085", "a\u2028b", "a\u2029"];
  for (const text of breaks) assert.throws(() => answerText(text, false), /a line break/, JSON.stringify(text));
  const keys = ["\u0003", "a\u001b[A", "a\tb", "a\u007f", "a\u0000", "a\u009b1m", "\u0004"];
  for (const text of keys)
    assert.throws(() => answerText(text, false), /the control character U\+/, JSON.stringify(text));
});

test("an agent takes several lines, but no keys", () => {
  assert.equal(answerText("one\r\n\ttwo\n", true), "one\n\ttwo");
  for (const text of ["a\u001bb", "a\u0003", "a\rb", "a\u009bb"]) {
    assert.throws(() => answerText(text, true), { code: "bad_input" }, JSON.stringify(text));
  }
});
