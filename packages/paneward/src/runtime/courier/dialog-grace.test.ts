import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import type { Sight } from "../../model/courier/courier.ts";
import { screenHash } from "../attention/question-identity.ts";
import { untilTakesKeys } from "./dialog-grace.ts";

const nothing: Sight = { inMode: false, isAgent: true, draft: "" };
const undrawn: Sight = { ...nothing, question: { kind: "permission", text: "Claude wants to use Bash" } };
const dialog = (region: string): Sight => ({ ...nothing, question: { kind: "permission", text: "Run it?", region } });
const known = (region: string, drawnAt: number) => ({ screenHash: screenHash({ region }), drawnAt }) as Question;

/** The time at which keys are pressed, when the screen looks like this from these moments on. */
async function pressedAt(screens: Readonly<Record<number, Sight>>, asked?: Question): Promise<number> {
  let now = 0;
  await untilTakesKeys({
    graceMs: 1_000,
    now: () => now,
    look: async () => Object.entries(screens).findLast(([from]) => Number(from) <= now)?.[1] ?? nothing,
    asked: () => asked,
    pause: async (ms) => {
      now += ms;
    },
  });
  return now;
}

describe("keys wait until a dialog takes them", () => {
  test("no dialog: at once", async () => assert.equal(await pressedAt({ 0: nothing }), 0));
  test("one that nobody has written down yet", async () => assert.equal(await pressedAt({ 0: dialog("a") }), 1_000));
  test("one that stood before", async () => assert.equal(await pressedAt({ 0: dialog("a") }, known("a", -400)), 600));
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
