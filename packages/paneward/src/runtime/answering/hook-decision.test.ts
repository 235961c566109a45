import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import type { GivenAnswer } from "../../model/answer.ts";
import type { Decision } from "./hook-answers.ts";
import { decisionOf } from "./hook-decision.ts";

const options = (...labels: readonly string[]) => labels.map((label, at) => ({ number: at + 1, label }));
const drawn = options("Yes", "Yes, always", "No");
/** A narrow screen cuts the labels; the hook has them whole. */
const cut = options("A long na…", "Blue", "Chat about this");
const asked = { text: "Which colour?", options: options("A long name", "Blue") };
const option = (number: number): GivenAnswer => ({ kind: "option", number });
const words = (text: string): GivenAnswer => ({ kind: "text", text });

type Case = readonly [Question["kind"], typeof drawn, GivenAnswer, Decision | undefined];
const cases: Readonly<Record<string, Case>> = {
  "the first option of a permission allows": ["permission", drawn, option(1), { behavior: "allow" }],
  "the last one denies": ["permission", drawn, option(3), { behavior: "deny", message: "the person said no" }],
  "one between them adds a rule: keys": ["permission", drawn, option(2), undefined],
  "an option that is not there: keys": ["permission", drawn, option(9), undefined],
  "words deny, and say why": ["permission", drawn, words("use rg"), { behavior: "deny", message: "use rg" }],
  "a choice is answered in its whole words": [
    ...(["choice", cut, option(1)] as const),
    { behavior: "allow", answers: { "Which colour?": "A long name" } },
  ],
  "a choice is answered in words of one's own": [
    ...(["choice", cut, words("Green")] as const),
    { behavior: "allow", answers: { "Which colour?": "Green" } },
  ],
  "an option that only the dialog has: keys": ["choice", cut, option(3), undefined],
  "several options: keys": ["choice", cut, { kind: "options", numbers: [1, 2] }, undefined],
  "a plan: keys": ["plan", drawn, option(1), undefined],
};

describe("an answer as a hook takes it:", () => {
  for (const [name, [kind, shown, answer, expected]] of Object.entries(cases)) {
    test(name, () => assert.deepEqual(decisionOf({ kind, options: shown }, asked, answer), expected));
  }
});
