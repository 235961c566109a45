import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError, type Question } from "@paneward/sdk";
import { parseAnswer } from "./parse-answer.ts";

type Wanted = Parameters<typeof parseAnswer>[0];
type Input = Parameters<typeof parseAnswer>[1];

const asks = (kind: Question["kind"], options: Question["options"], more: Partial<Wanted> = {}): Wanted => ({
  ...{ kind, options, freeText: false, openedAt: 100, drawnAt: 100 },
  ...more,
});
/** As Claude Code draws it. */
const drawn = asks("permission", [
  { number: 1, label: "Yes", does: "approve" },
  { number: 2, label: "Yes, and always allow it" },
  { number: 4, label: "No", does: "deny" },
]);
/** Known from its hook alone. */
const reported = asks(
  "permission",
  [
    { number: 1, label: "Yes", does: "approve" },
    { number: 0, label: "No", does: "deny" },
  ],
  { drawnAt: undefined },
);
const drawnLate: Wanted = { ...drawn, drawnAt: 500 };
/** The second step of a dialog, of which it is not known what it does. */
const strange = asks("permission", [
  { number: 1, label: "Confirm" },
  { number: 2, label: "Cancel" },
]);
const choice = asks("choice", [{ number: 1, label: "Yes" }], { freeText: true });

function outcome(question: Wanted, input: Input): string {
  try {
    const { mode, answer, words } = parseAnswer(question, input, { secret: false, takesLines: true });
    return `${mode} ${Object.values(answer).join(" ")}: ${words}`;
  } catch (error) {
    if (!(error instanceof PanewardError)) throw error;
    return `${error.errorType}`;
  }
}

const everyPermission = { drawn, reported, drawnLate };
describe("every permission, however it became known:", () => {
  for (const [how, question] of Object.entries(everyPermission)) {
    for (const text of ["y", "Y", "yes", " YES\n", "approve", "Allow"]) {
      test(`${how}: ${JSON.stringify(text)} approves`, () =>
        assert.equal(outcome(question, { text }), "text approve: Yes"));
    }
    for (const text of ["n", "no", "No ", "deny"]) {
      test(`${how}: ${JSON.stringify(text)} denies`, () => assert.equal(outcome(question, { text }), "text deny: No"));
    }
    const unclear = ["yes please", "sure", "ok", "1", "yes\nno", "not yet", "nope", "use rg", "y n", "constructor"];
    for (const text of [...unclear, "__proto__", "ｙｅｓ", "да"]) {
      test(`${how}: ${JSON.stringify(text)} is refused`, () =>
        assert.equal(outcome(question, { text }), "invalid_mode"));
    }
    test(`${how}: by number, and denied with words`, () => {
      assert.equal(outcome(question, { option: 1 }), "select approve: Yes");
      assert.equal(outcome(question, { option: 0 }), "select deny: No");
      assert.equal(outcome(question, { option_index: 0 }), "select approve: Yes");
      assert.equal(outcome(question, { mode: "select", option_label: "No" }), "select deny: No");
      assert.equal(outcome(question, { deny: "use rg" }), "other deny use rg: use rg");
      assert.equal(outcome(question, { deny: " " }), "other deny: No");
      assert.equal(outcome(question, { option: 9 }), "invalid_option_index");
      assert.equal(outcome(question, { answers: [{ option_index: 0 }] }), "invalid_answers");
    });
    test(`${how}: two answers at once are refused`, () => {
      assert.equal(outcome(question, { text: "no", option: 1 }), "invalid_mode");
      assert.equal(outcome(question, { deny: "", option: 1 }), "invalid_mode");
      assert.equal(outcome(question, { deny: "", text: "yes" }), "invalid_mode");
    });
  }
});

const others: Readonly<Record<string, readonly [Wanted, Input, string]>> = {
  "an option that adds a rule is chosen by its number": [
    drawn,
    { option: 2 },
    "select option 2: Yes, and always allow it",
  ],
  "a number of the dialog means nothing before it is drawn": [reported, { option: 4 }, "invalid_option_index"],
  "the second of two may be the second of three once it is drawn": [
    drawnLate,
    { option_index: 1 },
    "invalid_option_index",
  ],
  "but what denies still does": [drawnLate, { option_index: 2 }, "select deny: No"],
  "a dialog that was never otherwise counts as it is": [
    drawn,
    { option_index: 1 },
    "select option 2: Yes, and always allow it",
  ],
  "what its options do is not guessed": [strange, { text: "yes" }, "invalid_mode"],
  "nor denied": [strange, { deny: "no" }, "invalid_mode"],
  "nor by 0": [strange, { option: 0 }, "invalid_option_index"],
  "it takes the numbers that it shows": [strange, { option: 1 }, "select option 1: Confirm"],
  "a choice takes words as they are": [choice, { text: "yes" }, "text text yes: yes"],
  "only a permission can be denied": [choice, { deny: "no" }, "invalid_mode"],
};
for (const [name, [question, input, expected]] of Object.entries(others)) {
  test(`an answer: ${name}`, () => assert.equal(outcome(question, input), expected));
}

test("a refusal lists the options and the way to deny with words", () => {
  const hint = (question: Wanted) => {
    try {
      parseAnswer(question, { text: "hm" }, { secret: false, takesLines: true });
    } catch (error) {
      return error instanceof PanewardError ? error.hint : undefined;
    }
    return undefined;
  };
  assert.equal(
    hint(reported),
    "there are 1 Yes, 0 No; yes and no count too, and `deny` (--deny TEXT) denies with words",
  );
  assert.equal(hint(strange), "there are 1 Confirm, 2 Cancel");
});
