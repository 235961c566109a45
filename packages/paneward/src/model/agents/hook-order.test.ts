import assert from "node:assert/strict";
import { test } from "node:test";
import { concernsAgent, type HookPhase } from "./hook-order.ts";

const open = { tool: "Bash ls", at: 1_000 };

test("a hook beside an open dialog is believed only when it ends that dialog", () => {
  const cases: readonly (readonly [HookPhase | undefined, string, number, boolean])[] = [
    ["tool_ended", "Bash ls", 1_500, true],
    ["tool_ended", "Read x", 1_500, false],
    ["tool_ended", "", 1_500, true],
    ["tool_begins", "Read x", 1_500, false],
    ["tool_begins", "Read x", 9_000, true],
    ["turn_ended", "", 1_500, false],
    [undefined, "", 1_500, true],
  ];
  for (const [phase, tool, at, expected] of cases) {
    assert.equal(concernsAgent(open, { phase, tool, at, asks: false }), expected, `${phase} ${tool} ${at}`);
    assert.equal(concernsAgent(undefined, { phase, tool, at, asks: false }), true, `${phase} without a dialog`);
  }
  assert.equal(concernsAgent(open, { phase: undefined, tool: "Read x", at: 1_500, asks: true }), true);
});
