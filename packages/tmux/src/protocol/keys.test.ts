import assert from "node:assert/strict";
import { test } from "node:test";
import { checkKey } from "./keys.ts";

test("accepts tmux's key names with any modifiers, and single characters", () => {
  const keys = ["Enter", "enter", "Escape", "C-c", "M-Left", "C-M-S-Up", "F12", "^d", "KPEnter", "BTab", "a", "-", ";"];
  for (const key of [...keys, "é", "🙂", "^", "C--"]) assert.equal(checkKey(key), key);
});

test("a name that tmux would type letter by letter is refused", () => {
  for (const key of ["", "Entr", "Ctrl-C", "C-", "F13", "ab", "\n", "C-cc", "\u001b", "Enter "]) {
    assert.throws(() => checkKey(key), { type: "send_failed", delivered: "no" }, JSON.stringify(key));
  }
});

test("a common mistake is answered with the right name", () => {
  assert.throws(() => checkKey("Return"), /did you mean Enter\?/);
  assert.throws(() => checkKey("ctrl+c"), /did you mean C-c\?/);
});
