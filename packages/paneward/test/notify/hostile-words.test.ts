import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "@paneward/sdk";
import { fuzz, hostileText } from "../../../tmux/test/support/random.ts";
import { wordsOf } from "../../src/model/notify/wording.ts";

const limits = { title: 100, body: 300, label: 20, buttons: 3 };
const fact = { key: "q1", kind: "question", subject: { name: "fix-login" }, words: "asks", question: "q1" } as const;

test("no text of others hides or reorders anything, and nothing is longer than its limit", async () => {
  await fuzz((random) => {
    const question = {
      ...{ kind: "permission", whole: true, text: hostileText(random, 200), freeText: false },
      proposal: { command: hostileText(random, 200) },
      options: [{ number: 1, label: hostileText(random, 60) }],
    } as Question;
    const { title, body, options } = wordsOf(fact, question, { text: "full", limits });
    const labels = options.map(({ label }) => [label, limits.label] as const);
    for (const [text, limit] of [[title, limits.title], [body, limits.body], ...labels] as const) {
      assert.ok([...text].length <= limit);
      assert.doesNotMatch(text, acts);
    }
  }, 1_000);
});

const acts = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
