import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { Prompts } from "./prompts.ts";

test("a prompt is the witness of one delivery, also when two hooks report it", () => {
  const prompts = new Prompts(new FakeClock(1_000));
  const heard: string[] = [];
  prompts.onMatch((terminal) => heard.push(terminal));
  const matched = () => ["d1", "d2", "d3"].map((delivery) => prompts.isMatched(delivery));
  prompts.expect("t1", "d1", "go on");
  prompts.match("t2", "go on", 1_000, "p1");
  assert.deepEqual(matched(), [false, false, false], "another terminal's");
  prompts.match("t1", "go on", 1_000, "p1");
  prompts.expect("t1", "d2", "go on");
  prompts.match("t1", "go on", 1_000, "p1");
  assert.deepEqual(matched(), [true, false, false], "the same prompt by a second hook");
  prompts.expect("t1", "d3", "go on");
  prompts.match("t1", "go on", 1_000, undefined);
  prompts.match("t1", "go on", 1_000, undefined);
  prompts.match("t1", "go on", 1_000, "p4");
  assert.deepEqual(matched(), [true, true, true]);
  prompts.finished("d1");
  assert.deepEqual(matched(), [false, true, true]);
  assert.deepEqual(heard, ["t1", "t1", "t1"]);
});

test("Enter that is pressed again is still one delivery", () => {
  const prompts = new Prompts(new FakeClock(1_000));
  for (const _press of [1, 2, 3]) prompts.expect("t1", "d1", "go on");
  prompts.expect("t1", "d2", "go on");
  prompts.match("t1", "go on", 1_000, "p1");
  prompts.match("t1", "go on", 1_000, "p2");
  assert.deepEqual([prompts.isMatched("d1"), prompts.isMatched("d2")], [true, true]);
});

test("a wall clock that is set while a hook is awaited changes nothing; a prompt from before Enter is another one", async () => {
  for (const by of [-3_600_000, 3_600_000]) {
    const clock = new FakeClock();
    const prompts = new Prompts(clock);
    await clock.advance(5_000);
    prompts.expect("t1", "d1", "go on");
    clock.setWall(by);
    await clock.advance(1_000);
    prompts.match("t1", "go on", clock.now() - 2_000, "p1");
    assert.equal(prompts.isMatched("d1"), false, "given a second before Enter");
    prompts.match("t1", "go on", clock.now(), "p2");
    assert.equal(prompts.isMatched("d1"), true);
  }
});
