import assert from "node:assert/strict";
import { test } from "node:test";
import { type ErrorCode, PanewardError } from "@paneward/sdk";
import { failureResult } from "./failures.ts";

/** The text that a model reads for an error with the code's default hint. */
function textOf(code: ErrorCode, tool: string): string {
  return failureResult(new PanewardError(code, "what happened"), tool).content[0]?.text ?? "";
}

const table: readonly (readonly [ErrorCode, string, string])[] = [
  ["not_found", "terminal_read", "Hint: terminal_list and task_list show what exists\nNext: terminal_list {}"],
  ["not_found", "task_merge", "Hint: terminal_list and task_list show what exists\nNext: task_list {}"],
  ["not_found", "thread_read", "Hint: terminal_list and task_list show what exists\nNext: thread_read {}"],
  [
    "unavailable",
    "terminal_start",
    "Hint: a person can find out what is missing: `paneward doctor`\nNext: terminal_start again in a moment, with the same input",
  ],
  [
    "unavailable",
    "agent_respond",
    "Hint: a person can find out what is missing: `paneward doctor`\nNext: terminal_list {}",
  ],
  ["bad_input", "terminal_wait", "Hint: correct the input and call again"],
];

for (const [code, tool, text] of table) {
  test(`${code} of ${tool} suggests tools, not commands`, () => {
    assert.equal(textOf(code, tool), `what happened\n${text}`);
  });
}

test("an error's own hint is kept, in the text and in the data", () => {
  const own = new PanewardError("not_found", "there is no host", { hint: "there are box and attic" });
  const { content, structuredContent, isError } = failureResult(own, "terminal_start");
  assert.equal(isError, true);
  assert.match(content[0]?.text ?? "", /^Hint: there are box and attic$/m);
  assert.equal(structuredContent.error.hint, "there are box and attic");
});
