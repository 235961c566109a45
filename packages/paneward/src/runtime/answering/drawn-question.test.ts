import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "@paneward/sdk";
import { whenDrawn } from "./drawn-question.ts";

const told: Question = {
  ...{ id: "q1", terminal: "t1", kind: "permission", text: "Claude wants to use Bash", options: [], freeText: false },
  ...{ source: "hook", screenHash: "", state: "open", openedAt: 0 },
};
const drawn: Question = { ...told, options: [{ number: 1, label: "Yes" }], screenHash: "ab12" };

/** How often it looks when it sees these one after the other, the last one for ever. */
async function looks(...seen: readonly (Question | undefined)[]): Promise<number> {
  let count = 0;
  const first = await whenDrawn(() => seen[Math.min(count++, seen.length - 1)], 60_000);
  assert.equal(first, seen[0]);
  return count;
}

test("a permission that only a hook told of waits for its dialog", async () => {
  assert.equal(await looks(told, told, drawn), 3);
});

test("what stands drawn, needs no options or is being answered does not wait", async () => {
  const others: readonly Question[] = [
    { ...told, kind: "text" },
    { ...told, kind: "confirm" },
  ];
  for (const question of [undefined, drawn, ...others, { ...told, state: "answering" } as const]) {
    assert.equal(await looks(question), 1);
  }
});

test("nobody waits for a question that is gone or gave way to another", async () => {
  assert.equal(await looks(told, undefined), 2);
  assert.equal(await looks(told, { ...told, id: "q2" }), 2);
});

test("the wait ends when no dialog comes", async () => {
  assert.equal(await whenDrawn(() => told, 0), told);
});
