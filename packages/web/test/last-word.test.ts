import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lastWord } from "../src/state/last-word.ts";

/** What was sent, and a way to let the oldest word that is on its way arrive. */
function listener() {
  const sent: string[] = [];
  const arrivals: (() => void)[] = [];
  const { say, sayAtOnce } = lastWord((word: string) => {
    sent.push(word);
    return new Promise<void>((resolve) => arrivals.push(resolve));
  });
  const arrive = async () => {
    arrivals.shift()?.();
    await new Promise(setImmediate);
  };
  return { sent, say, sayAtOnce, arrive };
}

describe("the last word", () => {
  test("each waits until the one before has arrived", async () => {
    const { sent, say, arrive } = listener();
    say("here");
    await arrive();
    say("there");
    await arrive();
    assert.deepEqual(sent, ["here", "there"]);
  });

  test("of those that wait only the last is said", async () => {
    const { sent, say, arrive } = listener();
    for (const word of ["one", "two", "three", "four"]) say(word);
    await new Promise(setImmediate);
    await arrive();
    await arrive();
    assert.deepEqual(sent, ["four"]);
  });

  test("nothing that waited is sent after a page leaves, which sends again behind what was on its way", async () => {
    const { sent, say, sayAtOnce, arrive } = listener();
    say("here");
    await new Promise(setImmediate);
    say("still here");
    sayAtOnce("gone");
    assert.deepEqual(sent, ["here", "gone"]);
    for (let left = 0; left < 4; left++) await arrive();
    assert.deepEqual(sent, ["here", "gone", "gone"]);
  });

  test("a page that leaves sends it once, and what comes later follows", async () => {
    const { sent, say, sayAtOnce, arrive } = listener();
    sayAtOnce("gone");
    say("back");
    assert.deepEqual(sent, ["gone"]);
    await arrive();
    assert.deepEqual(sent, ["gone", "back"]);
  });

  test("a page that is back before that was sent again does not send it", async () => {
    const { sent, say, sayAtOnce, arrive } = listener();
    say("here");
    await new Promise(setImmediate);
    sayAtOnce("gone");
    say("back");
    for (let left = 0; left < 4; left++) await arrive();
    assert.deepEqual(sent, ["here", "gone", "back"]);
  });
});
