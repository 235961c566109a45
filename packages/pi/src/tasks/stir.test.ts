import assert from "node:assert/strict";
import { test } from "node:test";
import { Stir } from "./stir.ts";

test("what was printed counts once, when it rests", () => {
  const traces = ["a", "a", "a", "b", "c", "d", "d", "d", "e", "d", "d", "e", "e"];
  const stir = new Stir(() => traces.shift() ?? "");
  const settled = Array.from({ length: 13 }, () => (stir.hasSettled([]) ? "settled" : "")).join(",");
  assert.equal(settled, ",settled,,,,,settled,,,,,,settled");
});
