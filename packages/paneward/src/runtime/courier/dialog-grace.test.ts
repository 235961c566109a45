import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import type { Sight } from "../../model/courier/submission.ts";
import { screenHash } from "../attention/question-identity.ts";
import { untilTakesKeys } from "./dialog-grace.ts";

const nothing: Sight = { inMode: false, isAgent: true, draft: "" };
const undrawn: Sight = { ...nothing, question: { kind: "permission", text: "Claude wants to use Bash" } };
const dialog = (region: string): Sight => ({ ...nothing, question: { kind: "permission", text: "Run it?", region } });
const start = 1_000_000;
const known = (region: string, drawnAt: number) =>
  ({ screenHash: screenHash({ region }), drawnAt: start + drawnAt }) as Question;

/** When keys are pressed, if the screen looks like this from these moments on, and the wall clock was set by so much. */
async function pressedAt(screens: Readonly<Record<number, Sight>>, asked?: Question, wall = 0): Promise<number> {
  const clock = new FakeClock(start);
  clock.setWall(wall);
  const passed = () => clock.monotonic() - start;
  let done = false;
  const waiting = untilTakesKeys({
    graceMs: 1_000,
    clock,
    look: async () => Object.entries(screens).findLast(([from]) => Number(from) <= passed())?.[1] ?? nothing,
    asked: () => asked,
    pause: (ms) => clock.sleep(ms),
  }).then(() => {
    done = true;
  });
  const took = await clock.until("the keys are pressed", () => done);
  await waiting;
  return took;
}

describe("keys wait until a dialog takes them", () => {
  test("no dialog: at once", async () => assert.equal(await pressedAt({ 0: nothing }), 0));
  test("one that is not on record yet", async () => assert.equal(await pressedAt({ 0: dialog("a") }), 1_000));
  test("one that was there before", async () =>
    assert.equal(await pressedAt({ 0: dialog("a") }, known("a", -400)), 600));
  test("an old one", async () => assert.equal(await pressedAt({ 0: dialog("a") }, known("a", -5_000)), 0));
  test("another than the one that is known", async () => {
    assert.equal(await pressedAt({ 0: dialog("b") }, known("a", -5_000)), 1_000);
  });
  test("one that is drawn later", async () => assert.equal(await pressedAt({ 0: undrawn, 300: dialog("a") }), 1_300));
  test("one that takes another's place", async () => {
    assert.equal(await pressedAt({ 0: dialog("a"), 900: dialog("b") }), 2_000);
  });
  test("one that is never drawn: a while", async () => assert.equal(await pressedAt({ 0: undrawn }), 5_000));
  test("one whose date lies in the future, since the wall clock was set back: no longer than a new one", async () => {
    assert.equal(await pressedAt({ 0: dialog("a") }, known("a", -5_000), -3_600_000), 1_000);
  });
});
