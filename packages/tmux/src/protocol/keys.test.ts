import assert from "node:assert/strict";
import { test } from "node:test";
import { checkKey } from "./keys.ts";

test("accepts tmux's key names with any modifiers, and single characters", () => {
  const keys = ["Enter", "Escape", "C-c", "M-Left", "C-M-S-Up", "F12", "KPEnter", "BTab", "a", "A", "-", ";"];
  for (const key of [...keys, "é", "🙂", "^", "C--", "C-M"]) assert.equal(checkKey(key), key);
});

test("a name in other letters is the same key, and is given in tmux's own", () => {
  const others = { enter: "Enter", ENTER: "Enter", KPENTER: "KPEnter", "C-enter": "C-Enter", "^d": "C-d", "^M": "C-M" };
  for (const [key, name] of Object.entries(others)) assert.equal(checkKey(key), name);
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
