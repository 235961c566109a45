import assert from "node:assert/strict";
import { test } from "node:test";
import { lastLine } from "./last-line.ts";

const cases: readonly (readonly [string, readonly string[], string])[] = [
  ["nothing", [], ""],
  ["blank rows below", ["$ make", "done in 3 s", "", ""], "done in 3 s"],
  ["a prompt below", ["12 tests passed", "$ "], "12 tests passed"],
  ["a frame around", ["╭────────╮", "│ Edit file │", "╰────────╯"], "Edit file"],
  ["only a prompt", ["", "❯ a", ""], "❯ a"],
  ["keys below", ["reading files", "? for shortcuts", "Esc to cancel · Tab to amend"], "reading files"],
  ["very long", ["x".repeat(500)], "x".repeat(200)],
];

for (const [what, lines, wanted] of cases) {
  test(`the last line that says something: ${what}`, () => assert.equal(lastLine(lines), wanted));
}
