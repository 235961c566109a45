import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question, TextLevel } from "@paneward/sdk";
import type { Fact } from "./notice.ts";
import { withoutSecrets } from "./redact.ts";
import { digestWords, wordsOf } from "./wording.ts";

const limits = { title: 100, body: 300, label: 20, buttons: 3 };
const fact: Fact = {
  key: "question q1",
  kind: "question",
  subject: { name: "fix-login", task: 3 },
  words: "asks",
  question: "q1",
};

function question(more: Partial<Question> = {}): Question {
  return {
    ...{ id: "q1", terminal: "t1", kind: "permission", text: "Run this command?", freeText: false, source: "hook" },
    ...{ screenHash: "", state: "open", openedAt: 0, whole: true, proposal: { tool: "Bash", command: "npm test" } },
    options: [
      { number: 1, label: "Yes", does: "approve" },
      { number: 2, label: "Yes, and do not ask again" },
      { number: 3, label: "No", does: "deny" },
    ],
    ...more,
  };
}

const words = (asked: Question | undefined, text: TextLevel = "full", more = limits) =>
  wordsOf(fact, asked, { text, limits: more });
const numbers = (asked: Question, more = limits) => words(asked, "full", more).options.map(({ number }) => number);

describe("how much text leaves", () => {
  test("none: that something waits, and nothing else", () => {
    assert.deepEqual(words(question(), "none"), {
      urgency: "high",
      title: "Something needs you",
      body: "",
      options: [],
    });
    assert.equal(
      wordsOf({ ...fact, kind: "failed" }, undefined, { text: "none", limits }).title,
      "Something has ended",
    );
  });

  test("title: who and what, and no button for what is not shown", () => {
    assert.deepEqual(words(question(), "title"), {
      urgency: "high",
      title: "fix-login asks for permission",
      body: "",
      options: [],
    });
  });

  test("full: the question, what would be done, and the options", () => {
    const { title, body } = words(question());
    assert.equal(title, "fix-login asks for permission");
    assert.equal(body, "Run this command?\nBash\nnpm test\n1 Yes\n2 Yes, and do not ask again\n3 No");
  });

  test("a password is never more than its title", () => {
    assert.equal(words(question({ kind: "password", text: "Password for root:" })).body, "");
  });

  test("a diff stays here: only how many lines it has leaves", () => {
    const { body } = words(question({ proposal: { tool: "Edit", path: "a.ts", diff: "+++ b\n+SECRET\n-old\n same" } }));
    assert.doesNotMatch(body, /SECRET|old|same/);
    assert.match(body, /a\.ts\n\(\+1 -1 lines, not shown here\)/);
  });

  test("what is not proved whole is not shown as if it were", () => {
    const { body } = words(question({ whole: false, doubt: "Codex shows 28 of 80 lines" }));
    assert.doesNotMatch(body, /npm test/);
    assert.match(body, /may be incomplete: Codex shows 28 of 80 lines/);
  });

  test("a digest names a few, and counts the rest", () => {
    const facts = Array.from({ length: 12 }, (_, index) => ({
      ...fact,
      subject: { name: `t${index}` },
      kind: index < 9 ? ("question" as const) : ("failed" as const),
      words: "failed with code 3",
    }));
    const { title, body } = digestWords(facts, () => undefined, { text: "title", limits });
    assert.equal(title, "9 need you, 3 have ended");
    assert.equal(body.split("\n").length, 9);
    assert.match(body, /and 4 more$/);
    assert.equal(digestWords(facts, () => undefined, { text: "none", limits }).body, "");
  });
});

describe("which buttons there are", () => {
  test("all options of what is shown whole", () => assert.deepEqual(numbers(question()), [1, 2, 3]));

  test("where there is room for two, what approves and what denies", () =>
    assert.deepEqual(numbers(question(), { ...limits, buttons: 2 }), [1, 3]));

  const onlyDenied: readonly (readonly [string, Partial<Question>])[] = [
    ["is not proved whole", { whole: false }],
    ["was cut", { proposal: { command: "x".repeat(400) } }],
    ["holds a secret", { proposal: { command: "curl -H 'Authorization: Bearer abcdefgh12345678'" } }],
    ["is a change whose lines stay here", { proposal: { path: "a.ts", diff: "+x" } }],
    ["differs from what the agent reported", { reported: { command: "rm -rf /" } }],
  ];
  for (const [what, more] of onlyDenied) {
    test(`only denying, if it ${what}`, () => assert.deepEqual(numbers(question(more)), [3]));
  }

  test("none, where several are to be chosen, or a choice was cut", () => {
    assert.deepEqual(numbers(question({ kind: "multi_choice" })), []);
    assert.deepEqual(numbers(question({ kind: "choice", text: "x".repeat(400) })), []);
  });
});

describe("secrets", () => {
  const secrets: readonly (readonly [string, string])[] = [
    ["export OPENAI_API_KEY=sk-proj-abcdefghijklmnopqrstuvwx", "abcdefghij"],
    ["curl -H 'Authorization: Bearer eyJhbGciOi.eyJzdWIiOiIx.c2ln'", "eyJ"],
    ["git clone https://me:hunter22@host/repo", "hunter22"],
    ["mysql --password hunter22 db", "hunter22"],
    ["mysql --password=hunter22 db", "hunter22"],
    ['{"password": "hunter22"}', "hunter22"],
    ["ghp_abcdefghijklmnopqrst1234567890123456", "ghp_abc"],
    ["AKIAABCDEFGHIJKLMNOP", "AKIAABC"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "MIIE"],
    ["paneward token pw_0123abcd_ffffffffffffffff", "ffffffff"],
    ["DB_PASSWD='hunter22' ./run", "hunter22"],
  ];
  for (const [text, secret] of secrets) {
    test(`in ${text.split("\n")[0]}`, () => {
      const clean = withoutSecrets(text);
      assert.ok(clean.isChanged);
      assert.ok(!clean.text.includes(secret), clean.text);
      assert.equal(withoutSecrets(clean.text).text, clean.text, "a second look changes nothing");
    });
  }

  for (const text of [
    "npm test",
    "git commit -m 'fix the token parser'",
    "ls --all",
    "https://host:8080/path",
    "rm -rf build",
  ]) {
    test(`not in ${text}`, () => assert.deepEqual(withoutSecrets(text), { text, isChanged: false }));
  }

  test("are looked for in a moment, whatever an agent reports", () => {
    const pieces = [
      "PRIVATE KEY ",
      "eyJ-",
      "eyJaaaaaaaa-",
      "az login ",
      "echo a|sudo -",
      "docker login ",
      "://a:",
      "|",
      "a=",
    ];
    for (const piece of pieces) {
      for (const before of ["", "-----BEGIN ", "echo "]) {
        const { user } = process.cpuUsage();
        const command = before + piece.repeat(100_000 / piece.length);
        words(question({ proposal: { command }, options: [{ number: 1, label: command, does: "approve" }] }));
        const ms = (process.cpuUsage().user - user) / 1_000;
        assert.ok(ms < 500, `${before}${piece}…: ${ms} ms`);
      }
    }
  });
});
