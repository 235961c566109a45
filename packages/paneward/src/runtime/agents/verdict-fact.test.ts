import assert from "node:assert/strict";
import { test } from "node:test";
import type { Agent, Question } from "@paneward/sdk";
import type { AttentionChange } from "../../model/attention/change.ts";
import { verdictFact } from "./verdict-fact.ts";

const question = { id: "q1", kind: "permission", text: "?", proposal: { tool: "Bash", command: "make" } } as Question;

const rows: readonly (readonly [Agent["state"], string, string | undefined, Partial<AttentionChange>?])[] = [
  ["commanded", "working by screen", "progress"],
  ["idle", "working by hook", "progress"],
  ["processing", "working by hook", undefined],
  ["idle", "working by output", undefined],
  ["awaiting_input", "working by output", "progress"],
  ["processing", "needs_input by screen", "question: Bash: make"],
  ["awaiting_input", "needs_input by hook", "question: Bash: make"],
  ["awaiting_input", "idle by silence", "end_of_task: the question was dismissed"],
  ["processing", "idle by screen", "completion"],
  ["processing", "idle by silence", undefined],
  ["commanded", "idle by screen", "completion"],
  ["commanded", "idle by screen", undefined, { hasBegun: false }],
  ["processing", "idle by screen", undefined, { detail: "quota_reached" }],
  ["complete", "idle by screen", undefined],
  ["processing", "unknown by daemon", undefined],
];

for (const [state, verdict, expected, more = {}] of rows) {
  test(`${verdict} ${JSON.stringify(more)} makes of an agent that is ${state}: ${expected ?? "nothing new"}`, () => {
    const [says, , source = ""] = verdict.split(" ");
    const change = { terminal: "t1", hasBegun: true, says, why: { source, rule: "", since: 0 }, ...more };
    const asked = says === "needs_input" ? question : undefined;
    const fact = verdictFact(state, change as AttentionChange, asked);
    assert.equal(fact && [fact.intent, fact.text].filter(Boolean).join(": "), expected);
  });
}
