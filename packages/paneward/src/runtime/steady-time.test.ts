import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { SteadyDates, steadyTime, wallTime } from "./steady-time.ts";

test("a date becomes a monotonic time and the other way round, whatever the clock was set to", async () => {
  const clock = new FakeClock(1_000_000);
  for (const by of [0, -3_600_000, 86_400_000]) {
    clock.setWall(by);
    await clock.advance(5_000);
    assert.equal(clock.monotonic() - steadyTime(clock, clock.now() - 300), 300);
    assert.equal(clock.now() - wallTime(clock, clock.monotonic() - 300), 300);
  }
  assert.equal(steadyTime(clock, clock.now() + 60_000), clock.monotonic(), "nothing is later than now");
});

test("a date keeps the time that it had when it was first seen", async () => {
  const clock = new FakeClock(1_000_000);
  const dates = new SteadyDates(clock);
  const written = clock.now();
  const at = dates.at("t1", written);
  await clock.advance(1_000);
  clock.setWall(-3_600_000);
  assert.equal(dates.at("t1", written), at);
  assert.equal(dates.at("t1", clock.now()), clock.monotonic(), "another date is another time");
  assert.equal(clock.monotonic() - at, 1_000);
});
