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
    ["[a paste: 3 lines]", lines(4), true],
    ["[a paste: 5 lines]", lines(4), true],
    ["[a paste: 6 lines]", lines(4), false],
    [`[a paste: ${lines(400).length} chars]`, lines(400), true],
    [`[a paste: ${Math.round(lines(400).length * 1.1)} chars]`, lines(400), false],
    ["[a paste: 3 lines] and", lines(4), false],
    // As tmux draws them: without joiners, with blanks behind wide characters, and in either order.
    ["family \u{1f469}\u{1f469} \u{1f467}  end", "family \u{1f469}\u200d\u{1f469}\u200d\u{1f467} end", true],
    ["a \ufffd b", "a \u{1f1e9}\u{1f1ea} b", true],
    ["and \u05dd\u05d5\u05dc\u05e9 end", "and \u05e9\u05dc\u05d5\u05dd end", true],
    ["caf\u00e9", "cafe\u0301", true],
    ["\u{1f469}", "\u{1f469}\u200d\u{1f467}", true],
    ["hello", "\u{1f469}\u200d\u{1f467}", false],
    ["", "\u{1f469}\u200d\u{1f467}", false],
    ["other \u{1f469}", "family \u{1f469}", false],
  ];
  const mark = /^\[apaste:(\d+)(lines|chars)\]$/;
  for (const [draft, text, expected] of cases) assert.equal(isOurs(draft, text, mark), expected, JSON.stringify(draft));
  assert.equal(isOurs("[a paste: 3 lines]", lines(4)), false, "a program that draws no marks");
});

test("a draft is ours with what its program left of the row below, where it counts the cells of a character otherwise", () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["a \u200fnb, a \u200f\u201db end", "a \u200fb, a \u200fb end", true],
    ["ab \u{1f469}\u200d\u{1f469}thcd end", "ab \u{1f469}\u200d\u{1f469}cd end", true],
    ["I \u2764\ufe0fgit", "I \u2764\ufe0fit", true],
    ["I \u2764\ufe0fg", "I \u2764\ufe0f", true],
    ["!I \u2764\ufe0fgit", "I \u2764\ufe0fit", false],
    ["In \u2764\ufe0fit", "I \u2764\ufe0fit", false],
    ["I \u2764\ufe0fit and more", "I \u2764\ufe0fit", false],
    ["I \u2764\ufe0fi", "I \u2764\ufe0fit", false],
    ["a longer draft", "\u2764\ufe0f", false],
    ["n", "\u2764\ufe0f", false],
    ["git", "\u2764\ufe0fit", false],
  ];
  for (const [draft, text, expected] of cases) assert.equal(isOurs(draft, text), expected, JSON.stringify(draft));
});

test("a beginning may become ours; ours with something beside it is not ours alone", () => {
  assert.equal(isBeginning("hel", "hello"), true);
  assert.equal(isBeginning("hex", "hello"), false);
  assert.equal(holdsOurs("no: hello there", "hello"), true);
  assert.equal(holdsOurs("help", "hello"), false);
});

test("a mark counts emoji as one character or two, and empty lines at the ends or not", () => {
  const chars = /^\[PastedText:(\d+)(chars)\]$/;
  const hands = "\u{1f44d}".repeat(500);
  assert.ok(isOurs("[Pasted Text: 1000 chars]", hands, chars));
  assert.ok(isOurs("[Pasted Text: 500 chars]", hands, chars));
  assert.ok(!isOurs("[Pasted Text: 750 chars]", hands, chars));
  const lines = /^\[Pasted~(\d+)(lines)\]$/;
  assert.ok(isOurs("[Pasted ~5 lines]", "1\n2\n3\n4\n5\n\n\n", lines));
  assert.ok(!isOurs("[Pasted ~5 lines]", "1\n2\n3\n4\n5\n6\n7", lines));
});
