import assert from "node:assert/strict";
import { test } from "node:test";
import { formatToken, parseToken } from "./wait-token.ts";

test("a token brings back what it was made of, and nonsense brings nothing", () => {
  const progress = { done: [{ kind: "idle", id: "ü" } as const], cursors: { t1: "e1:5" } };
  assert.deepEqual(parseToken(formatToken(progress)), progress);
  assert.equal(parseToken("nonsense"), undefined);
  assert.equal(parseToken(btoa("5")), undefined);
});

test("a token that somebody made up brings nothing", () => {
  const forged: readonly unknown[] = [
    ...[null, [], {}, { done: [] }, { cursors: {} }, { done: {}, cursors: {} }, { done: [], cursors: [] }],
    ...[null, 1, "t1", [], {}, { id: "t1" }, { kind: "exited", id: "t1" }, { kind: "constructor", id: "t1" }].map(
      (one) => ({ done: [one], cursors: {} }),
    ),
    ...[
      { kind: "timed_out", resume: "x" },
      { kind: "idle", id: 1 },
    ].map((one) => ({ done: [one], cursors: {} })),
    ...[null, 1, {}, ["e1:5"]].map((cursor) => ({ done: [], cursors: { t1: cursor } })),
  ];
  for (const one of forged) {
    assert.equal(parseToken(btoa(encodeURIComponent(JSON.stringify(one)))), undefined, JSON.stringify(one));
  }
});
