import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createInputQueue, maxWaiting } from "./input-queue.ts";

/** A queue whose input is typed when the test says so. */
function held(refuses: (text: string) => boolean = () => false) {
  const typed: string[] = [];
  const failures: unknown[] = [];
  const gone = new AbortController();
  let isPaused = false;
  let pauses = 0;
  let free: (() => void) | undefined;
  const add = createInputQueue({
    async type(text) {
      await new Promise<void>((resolve) => {
        free = resolve;
      });
      if (refuses(text)) throw new Error(`no ${text}`);
      typed.push(text);
    },
    onFailure: async (error) => void failures.push((error as Error).message),
    pause() {
      pauses++;
      isPaused = true;
    },
    resume() {
      isPaused = false;
    },
    signal: gone.signal,
  });
  const next = async () => {
    free?.();
    await nextTurn();
  };
  return { add, next, typed, failures, gone, isPaused: () => isPaused, pauses: () => pauses };
}

test("input is typed in order, one at a time", async () => {
  const { add, next, typed } = held();
  for (const text of ["a", "b", "c"]) add(text);
  assert.deepEqual(typed, []);
  await next();
  assert.deepEqual(typed, ["a"]);
  for (const _more of "bc") await next();
  assert.deepEqual(typed, ["a", "b", "c"]);
});

test("a client that types faster than its input is taken is not read until half of it is typed", async () => {
  const { add, next, typed, isPaused, pauses } = held();
  const sent = Array.from({ length: maxWaiting + 50 }, (_, at) => String(at));
  for (const text of sent) add(text);
  assert.deepEqual([isPaused(), pauses()], [true, 1]);
  while (isPaused()) await next();
  assert.ok(typed.length >= maxWaiting / 2 && typed.length < sent.length, `${typed.length} were typed`);
  while (typed.length < sent.length) await next();
  assert.deepEqual(typed, sent, "what was read already is typed too");
});

test("few long inputs fill the queue like many short ones", () => {
  const { add, isPaused } = held();
  for (let count = 0; count < 6; count++) add("x".repeat(65_536));
  assert.equal(isPaused(), true);
});

test("one failure is reported for an input and all that waited behind it; what comes later is typed", async () => {
  const { add, next, typed, failures } = held((text) => text === "bad");
  for (const text of ["good", "bad", ...Array.from({ length: 1_000 }, () => "bad")]) add(text);
  await next();
  await next();
  assert.deepEqual([typed, failures], [["good"], ["no bad"]]);
  add("later");
  await next();
  assert.deepEqual(typed, ["good", "later"]);
});

test("what a client left behind when it disconnected is not typed", async () => {
  const { add, next, typed, gone } = held();
  for (const text of ["a", "b", "c"]) add(text);
  gone.abort();
  for (const _more of "abc") await next();
  add("d");
  await next();
  assert.deepEqual(typed, ["a"], "only what was being typed already");
});
