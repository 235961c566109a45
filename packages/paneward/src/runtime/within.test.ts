import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { within } from "./within.ts";

test("a promise is waited for until the time is up, and no timer is left", async () => {
  const clock = new FakeClock();
  const { promise, resolve } = Promise.withResolvers<void>();
  const answers: boolean[] = [];
  for (const ms of [100, 200]) void within(clock, promise, ms).then((answer) => answers.push(answer));
  await clock.advance(100);
  assert.deepEqual(answers, [false]);
  resolve();
  await clock.advance(0);
  assert.deepEqual([answers, clock.waiting], [[false, true], 0]);
  await assert.rejects(within(clock, Promise.reject(new Error("mine")), 100), /mine/);
  assert.equal(clock.waiting, 0);
});
