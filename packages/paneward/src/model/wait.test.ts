import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition, End, Status } from "@paneward/sdk";
import { firstMatch, formatToken, parseToken, satisfied } from "./wait.ts";

const observed = (status: Status, end?: End) => ({ id: "t1", status, end });
const forAll: readonly Condition[] = [{ kind: "exited" }, { kind: "idle" }, { kind: "needs_input" }];

test("a wait answers at once with what is already true", () => {
  assert.deepEqual(satisfied(observed("Idle"), forAll), { kind: "idle", id: "t1" });
  assert.deepEqual(satisfied(observed("Waiting"), forAll), { kind: "needs_input", id: "t1" });
  assert.deepEqual(satisfied(observed("Exited", { kind: "exited", code: 2 }), forAll), {
    kind: "exited",
    id: "t1",
    code: 2,
  });
  assert.deepEqual(satisfied(observed("Exited", { kind: "killed", signal: 9 }), forAll), {
    kind: "killed",
    id: "t1",
    signal: 9,
  });
  assert.equal(satisfied(observed("Running"), forAll), undefined);
});

test("an end answers every wait, because what ended will not become idle", () => {
  const lost: End = { kind: "lost", reason: "gone" };
  assert.deepEqual(satisfied(observed("Lost", lost), [{ kind: "idle" }]), { kind: "lost", id: "t1", reason: "gone" });
});

test("idle is not what somebody waits for who waits for an exit", () => {
  assert.equal(satisfied(observed("Idle"), [{ kind: "exited" }]), undefined);
});

test("a pattern is searched line by line", () => {
  assert.equal(firstMatch("building\nready on 80\n", [/^ready/]), "ready on 80");
  assert.equal(firstMatch("building\n", [/^ready/]), undefined);
});

test("a token brings back what it was made of, and nonsense brings nothing", () => {
  const progress = { done: [{ kind: "idle", id: "ü" } as const], cursors: { t1: "e1:5" } };
  assert.deepEqual(parseToken(formatToken(progress)), progress);
  assert.equal(parseToken("nonsense"), undefined);
  assert.equal(parseToken(btoa("5")), undefined);
});
