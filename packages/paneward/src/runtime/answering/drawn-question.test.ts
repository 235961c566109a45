import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "@paneward/sdk";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { whenDrawn } from "./drawn-question.ts";

const reported: Question = {
  ...{ id: "q1", terminal: "t1", kind: "permission", text: "Claude wants to use Bash", options: [], freeText: false },
  ...{ source: "hook", screenHash: "", state: "open", openedAt: 0 },
};
const drawn: Question = { ...reported, options: [{ number: 1, label: "Yes" }], screenHash: "ab12" };

/** How often it looks, and for how long, when it sees these one after the other, the last one for ever. */
async function looks(...seen: readonly (Question | undefined)[]): Promise<readonly [number, number]> {
  const clock = new FakeClock();
  let count = 0;
  let done = false;
  const waiting = whenDrawn(
    clock,
    () => seen[Math.min(count++, seen.length - 1)],
    ({ options }) => options.length > 0,
  ).finally(() => {
    done = true;
  });
  const took = await clock.until("it is done", () => done);
  assert.equal(await waiting, seen[0]);
  return [count, took];
}

test("a permission that only a hook reported waits for its dialog", async () => {
  assert.deepEqual(await looks(reported, reported, drawn), [3, 40]);
});

test("a question that is drawn, needs no options or is being answered does not wait", async () => {
  const others: readonly Question[] = [
    { ...reported, kind: "text" },
    { ...reported, kind: "confirm" },
  ];
  for (const question of [undefined, drawn, ...others, { ...reported, state: "answering" } as const]) {
    assert.deepEqual(await looks(question), [1, 0]);
  }
});

test("the wait ends when the question is gone or another one took its place", async () => {
  assert.deepEqual(await looks(reported, undefined), [2, 20]);
  assert.deepEqual(await looks(reported, { ...reported, id: "q2" }), [2, 20]);
});

test("the wait ends when no dialog comes", async () => {
  assert.deepEqual((await looks(reported))[1], 5_000);
});
