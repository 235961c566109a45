import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { systemClock } from "../../../test/support/clock.ts";
import { Looks } from "./looks.ts";

/** What Looks does on a terminal that prints every so many milliseconds, as a turning spinner does. */
async function looksAt(
  spinnerMs: number,
  untilMs: number,
  onLook: (looks: Looks, count: number) => void,
): Promise<number[]> {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let now = 10_000;
    const began = now;
    const seen: number[] = [];
    const looks: Looks = new Looks({ ...systemClock(), now: () => now }, async () => {
      seen.push(now - began);
      onLook(looks, seen.length);
    });
    for (; now - began <= untilMs; now += 10) {
      if ((now - began) % spinnerMs === 0) looks.printed("t1", 100, 700);
      mock.timers.tick(now === began ? 0 : 10);
      await Promise.resolve();
    }
    looks.stop();
    return seen;
  } finally {
    mock.timers.reset();
  }
}

test("a spinner that never rests does not put off a look that was asked for", async () => {
  const seen = await looksAt(80, 1_000, (looks, count) => {
    if (count === 1) looks.within("t1", 100);
  });
  assert.equal(seen.length, 2, String(seen));
  const [first = 0, second = 0] = seen;
  assert.ok(first <= 720 && second - first <= 130, String(seen));
});

test("what prints all the time is looked at when the longest wait is over, and not more often", async () => {
  const seen = await looksAt(80, 2_000, () => {});
  assert.equal(seen.length, 2, String(seen));
});
