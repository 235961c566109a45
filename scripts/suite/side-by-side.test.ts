import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { idleMeter } from "./idle.ts";
import { oneByOne, sideBySide } from "./side-by-side.ts";

/** Counts how many are at work, and lets all of them end. */
function work() {
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const act = (value: number) => {
    begun.push(value);
    return new Promise<string>((resolve) => ends.push(() => resolve(`did ${value}`)));
  };
  const end = async () => {
    for (const one of ends.splice(0)) one();
    await new Promise(setImmediate);
  };
  return { begun, act, end };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

describe("side by side", () => {
  test("one by one, in order, with the answers in order", async () => {
    const order: number[] = [];
    const answers = await sideBySide(numbers(3), oneByOne, async (value) => order.push(value));
    assert.deepEqual(
      [order, answers],
      [
        [0, 1, 2],
        [1, 2, 3],
      ],
    );
  });

  test("always the least, one more whenever there is room, never above the most", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { begun, act, end } = work();
    let room = false;
    const all = sideBySide(numbers(9), { least: 2, most: 4, hasRoom: () => room }, act);
    t.mock.timers.tick(1_000);
    assert.deepEqual(begun, [0, 1]);
    room = true;
    t.mock.timers.tick(250);
    assert.deepEqual(begun, [0, 1, 2]);
    t.mock.timers.tick(5_000);
    assert.deepEqual(begun, [0, 1, 2, 3]);
    room = false;
    await end();
    t.mock.timers.tick(5_000);
    assert.deepEqual(begun, [0, 1, 2, 3, 4, 5], "only the least go on");
    for (let left = 0; left < 5; left++) await end();
    assert.deepEqual(
      await all,
      numbers(9).map((value) => `did ${value}`),
    );
  });

  test("the last are waited for, and none is begun twice", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { begun, act, end } = work();
    const all = sideBySide(numbers(3), { least: 1, most: 5, hasRoom: () => true }, act);
    t.mock.timers.tick(5_000);
    assert.deepEqual(begun, [0, 1, 2]);
    await end();
    assert.deepEqual(await all, ["did 0", "did 1", "did 2"]);
  });

  test("what fails as one more fails all", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { act, end } = work();
    const failing = (value: number) => (value === 1 ? Promise.reject(new Error("broken")) : act(value));
    const all = sideBySide(numbers(2), { least: 1, most: 2, hasRoom: () => true }, failing);
    const rejected = assert.rejects(all, /broken/);
    t.mock.timers.tick(250);
    await end();
    await rejected;
  });
});

test("how idle the processors were since it was asked before", () => {
  const counts = { user: 100, sys: 0, idle: 100 };
  const idle = idleMeter(() => [{ times: counts }, { times: { user: 0, sys: 0, idle: 0 } }]);
  Object.assign(counts, { user: 130, sys: 10, idle: 160 });
  assert.equal(idle(), 0.6);
  Object.assign(counts, { user: 230 });
  assert.equal(idle(), 0);
  assert.equal(idle(), 0, "no time has passed");
});
