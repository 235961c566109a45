import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkOfOurs } from "../model/courier/draft.ts";
import { agentNamed } from "./registry.ts";

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join("\n");

const cases: readonly (readonly [agent: string, mark: string, text: string, expected: boolean])[] = [
  ["claude", "[Pasted text #1 +3 lines]", lines(4), true],
  ["claude", "[Pasted text #12 +399 lines]", lines(400), true],
  ["claude", "[Pasted text #1 +9 lines]", lines(400), false],
  ["claude", "[Pasted text #1 +3 lines] and", lines(4), false],
  ["codex", `[Pasted Content ${lines(400).length} chars]`, lines(400), true],
  ["codex", "[Pasted Content 17 chars]", lines(400), false],
  ["gemini", "[Pasted Text: 5 lines]", lines(5), true],
  ["gemini", "[Pasted Text: 600 chars]", "x".repeat(600), true],
  ["opencode", "[Pasted ~5 lines]", lines(5), true],
  ["pi", "[paste #1 +31 lines]", lines(31), true],
  ["pi", "[paste #1 2000 chars]", "x".repeat(2_000), true],
  ["pi", "[paste #1 2000 chars]", "x".repeat(20), false],
  ["claude", "[Pasted text #3]", "x".repeat(900), true],
  ["claude", "[Pasted text #3]", "x".repeat(90), false],
  ["codex", "[paste #1 +31 lines]", lines(31), false],
  ["shell", "[paste #1 +31 lines]", lines(31), false],
];

for (const [agent, mark, text, expected] of cases) {
  test(`${agent}: ${mark} represents ${expected ? "" : "another text than "}${text.split("\n").length} lines`, () => {
    assert.equal(isMarkOfOurs(mark, text, agentNamed(agent, {})?.submit.pasteMark), expected);
  });
}
