import assert from "node:assert/strict";
import { test } from "node:test";
import { wellFormed } from "./well-formed.ts";

test("half of a pair becomes the sign for a broken character, at any depth and in names; the rest stays as it is", () => {
  const value = { "n\ud800": ["a\udfffb", { deep: "🙂\ud83d" }], count: 1, nothing: null, not: undefined };
  assert.deepEqual(wellFormed(value), {
    "n\ufffd": ["a\ufffdb", { deep: "🙂\ufffd" }],
    ...{ count: 1, nothing: null, not: undefined },
  });
  const good = { text: "🙂 \ufffd", list: [true, 2, "\\ud800"] };
  assert.equal(wellFormed(good), good);
});
