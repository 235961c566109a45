import assert from "node:assert/strict";
import { test } from "node:test";
import { patternFrom, searchInTime } from "./pattern.ts";

test("a search gives what it finds, and its own errors", () => {
  assert.equal(
    searchInTime(() => patternFrom("b+", "u").exec("abbc")?.[0]),
    "bb",
  );
  assert.equal(
    searchInTime(() => patternFrom("x", "u").exec("abbc")),
    null,
  );
  assert.throws(
    () =>
      searchInTime(() => {
        throw new TypeError("mine");
      }),
    { name: "TypeError", message: "mine" },
  );
});

test("a pattern that would search for ever is refused, and the next one is served", () => {
  const endless = patternFrom("(a+)+b", "u");
  assert.throws(() => searchInTime(() => endless.test(`${"a".repeat(60)}!`)), { code: "bad_input" });
  assert.equal(
    searchInTime(() => endless.test("aab")),
    true,
  );
});

test("what is no regular expression is said so", () => {
  assert.throws(() => patternFrom("(", "u"), { code: "bad_input", message: /^\( is not a regular expression/ });
});
