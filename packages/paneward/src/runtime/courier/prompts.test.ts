import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { Prompts } from "./prompts.ts";

const hook = (called?: string) => ({ way: "hook", as: "hook", called }) as const;
const go = [{ text: "go on" }];
const record = { way: "record 0 0", as: "record" } as const;

test("a prompt is the witness of one delivery, also when two hooks report it", () => {
  const prompts = new Prompts(new FakeClock(1_000));
  const heard: string[] = [];
  prompts.onMatch(({ terminal }) => heard.push(terminal));
  const matched = () => ["d1", "d2", "d3"].map((delivery) => prompts.matched(delivery) !== undefined);
  prompts.expect("t1", "d1", go);
  prompts.match("t2", "go on", 1_000, hook("p1"));
  assert.deepEqual(matched(), [false, false, false], "another terminal's");
  prompts.match("t1", "go on", 1_000, hook("p1"));
  prompts.expect("t1", "d2", go);
  prompts.match("t1", "go on", 1_000, hook("p1"));
  assert.deepEqual(matched(), [true, false, false], "the same prompt by a second hook");
  prompts.expect("t1", "d3", go);
  prompts.match("t1", "go on", 1_000, hook());
  prompts.match("t1", "go on", 1_000, hook());
  prompts.match("t1", "go on", 1_000, hook("p4"));
  assert.deepEqual(matched(), [true, true, true]);
  prompts.finished("d1");
  assert.deepEqual(matched(), [false, true, true]);
  assert.deepEqual(heard, ["t1", "t1", "t1"]);
});

test("Enter that is pressed again is still one delivery", () => {
  const prompts = new Prompts(new FakeClock(1_000));
  for (const _press of [1, 2, 3]) prompts.expect("t1", "d1", go);
  prompts.expect("t1", "d2", go);
  prompts.match("t1", "go on", 1_000, hook("p1"));
  prompts.match("t1", "go on", 1_000, hook("p2"));
  assert.deepEqual([prompts.matched("d1") !== undefined, prompts.matched("d2") !== undefined], [true, true]);
});

test("a wall clock that is set while a hook is awaited changes nothing; a prompt from before Enter is another one", async () => {
  for (const by of [-3_600_000, 3_600_000]) {
    const clock = new FakeClock();
    const prompts = new Prompts(clock);
    await clock.advance(5_000);
    prompts.expect("t1", "d1", go);
    clock.setWall(by);
    await clock.advance(1_000);
    prompts.match("t1", "go on", clock.now() - 2_000, hook("p1"));
    assert.equal(prompts.matched("d1") !== undefined, false, "given a second before Enter");
    prompts.match("t1", "go on", clock.now(), hook("p2"));
    assert.equal(prompts.matched("d1") !== undefined, true);
  }
});

test("a hook and a record of one prompt are the witness of one delivery, whichever comes first", () => {
  for (const order of [[hook("p1"), record] as const, [record, hook("p1")] as const]) {
    const prompts = new Prompts(new FakeClock(1_000));
    prompts.expect("t1", "d1", go);
    prompts.match("t1", "go on", 1_000, order[0]);
    prompts.expect("t1", "d2", go);
    prompts.match("t1", "go on", 1_000, order[1]);
    assert.deepEqual([prompts.matched("d1"), prompts.matched("d2")], [order[0].as, undefined]);
    assert.equal(prompts.awaitedMs("t1"), 0);
    prompts.match("t1", "go on", 1_000, { ...order[1], called: "p2" });
    assert.deepEqual([prompts.matched("d2"), prompts.awaitedMs("t1")], [order[1].as, undefined]);
  }
});

test("other words that were given since Enter are known, those from before are not", async () => {
  const clock = new FakeClock();
  const prompts = new Prompts(clock);
  await clock.advance(5_000);
  prompts.expect("t1", "d1", go);
  prompts.match("t1", "before", clock.now() - 1_000, record);
  prompts.match("t2", "elsewhere", clock.now(), record);
  assert.equal(prompts.otherWords("d1"), undefined);
  prompts.match("t1", "go", clock.now(), record);
  assert.deepEqual([prompts.otherWords("d1"), prompts.matched("d1")], ["go", undefined]);
  prompts.finished("d1");
  assert.equal(prompts.otherWords("d1"), undefined);
});

test("Enter that an earlier daemon pressed is awaited from then on", async () => {
  const clock = new FakeClock();
  const prompts = new Prompts(clock);
  await clock.advance(60_000);
  prompts.expect("t1", "d1", go, { since: clock.now() - 20_000 });
  assert.equal(prompts.awaitedMs("t1"), 20_000);
  prompts.match("t1", "go on", clock.now() - 30_000, record);
  assert.equal(prompts.matched("d1"), undefined);
  prompts.match("t1", "go on", clock.now() - 10_000, record);
  assert.equal(prompts.matched("d1"), "record");
});
