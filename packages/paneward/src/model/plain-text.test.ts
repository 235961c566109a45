import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText, wholeLength } from "./plain-text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("colours, titles and links are left out", () => {
  assert.equal(
    plainText("\u001b[1;31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\"),
    "red link",
  );
});

test("a progress bar is its last state", () => {
  assert.equal(plainText("10 %\r50 %\r100 %\r\ndone\r\n"), "100 %\ndone\n");
});

test("a backspace takes a character back", () => {
  assert.equal(plainText("abc\b\bX"), "aXc");
});

test("a text is cut before a character or a sequence that is not whole yet", () => {
  assert.equal(wholeLength(bytes("aé")), 3);
  assert.equal(wholeLength(bytes("aé").subarray(0, 2)), 1);
  assert.equal(wholeLength(bytes("a😀").subarray(0, 3)), 1);
  assert.equal(wholeLength(bytes("a\u001b[3")), 1);
  assert.equal(wholeLength(bytes("a\u001b[31m")), 6);
  assert.equal(wholeLength(bytes("a\u001b]0;ti")), 1);
  assert.equal(wholeLength(bytes("")), 0);
});
