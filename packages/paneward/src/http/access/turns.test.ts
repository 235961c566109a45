import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createTurns } from "./turns.ts";

const asked = 40;

/** How many requests each turn of the loop begins, when each takes so long and all have arrived together. */
async function begunPerTurn(ms: number): Promise<readonly number[]> {
  const takeTurn = createTurns();
  let begun = 0;
  const begin = () => {
    begun++;
    for (const began = performance.now(); performance.now() - began < ms; );
  };
  for (let at = 0; at < asked; at++) {
    const turn = takeTurn({});
    if (turn) void turn.then(begin);
    else begin();
  }
  const turns: number[] = [];
  for (let before = begun; begun < asked; before = begun) {
    await nextTurn();
    turns.push(begun - before);
  }
  return turns;
}

test("of short requests that wait, a turn begins many", async () => {
  const turns = await begunPerTurn(0);
  assert.ok(turns.length < asked / 4, `${asked} requests took ${turns.length} turns`);
});

test("of longer requests that wait, a turn begins one", async () => {
  const turns = await begunPerTurn(1);
  assert.ok(Math.max(...turns) <= 2, `requests begun in each turn: ${turns.join(" ")}`);
  assert.ok(turns.length >= (asked - 4) / 2, `${asked} requests took ${turns.length} turns`);
});
