import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { afterWrong, isForgotten, lockedForMs, type Wrongs } from "../../src/model/lockout.ts";

const day = 24 * 3_600_000;

test("typing errors are free, then the pause doubles up to an hour", () => {
  let wrongs: Wrongs | undefined;
  const pauses = Array.from({ length: 14 }, () => {
    const now = wrongs?.lockedUntil ?? 0;
    wrongs = afterWrong(wrongs, now);
    return lockedForMs(wrongs, now) / 1_000;
  });
  assert.deepEqual(pauses, [0, 0, 0, 0, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600]);
});

test("guessing gets at most a hundred tries a day, whenever they come", () =>
  fuzz(({ below, pick }) => {
    let now = below(1_000_000);
    const end = now + day;
    let wrongs: Wrongs | undefined;
    let looked = 0;
    while (now < end) {
      const locked = lockedForMs(wrongs, now);
      if (locked === 0) {
        looked++;
        wrongs = afterWrong(wrongs, now);
      }
      // As soon as it may, too early, or when it is forgotten.
      now += pick([1, Math.max(1, locked), below(600_000) + 1, locked + 3_600_000]);
    }
    assert.ok(looked <= 100, `${looked} tries`);
  }, 2_000));

test("a lock ends by itself, and is forgotten an hour later", () =>
  fuzz(({ below }) => {
    const began = below(1_000_000);
    let wrongs: Wrongs | undefined;
    for (let count = below(20) + 1; count > 0; count--) wrongs = afterWrong(wrongs, began);
    assert.ok(wrongs);
    assert.equal(lockedForMs(wrongs, wrongs.lockedUntil), 0);
    assert.ok(lockedForMs(wrongs, began) <= 3_600_000);
    assert.equal(isForgotten(wrongs, wrongs.lockedUntil + 3_599_999), false);
    assert.equal(afterWrong(wrongs, wrongs.lockedUntil + 3_600_000).count, 1);
  }, 1_000));
