import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import type { Sight } from "../../model/courier/submission.ts";
import { screenHash } from "../attention/question-identity.ts";
import { type KnownQuestion, untilTakesKeys } from "./dialog-grace.ts";

const nothing: Sight = { inMode: false, isAgent: true, draft: "" };
const undrawn: Sight = { ...nothing, question: { kind: "permission", text: "Claude wants to use Bash" } };
const dialog = (region: string): Sight => ({ ...nothing, question: { kind: "permission", text: "Run it?", region } });
const start = 1_000_000;
const known = (region: string, drawnAt: number) =>
  ({ screenHash: screenHash({ region }), drawnAt: start + drawnAt }) as KnownQuestion;

/** When keys are pressed, if the screen looks like this from these moments on. */
async function pressedAt(screens: Readonly<Record<number, Sight>>, asked?: KnownQuestion): Promise<number> {
  const clock = new FakeClock(start);
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
});
