import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { columnsOf } from "./columns.ts";
import { columnRange, cutTo, isPlain, oneLine, widthOf } from "./width.ts";

describe("the width of a text", () => {
  const widths: readonly (readonly [string, number])[] = [
    ["", 0],
    ["plain", 5],
    ["naïve", 5],
    ["nai\u0308ve", 5],
    ["修复", 4],
    ["한글", 4],
    ["ｆｕｌｌ", 8],
    ["🚀", 2],
    ["👩‍👩‍👧", 2],
    ["❤️", 2],
    ["🇨🇭", 2],
    ["a\u200bb", 2],
    ["…", 1],
    ["❤", 1],
    ["1️⃣", 2],
    ["👍🏽", 2],
    ["\ufe0f", 0],
    ["\u1112\u1161\u11ab", 2],
    ["\u1112\ud7b0", 2],
    ["का", 2],
    ["䷀", 2],
    ["〈〉", 4],
    ["𗀀", 2],
    ["a\u0007\u009bb", 2],
  ];
  for (const [text, width] of widths) {
    test(`of "${text}" is ${width}`, () => assert.equal(widthOf(text), width));
  }
});

test("what is measured without looking at how characters join is one column each, and never joins", () => {
  const plain = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((one) =>
    isPlain.test(one),
  );
  assert.ok(plain.length > 1_000);
  for (const one of plain) assert.equal(columnsOf(one.charCodeAt(0)), 1, one);
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const text of [
    plain.join(""),
    plain.toReversed().join(""),
    plain.join("─"),
    plain.map((one) => one + one).join(""),
  ]) {
    assert.equal([...segmenter.segment(text)].length, text.length);
    assert.deepEqual(columnRange(text), { min: text.length, max: text.length });
  }
});

describe("cutting", () => {
  const cuts: readonly (readonly [string, number, string])[] = [
    ["short", 5, "short"],
    ["longer", 5, "long…"],
    ["修复登录", 5, "修复…"],
    ["修复登录", 4, "修…"],
    ["👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"],
    ["x", 0, ""],
  ];
  for (const [text, width, cut] of cuts) {
    test(`"${text}" to ${width} columns gives "${cut}"`, () => {
      assert.equal(cutTo(text, width), cut);
      assert.ok(widthOf(cut) <= width);
    });
  }
});

test("a plain text is cut without a segmenter, which takes a tenth of the first frame's time to make", (t) => {
  t.mock.method(Intl.Segmenter.prototype, "segment", () => assert.fail("it was asked"));
  assert.equal(cutTo("busy-0 ─ prints", 8), "busy-0 …");
});

describe("one line", () => {
  test("holds nothing that a terminal would act on", () => {
    assert.equal(oneLine("a\u001b[31mred\u001b[0m\nb\tc\u0007\u009b\u202ed "), "ared b c <U+202E>d");
  });
});
