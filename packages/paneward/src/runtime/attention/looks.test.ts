import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { Looks } from "./looks.ts";

/** Looks that take no time unless `look` says otherwise, with the moments at which each terminal was looked at. */
function stage(look: (id: string, count: number) => Promise<void> | void = () => {}) {
  const clock = new FakeClock();
  const began = clock.monotonic();
  const seen: [id: string, at: number][] = [];
  const looks = new Looks(clock, async (id) => {
    seen.push([id, Math.round(clock.monotonic() - began)]);
    await look(id, seen.length);
  });
  return {
    clock,
    looks,
    seen,
    get times() {
      return seen.map(([, at]) => at);
    },
    /** Prints every so many milliseconds, as a turning spinner does. */
    async spin(everyMs: number, forMs: number): Promise<void> {
      for (let ms = 0; ms < forMs; ms += everyMs) {
        looks.printed("t1", 100, 700);
        await clock.advance(everyMs);
      }
    },
  };
}

test("a screen is looked at once its output has settled, and never while nothing is printed", async () => {
  const one = stage();
  await one.clock.advance(10_000);
  for (const pause of [50, 90, 99]) {
    one.looks.printed("t1", 100, 700);
    await one.clock.advance(pause);
  }
  assert.deepEqual(one.times, []);
  await one.clock.advance(10_000);
  assert.deepEqual(one.times, [10_000 + 50 + 90 + 100]);
});

test("a spinner that never rests does not delay a look that was asked for", async () => {
  const one = stage((_, count) => {
    if (count === 1) one.looks.within("t1", 100);
  });
  await one.spin(80, 1_000);
  assert.deepEqual(one.times, [700, 800]);
});

test("a terminal that prints all the time is looked at after the longest wait, and not more often", async () => {
  const one = stage();
  await one.spin(80, 2_000);
  assert.equal(one.times.length, 2, String(one.times));
  const [first = 0, second = 0] = one.times;
  assert.equal(first, 700);
  assert.ok(second - first >= 700 && second - first <= 780, String(one.times));
});

test("the earlier of two wishes counts, and one terminal is looked at once in 80 ms at most", async () => {
  const { clock, looks, seen } = stage();
  looks.within("t1", 500);
  looks.within("t1", 200);
  looks.within("t1", 400);
  await clock.advance(200);
  looks.within("t1", 0);
  looks.within("t2", 0);
  await clock.advance(1_000);
  assert.deepEqual(seen, [
    ["t1", 200],
    ["t2", 200],
    ["t1", 280],
  ]);
});

test("a wish that comes due during a look is met by one more look", async () => {
  const first = Promise.withResolvers<void>();
  const { clock, looks, seen } = stage((_, count) => (count === 1 ? first.promise : undefined));
  looks.within("t1", 0);
  await clock.advance(10);
  looks.within("t1", 0);
  await clock.advance(300);
  assert.deepEqual(seen, [["t1", 0]], "the first look is under way");
  first.resolve();
  await clock.advance(100);
  assert.deepEqual(seen, [
    ["t1", 0],
    ["t1", 310],
  ]);
});

test("four looks at a time, and no more than 150 at once and 100 a second after that", async () => {
  let together = 0;
  let max = 0;
  const one = stage(async () => {
    max = Math.max(max, ++together);
    await one.clock.sleep(1);
    together -= 1;
  });
  const { clock, looks, seen } = one;
  for (let at = 0; at < 400; at++) looks.within(`t${at}`, 0);
  await clock.advance(1_000);
  assert.equal(max, 4);
  assert.ok(seen.length >= 240 && seen.length <= 260, `${seen.length} in the first second`);
  await clock.advance(2_000);
  assert.equal(seen.length, 400);
});

test("what is forgotten or stopped is not looked at", async () => {
  const { clock, looks, seen } = stage();
  looks.within("t1", 100);
  looks.within("t2", 100);
  looks.forget("t1");
  await clock.advance(200);
  looks.within("t3", 100);
  looks.stop();
  await clock.advance(200);
  assert.deepEqual(seen, [["t2", 100]]);
});

for (const [name, by] of [
  ["back by an hour", -3_600_000],
  ["forward by a day", 86_400_000],
] as const) {
  test(`looks come when they would have when the machine's clock is set ${name}`, async () => {
    const { clock, looks, seen } = stage();
    looks.printed("t1", 100, 700);
    looks.within("t2", 300);
    await clock.advance(50);
    clock.setWall(by);
    looks.printed("t1", 100, 700);
    await clock.advance(1_000);
    looks.within("t1", 0);
    await clock.advance(0);
    assert.deepEqual(seen, [
      ["t1", 150],
      ["t2", 300],
      ["t1", 1_050],
    ]);
  });
}
