import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sight } from "./submission.ts";
import { afterLook, turnWatch } from "./turn-watch.ts";

const rests: Sight = { inMode: false, isAgent: true, hasLine: true, draft: "" };
const works: Sight = { ...rests, working: true, inTurn: true };
const prints: Sight = { ...rests, working: true };
const unseen: Sight = { inMode: false, isAgent: true, hasLine: true };
const asks: Sight = { ...unseen, question: { kind: "permission", text: "Run it?" } };

const began = (worked: boolean, looks: readonly Sight[]) =>
  looks.reduce((watch, sight, at) => afterLook(watch, sight, at), turnWatch(worked)).beganAt;

test("a turn began after Enter, in an agent that rested before", () => {
  for (const [worked, looks, expected] of [
    [false, [works], 0],
    [false, [rests, rests, works, rests], 2],
    [false, [rests, asks], 1],
    [false, [rests, rests], undefined],
    [false, [prints, prints], undefined],
    [false, [unseen, unseen], undefined],
    [true, [works, works], undefined],
    [true, [works, asks, works], undefined],
    [true, [works, unseen, works], undefined],
    [true, [works, prints, works], undefined],
    [true, [works, rests, works], 2],
    [true, [rests, asks], 1],
  ] as const) {
    assert.equal(began(worked, looks), expected, JSON.stringify([worked, looks]));
  }
});
