import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedOf } from "./recorded.ts";
import type { GivenAnswer } from "../../src/model/answer.ts";
import { agentNamed } from "../../src/agents/registry.ts";

/** The keys for an answer to a recorded screen, in one line; pauses are dots. */
function keys(agent: string, screen: string, answer: GivenAnswer): string {
  const known = agentNamed(agent, {});
  const found = recordedOf(agent).find(({ name }) => name === screen);
  const question = found && known?.readScreen?.(found.view)?.question;
  assert.ok(question, `${agent}/${screen} shows a question`);
  const steps = known?.answer?.(question, answer);
  if (!steps) return "cannot";
  return steps
    .map((step) => ("keys" in step ? step.keys.join(" ") : "text" in step ? JSON.stringify(step.text) : "."))
    .join(" ");
}

const option = (number: number): GivenAnswer => ({ kind: "option", number });
const options = (...numbers: readonly number[]): GivenAnswer => ({ kind: "options", numbers });
const text = (words: string): GivenAnswer => ({ kind: "text", text: words });

const cases: readonly (readonly [string, string, GivenAnswer, string])[] = [
  ["claude", "permission-command", option(1), "1"],
  ["claude", "permission-command", option(4), "4"],
  ["claude", "permission-write", option(4), "cannot"],
  ["claude", "permission-command", text("no, use git"), "cannot"],
  ["claude", "choice", option(2), "2"],
  ["claude", "choice", text("Green"), '3 . "Green" . Enter'],
  ["claude", "multi-choice", options(1, 3), "1 3 Tab . Enter"],
  ["claude", "multi-choice-ticked", options(1, 3), "1 2 3 Tab . Enter"],
  ["claude", "multi-choice-ticked", options(2), "Tab . Enter"],
  ["claude", "multi-choice", options(9), "cannot"],
  ["claude", "plan", option(1), "1"],
  ["claude", "trust", option(2), "Down Enter"],
  ["claude", "api-key", option(1), "Up Enter"],
  ["codex", "permission-command", option(3), "3"],
  ["codex", "permission-mcp", option(2), "2"],
  ["codex", "trust", option(2), "Down Enter"],
  ["codex", "permission-command", text("no"), "cannot"],
  ["codex", "choice", option(2), "Down Enter"],
  ["codex", "choice-pointer-moved", option(1), "Up Enter"],
  ["codex", "choice", text("Green"), 'Down Down Tab . "Green" . Enter'],
  ["codex", "choice-second-of-two", text("Huge"), 'Down Down Tab . "Huge" . Enter'],
  ["codex", "choice-with-notes", text("Green"), "cannot"],
  ["codex", "plan", option(3), "Down Down Enter"],
  ["codex", "plan", text("no"), "cannot"],
  ["codex", "hooks-need-review", option(2), "Down Enter"],
  ["gemini", "permission-edit", option(4), "4"],
  ["gemini", "choice", text("Green"), '3 . "Green" . Enter'],
  ["gemini", "text", text("Ada"), '"Ada" . Enter'],
  ["gemini", "multi-choice", options(2), "2 Up Up Enter"],
  ["gemini", "multi-choice-ticked", options(1), "Up Enter"],
  ["opencode", "permission-command", option(1), "Enter"],
  ["opencode", "permission-command", option(3), "Right Right Enter"],
  ["opencode", "choice", option(2), "2"],
  ["opencode", "choice", text("Green"), '3 . "Green" . Enter'],
  ["opencode", "multi-choice-ticked", options(2), "1 2 Tab . Enter"],
  ["opencode", "agent-list", option(1), "cannot"],
  ["opencode", "agent-list", text("plan"), "cannot"],
  ["pi", "choice", option(2), "Down Enter"],
  ["pi", "choice-pointer-moved", option(1), "Up Enter"],
  ["pi", "text", text("Ada"), '"Ada" . Enter'],
  ["pi", "choice", text("Green"), "cannot"],
];

for (const [agent, screen, answer, expected] of cases) {
  test(`${agent}, ${screen}: ${JSON.stringify(answer)} is ${expected}`, () => {
    assert.equal(keys(agent, screen, answer), expected);
  });
}
