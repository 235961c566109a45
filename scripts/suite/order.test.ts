import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { longestFirst, tableOf } from "./order.ts";

describe("the order of the files", () => {
  test("the longest is first, one that was never measured is early", () => {
    const files = ["a-short", "b-long", "c-new", "d-longest"];
    const seconds = { "a-short": 1, "b-long": 30, "d-longest": 60, gone: 99 };
    assert.deepEqual(longestFirst(files, seconds), ["d-longest", "b-long", "c-new", "a-short"]);
  });

  test("files of the same length are in the order of their names", () => {
    assert.deepEqual(longestFirst(["b", "c", "a"], { a: 2, b: 2, c: 2 }), ["a", "b", "c"]);
  });

  test("a table of what was measured is sorted by name, in whole seconds", () => {
    const table = tableOf([
      { file: "b", seconds: 1.6 },
      { file: "a", seconds: 0.2 },
    ]);
    assert.equal(JSON.stringify(table), '{"a":0,"b":2}');
  });
});
