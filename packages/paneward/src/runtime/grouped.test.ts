import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped } from "./grouped.ts";

function stage() {
  const turns: (() => void)[] = [];
  const done: (readonly number[])[] = [];
  const double = grouped(
    (items: readonly number[]) => {
      done.push([...items]);
      if (items.includes(0)) throw new Error("zero");
      return items.map((item) => item * 2);
    },
    (begin) => void turns.push(begin),
  );
  return { double, done, turn: () => turns.shift()?.() };
}

test("what is asked for in one turn is done in one go, and each caller gets its own result", async () => {
  const { double, done, turn } = stage();
  const asked = [1, 2, 3].map(double);
  assert.deepEqual(done, []);
  turn();
  assert.deepEqual(await Promise.all(asked), [2, 4, 6]);
  assert.deepEqual(done, [[1, 2, 3]]);
});

test("what is asked for later is done with the next turn", async () => {
  const { double, done, turn } = stage();
  const first = double(1);
  turn();
  const second = double(2);
  turn();
  assert.deepEqual([await first, await second], [2, 4]);
  assert.deepEqual(done, [[1], [2]]);
});

test("a failure is the failure of all in its turn, and of none after it", async () => {
  const { double, turn } = stage();
  const failing = Promise.allSettled([double(1), double(0)]);
  turn();
  assert.deepEqual(
    (await failing).map(({ status }) => status),
    ["rejected", "rejected"],
  );
  const next = double(5);
  turn();
  assert.equal(await next, 10);
});
