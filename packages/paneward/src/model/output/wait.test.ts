import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition, End, Status } from "@paneward/sdk";
import { LineSearch, satisfied } from "./wait.ts";

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

test("a wait for exit does not end on idle", () => {
  assert.equal(satisfied(observed("Idle"), [{ kind: "exited" }]), undefined);
});

test("a pattern is searched line by line, also in a line that comes in pieces or is not whole yet", () => {
  const searched = (pattern: RegExp, ...pieces: readonly string[]) => {
    const search = new LineSearch([pattern], "rest of ");
    for (const piece of pieces) search.write(piece);
    return [search.match, search.rest];
  };
  assert.deepEqual(searched(/^ready/, "it\nbuilding\nready on 80\nready\n"), ["ready on 80", ""]);
  assert.deepEqual(searched(/^ready/, "it\nbuilding\n"), [undefined, ""]);
  assert.deepEqual(searched(/^ready/, "it\nrea", "dy on", " 80"), ["ready on 80", "ready on 80"]);
  assert.deepEqual(searched(/^rest of it$/, "it"), ["rest of it", "rest of it"]);
  assert.deepEqual(searched(/^rest of it$/, "it\n"), ["rest of it", ""]);
  assert.deepEqual(searched(/^$/, "it\nx"), [undefined, "x"]);
});
