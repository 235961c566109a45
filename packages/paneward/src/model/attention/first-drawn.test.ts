import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "./evidence.ts";
import { firstDrawn } from "./first-drawn.ts";
import { judge } from "./judge.ts";
import { remember } from "./remember.ts";

const given: Evidence = { witness: "hook", says: "working", at: 1_000, rule: "it was given a prompt" };
const line = (at: number): Evidence => ({ witness: "screen", says: "idle", at, rule: "its input line is empty" });
const says = (evidence: readonly Evidence[], now: number) => judge(evidence, now).says;

test("the first input line of an agent that was given a prompt does not end its work, unless it stays", () => {
  const drawn = remember([given], firstDrawn([given], line(1_400)));
  assert.equal(says(drawn, 1_500), "working");
  assert.equal(says(remember(drawn, line(2_100)), 2_100), "idle");
});

test("an input line that comes back is the end of its work, and so is one without an earlier report", () => {
  const worked: readonly Evidence[] = [given, { ...line(1_200), says: "working" }];
  assert.equal(says(remember(worked, firstDrawn(worked, line(1_400))), 1_500), "idle");
  assert.equal(firstDrawn([], line(1_400)).at, 1_400);
});
