import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChosenAnswer, needsReading } from "./approval.ts";

const options = ["Yes, proceed (y)", "Yes, and don't ask again", "No, and tell it what to do (esc)"].map(
  (label, index) => ({ number: index + 1, label }),
);
const cases: readonly (readonly [string, boolean | undefined, ChosenAnswer, boolean])[] = [
  ["allows what is proved", true, { options: [1] }, false],
  ["answers where nothing is proposed", undefined, { options: [1] }, false],
  ["types at a plain prompt", undefined, { text: "y" }, false],
  ["allows what is not proved", false, { options: [1] }, true],
  ["allows it for ever", false, { options: [2] }, true],
  ["denies it", false, { options: [3] }, false],
  ["names an option that is not shown", false, { options: [4] }, true],
  ["chooses both", false, { options: [1, 3] }, true],
  ["says yes in words", false, { text: "Yes" }, true],
  ["says yes at length", false, { text: "ok, go ahead" }, true],
  ["presses Enter", false, { text: "" }, true],
  ["types the option's number", false, { text: "1" }, true],
  ["says what to do instead", false, { text: "use the other branch" }, false],
  ["says no", false, { text: "no" }, false],
];
for (const [name, whole, answer, expected] of cases) {
  test(`an answer that ${name} ${expected ? "needs" : "needs no"} reading of the screen`, () => {
    assert.equal(
      needsReading({ kind: "permission", options, ...(whole === undefined ? {} : { whole }) }, answer),
      expected,
    );
  });
}
