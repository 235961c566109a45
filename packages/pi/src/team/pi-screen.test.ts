import assert from "node:assert/strict";
import { test } from "node:test";
import { holdsDraft, readPiScreen } from "./pi-screen.ts";

const rule = "─".repeat(40);

test("pi is ready when its editor is between two rules", () => {
  const cases: readonly (readonly [string, readonly string[], ReturnType<typeof readPiScreen>])[] = [
    ["nothing yet", ["loading", ""], { ready: false, working: false, draft: "" }],
    ["one rule", ["x", rule], { ready: false, working: false, draft: "" }],
    ["empty", ["x", rule, "", rule, "~/p"], { ready: true, working: false, draft: "" }],
    ["a draft", [rule, "fix the", "tests", rule], { ready: true, working: false, draft: "fix the\ntests" }],
    [
      "a dialog",
      [rule, " Trust it?", " → Yes", "   No", " ↑↓ navigate  enter select  escape/ctrl+c cancel", rule],
      { ready: false, working: false, draft: "", asks: "Trust it?\n→ Yes\nNo" },
    ],
    ["busy", [`── ⠹ Working ${"─".repeat(20)}`, "", rule], { ready: false, working: true, draft: "" }],
  ];
  for (const [name, lines, expected] of cases) assert.deepEqual(readPiScreen(lines), expected, name);
});

test("only our own text counts as our draft", () => {
  const text = "Fix the parser and say when it is done.\nThen rest.";
  assert.ok(holdsDraft("Fix the parser and say when it is done.", text));
  assert.ok(holdsDraft("Fix the parser and say\nwhen it is done.", text), "wrapped by the width");
  assert.ok(holdsDraft("[paste #1 +30 lines]", text));
  assert.ok(!holdsDraft("", text));
  assert.ok(!holdsDraft("somebody's own words", text));
});
