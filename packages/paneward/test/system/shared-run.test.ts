import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { sharedRun } from "../../src/model/shared-run.ts";

test("one run at a time, and each caller gets one that began after it asked", async () => {
  await fuzz(async ({ below }) => {
    let now = 0;
    let running = 0;
    let runs = 0;
    const ends: (() => void)[] = [];
    const run = sharedRun(async () => {
      assert.equal(running++, 0, "two at once");
      runs++;
      const began = ++now;
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
      if (began % 5 === 0) throw new Error(String(began));
      return began;
    });
    const asked: Promise<void>[] = [];
    const ask = () => {
      const at = now;
      const check = (began: number) => assert.ok(began > at, `asked at ${at}, got what began at ${began}`);
      asked.push(run().then(check, (error: Error) => check(Number(error.message))));
    };
    for (let steps = 40; steps > 0; steps--) {
      if (below(3) > 0) ask();
      else ends.shift()?.();
      await Promise.resolve();
    }
    let isOver = false;
    const all = Promise.all(asked).finally(() => {
      isOver = true;
    });
    all.catch(() => {});
    while (!isOver) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
    assert.ok(runs <= asked.length);
  }, 200);
});

test("a hundred at once take two runs", async () => {
  let runs = 0;
  const run = sharedRun(async () => {
    await Promise.resolve();
    return ++runs;
  });
  await Promise.all(Array.from({ length: 100 }, run));
  assert.equal(runs, 2);
});
