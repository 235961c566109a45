import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "@paneward/sdk";
import { screenHash } from "../attention/question-identity.ts";
import { requireWhole } from "./dialog-keys.ts";

const drawn = (whole: boolean) => ({ kind: "permission", text: "Run it?", region: "ls", whole, doubt: "cut" }) as const;
const proved = { whole: true, proof: "agent", screenHash: screenHash({ region: "ls" }) } as Question;

const cases: readonly (readonly [string, readonly string[], boolean, Question | undefined, boolean])[] = [
  ["an option's number", ["1"], false, undefined, false],
  ["Enter", ["Enter"], false, undefined, false],
  ["Enter by its other name", ["C-m"], false, undefined, false],
  ["a line feed", ["C-j"], false, undefined, false],
  ["a letter behind an arrow", ["Down", "y"], false, undefined, false],
  ["Escape", ["Escape"], false, undefined, true],
  ["what shows more of it", ["C-a", "PageDown", "Down"], false, undefined, true],
  ["an option of a dialog that is read whole", ["1"], true, undefined, true],
  ["an option of a dialog that is reported whole", ["1"], false, proved, true],
  ["an option of a dialog that is not the reported one", ["1"], false, { ...proved, screenHash: "x" }, false],
];
for (const [name, keys, whole, open, isAllowed] of cases) {
  test(`keys in a dialog: ${name} ${isAllowed ? "may" : "may not"} be pressed`, () => {
    const press = () => requireWhole(keys, { question: drawn(whole) }, open);
    if (isAllowed) press();
    else assert.throws(press, { code: "wrong_state", errorType: "not_whole" });
  });
}
