import assert from "node:assert/strict";
import { test } from "node:test";
import { fairTurns } from "./fair-turns.ts";

test("one name with many things to do delays another by one of them", async () => {
  const turns = fairTurns();
  const done: string[] = [];
  let underWay = 0;
  const work = (what: string) => async () => {
    assert.equal(++underWay, 1, "one at a time");
    await Promise.resolve();
    done.push(what);
    underWay--;
    if (what === "a2") throw new Error("failed");
    return what;
  };
  const many = ["a1", "a2", "a3", "a4"].map((what) => turns("a", work(what)));
  const few = ["b1", "b2"].map((what) => turns("b", work(what)));
  assert.deepEqual(await Promise.all(few), ["b1", "b2"]);
  const outcomes = await Promise.allSettled(many);
  assert.deepEqual(done, ["a1", "a2", "b1", "a3", "b2", "a4"]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled", "fulfilled"],
  );
  assert.equal(await turns("c", work("c1")), "c1");
});
