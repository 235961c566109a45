import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { longestFirst, tableOf } from "./order.ts";

describe("the order of the files", () => {
  test("the longest is first; those without a row follow by name", () => {
    const files = ["d-short", "b-long", "c-short", "a-longest"];
    const seconds = { "a-longest": 60, "b-long": 30, gone: 99 };
    assert.deepEqual(longestFirst(files, seconds), ["a-longest", "b-long", "c-short", "d-short"]);
  });

  test("the table has the long files, by name, in whole seconds", () => {
    const table = tableOf([
      { file: "short", seconds: 9.4 },
      { file: "longest", seconds: 30.6 },
      { file: "long", seconds: 10 },
    ]);
    assert.equal(JSON.stringify(table), '{"long":10,"longest":31}');
  });
});
