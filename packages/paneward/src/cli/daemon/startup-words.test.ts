import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startupFailure } from "./startup-words.ts";

describe("why a daemon did not start", () => {
  const table: readonly (readonly [string, readonly string[], string | undefined, string | undefined])[] = [
    ["nothing", [], undefined, undefined],
    ["lines of the log only", ['{"level":30,"msg":"ready"}'], undefined, undefined],
    ["its failure", ['{"level":30}', "paneward: no room", '{"level":40}', "hint: make some"], "no room", "make some"],
    ["a failure without a hint", ["paneward: no room"], "no room", undefined],
    ["a failure of two lines", ["paneward: no room\n  on /x", "hint: y"], "no room\n  on /x", "y"],
    ["the last of two failures", ["paneward: a", "hint: b", "paneward: c"], "c", undefined],
    [
      "what Node says",
      ["node:internal/x:1", "    throw e", "SyntaxError: bad", "    at x", "Node.js v26"],
      "SyntaxError: bad",
      undefined,
    ],
  ];
  for (const [name, lines, message, hint] of table) {
    test(`is taken from ${name}`, () => {
      const found = startupFailure(lines.join("\n"));
      assert.deepEqual([found?.message, found?.hint], [message, hint]);
    });
  }
});
