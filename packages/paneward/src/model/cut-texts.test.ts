import assert from "node:assert/strict";
import { test } from "node:test";
import { cutTexts } from "./cut-texts.ts";

test("texts over the limit are cut with a mark, at any depth, never inside a character", () => {
  const value = { a: "12345", list: ["123456", { b: "1234🙂6" }], n: 1, none: null };
  assert.deepEqual(cutTexts(value, 5), {
    a: "12345",
    list: ["12345… (1 more characters)", { b: "1234… (3 more characters)" }],
    n: 1,
    none: null,
  });
});
