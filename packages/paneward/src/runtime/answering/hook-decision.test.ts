import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import type { GivenAnswer } from "../../model/answer.ts";
import type { Decision } from "./hook-answers.ts";
import { decisionOf } from "./hook-decision.ts";

const options = (...labels: readonly string[]) => labels.map((label, at) => ({ number: at + 1, label }));
const asked = { text: "Which colour?", options: options("A long name", "Blue") };
const option = (number: number): GivenAnswer => ({ kind: "option", number });
const words = (text: string): GivenAnswer => ({ kind: "text", text });

type Case = readonly [Question["kind"], GivenAnswer, Decision | undefined];
const cases: Readonly<Record<string, Case>> = {
  "a permission is approved": ["permission", { kind: "approve" }, { behavior: "allow" }],
  "a permission is denied": ["permission", { kind: "deny" }, { behavior: "deny", message: "the person said no" }],
  "and denied with words": ["permission", { kind: "deny", message: "use rg" }, { behavior: "deny", message: "use rg" }],
  "an option that adds a rule: keys": ["permission", option(2), undefined],
  "words alone decide nothing": ["permission", words("yes"), undefined],
  "a choice is answered in its whole words": [
    ...(["choice", option(1)] as const),
    { behavior: "allow", answers: { "Which colour?": "A long name" } },
  ],
  "a choice is answered in words of one's own": [
    ...(["choice", words("Green")] as const),
    { behavior: "allow", answers: { "Which colour?": "Green" } },
  ],
  "an option that only the dialog has: keys": ["choice", option(3), undefined],
  "several options: keys": ["choice", { kind: "options", numbers: [1, 2] }, undefined],
  "a plan: keys": ["plan", { kind: "approve" }, undefined],
};

describe("an answer as a hook takes it:", () => {
  for (const [name, [kind, answer, expected]] of Object.entries(cases)) {
    test(name, () => assert.deepEqual(decisionOf({ kind }, asked, answer), expected));
  }
});
