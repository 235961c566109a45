import assert from "node:assert/strict";
import { test } from "node:test";
import { believes } from "./hook-order.ts";

const open = { tool: "Bash ls", at: 1_000 };

test("a hook beside an open dialog is believed only when it ends that dialog", () => {
  const cases: readonly (readonly [string, string, number, boolean])[] = [
    ["PostToolUse", "Bash ls", 1_500, true],
    ["PostToolUse", "Read x", 1_500, false],
    ["PostToolUseFailure", "Read x", 1_500, false],
    ["PostToolBatch", "", 1_500, true],
    ["PreToolUse", "Read x", 1_500, false],
    ["PreToolUse", "Read x", 9_000, true],
    ["Stop", "", 1_500, false],
    ["UserPromptSubmit", "", 1_500, true],
    ["Interrupt", "", 1_500, true],
    ["SessionEnd", "", 1_500, true],
  ];
  for (const [event, tool, at, expected] of cases) {
    assert.equal(believes(open, { event, tool, at, asks: false }), expected, `${event} ${tool} ${at}`);
    assert.equal(believes(undefined, { event, tool, at, asks: false }), true, `${event} without a dialog`);
  }
  assert.equal(believes(open, { event: "PermissionRequest", tool: "Read x", at: 1_500, asks: true }), true);
});
