import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Budget } from "./budget.ts";
import { LastLines } from "./budget-lines.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

function within(maxBytes: number, pieces: readonly string[]) {
  const budget = new Budget(maxBytes);
  for (const piece of pieces) budget.write(piece);
  return budget.finish();
}

describe("a budget", () => {
  test("leaves a text that fits as it is", () => {
    assert.deepEqual(within(6, ["ab\n", "cé"]), { text: "ab\ncé" });
  });

  test("keeps the beginning and more of the end, in whole lines, and says what is missing", () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${String(at).padStart(2, "0")}\n`);
    const { text, leftOut } = within(80, lines);
    assert.deepEqual(leftOut, { lines: 91, bytes: 728 });
    assert.equal(text, `line 00\nline 01\n[… 91 lines, 728 bytes left out …]\n${lines.slice(93).join("")}`);
  });

  test("counts the same, however the text arrives", () => {
    const text = Array.from({ length: 500 }, (_, at) => `${at} 漢字 👍\n`).join("");
    const whole = within(1_000, [text]);
    for (const size of [1, 7, 300]) {
      const pieces = [...text].map((_, at, all) => (at % size === 0 ? all.slice(at, at + size).join("") : ""));
      assert.deepEqual(within(1_000, pieces), whole);
    }
    const kept = whole.text.replace(/\[….*…\]\n/, "");
    assert.ok(bytesOf(kept) <= 1_000);
    assert.equal(bytesOf(text) - bytesOf(kept), whole.leftOut?.bytes);
  });

  test("cuts a line that is too long between two characters", () => {
    const { text, leftOut } = within(40, ["👍".repeat(1_000)]);
    assert.equal(text, `👍👍\n[… 0 lines, 3964 bytes left out …]\n${"👍".repeat(7)}`);
    assert.deepEqual(leftOut, { lines: 0, bytes: 3_964 });
  });

  test("cuts outside of an escape sequence", () => {
    const colour = "\u001b[38;2;100;100;100m";
    const { text } = within(100, [`${colour}x`.repeat(50)]);
    assert.match(text.replaceAll(colour, "#"), /^(#x)*#?\n\[….*…\]\nx?(#x)+$/);
  });

  test("of a single byte keeps what fits into it", () => {
    assert.equal(within(1, ["a\nb\nc"]).text, "[… 2 lines, 4 bytes left out …]\nc");
  });
});

describe("the last lines", () => {
  const last = (count: number, text: string) => {
    const lines = new LastLines(count);
    for (const char of text) lines.write(char);
    return lines.finish();
  };

  test("are counted with the one that is not finished", () => {
    assert.deepEqual(last(2, "a\nb\nc"), ["b\n", "c"]);
    assert.deepEqual(last(2, "a\nb\nc\n"), ["b\n", "c\n"]);
    assert.deepEqual(last(2, "a\n\n\n"), ["\n", "\n"]);
    assert.deepEqual(last(5, "a"), ["a"]);
    assert.deepEqual(last(5, ""), []);
  });
});
