import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "../shapes.ts";
import { eventWords } from "./event-words.ts";
import { askedWords, takesText } from "./words.ts";

const question = (more: Partial<Question>): Question => ({
  ...{ id: "q1", terminal: "t1", kind: "text", text: "GitHub token:", options: [], freeText: true, source: "screen" },
  ...{ screenHash: "", state: "open", openedAt: 1 },
  ...more,
});

test("a question that is only printed is labelled, once", () => {
  assert.equal(askedWords(question({})), "GitHub token:");
  assert.equal(askedWords(question({ unverified: true })), "GitHub token: (unverified)");
  assert.equal(askedWords(question({ unverified: true, text: "it waits (unverified)" })), "it waits (unverified)");
  assert.match(eventWords("question_opened", { question: question({ unverified: true }) }), /\(unverified\)$/);
});

test("a text answers what has nothing to choose, unless its program does not read its terminal", () => {
  const unread = { unverified: true, freeText: false } as const;
  const options = [{ number: 1, label: "yes" }];
  const cases: readonly (readonly [Partial<Question>, boolean])[] = [
    [{}, true],
    [unread, false],
    [{ ...unread, kind: "password" }, false],
    [{ ...unread, kind: "confirm" }, true],
    [{ ...unread, kind: "confirm", options }, false],
    [{ kind: "permission", freeText: false, options }, false],
    [{ kind: "permission", freeText: false, options: [{ number: 2, label: "No", does: "deny" }] }, true],
  ];
  for (const [more, takes] of cases) assert.equal(takesText(question(more)), takes, JSON.stringify(more));
});
