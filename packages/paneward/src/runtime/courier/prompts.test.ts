import assert from "node:assert/strict";
import { test } from "node:test";
import { Prompts } from "./prompts.ts";

test("a prompt is the witness of one delivery, also when two hooks tell of it", () => {
  const prompts = new Prompts({ now: () => 1_000 });
  const heard: string[] = [];
  prompts.onTold((terminal) => heard.push(terminal));
  const isTold = () => ["d1", "d2", "d3"].map((delivery) => prompts.isTold(delivery));
  prompts.expect("t1", "d1", "go on");
  prompts.told("t2", "go on", 1_000, "p1");
  assert.deepEqual(isTold(), [false, false, false], "another terminal's");
  prompts.told("t1", "go on", 1_000, "p1");
  prompts.expect("t1", "d2", "go on");
  prompts.told("t1", "go on", 1_000, "p1");
  assert.deepEqual(isTold(), [true, false, false], "the same prompt by a second hook");
  prompts.expect("t1", "d3", "go on");
  prompts.told("t1", "go on", 1_000, undefined);
  prompts.told("t1", "go on", 1_000, undefined);
  prompts.told("t1", "go on", 1_000, "p4");
  assert.deepEqual(isTold(), [true, true, true]);
  prompts.finished("d1");
  assert.deepEqual(isTold(), [false, true, true]);
  assert.deepEqual(heard, ["t1", "t1", "t1"]);
});

test("Enter that is pressed again is still one delivery", () => {
  const prompts = new Prompts({ now: () => 1_000 });
  for (const _press of [1, 2, 3]) prompts.expect("t1", "d1", "go on");
  prompts.expect("t1", "d2", "go on");
  prompts.told("t1", "go on", 1_000, "p1");
  prompts.told("t1", "go on", 1_000, "p2");
  assert.deepEqual([prompts.isTold("d1"), prompts.isTold("d2")], [true, true]);
});
