import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { afterEnter, beforeEnter, isLost, obstacle, type Sight, unseenLine, withUndrawn } from "./submission.ts";

const agent: Sight = { inMode: false, isAgent: true, draft: "", hasLine: true };
const torn: Sight = { inMode: false, isAgent: true, hasLine: true };
const program: Sight = { inMode: false, isAgent: false };
const permission: Sight = { inMode: false, isAgent: true, question: { kind: "permission", text: "Run it?" } };
const wish = { text: "fix the login", enter: true, keys: [], force: false };
const keys = { ...wish, text: "", keys: ["C-c"] };

test("a permission that a hook reported keeps text away before its dialog is drawn, and only then", () => {
  const reported = { kind: "permission", text: "Claude wants to use Bash", screenHash: "" } as const;
  assert.match(obstacle(withUndrawn(agent, reported), wish)?.reason ?? "", /asks: Claude wants/);
  assert.equal(withUndrawn(permission, reported), permission);
  assert.equal(withUndrawn(agent, { ...reported, screenHash: "ab12" }), agent, "the screen knows that it is gone");
  assert.equal(withUndrawn(agent, undefined), agent);
});

describe("what keeps text from being typed", () => {
  const slashed = (working: boolean): Sight => ({ ...agent, working, lostAtWork: /^\// });
  const asksWords = { question: { kind: "text", text: "Name?" } } as const;
  const path = { ...wish, text: "/etc/hosts is wrong" };
  const cases: readonly (readonly [string, Sight, typeof wish | typeof keys, RegExp | undefined])[] = [
    ["an empty input line does not", agent, wish, undefined],
    ["a program that is no agent does not", program, wish, undefined],
    ["copy mode does", { ...agent, inMode: true }, wish, /copy mode/],
    ["copy mode keeps keys away as well", { ...agent, inMode: true }, keys, /copy mode/],
    ["a person's draft does", { ...agent, draft: "I was ju" }, wish, /draft.*I was ju/],
    ["not when it is forced", { ...agent, draft: "I was ju" }, { ...wish, force: true }, undefined],
    ["a permission does", permission, wish, /asks: Run it\?/],
    ["a permission does, forced or not", permission, { ...wish, force: true }, /asks/],
    ["a choice does", { ...permission, question: { kind: "choice", text: "Which?" } }, wish, /asks: Which\?/],
    ["whether to trust a folder does", { ...torn, question: { kind: "confirm", text: "Trust it?" } }, wish, /Trust it/],
    [
      "(y/n) of an unknown agent does not",
      { ...agent, hasLine: false, question: { kind: "confirm", text: "Go?" } },
      wish,
      undefined,
    ],
    ["work does, where the agent loses such a text while it works", slashed(true), path, /works, and loses/],
    ["not when it rests", slashed(false), path, undefined],
    ["not for another text", slashed(true), wish, undefined],
    ["not when it is forced", slashed(true), { ...path, force: true }, undefined],
    ["keys are a wish of their own", permission, keys, undefined],
    ["a question for words does not", { ...agent, question: { kind: "text", text: "Name?" } }, wish, undefined],
    ["nor of an agent whose line is unknown", { ...agent, hasLine: false, ...asksWords }, wish, undefined],
    ["what covers the input line does", { ...torn, ...asksWords }, wish, /shows no input line: Name\?/],
    ["that does, forced or not", { ...torn, ...asksWords }, { ...wish, force: true }, /shows no input line/],
    ["it keeps no keys away", { ...torn, ...asksWords }, keys, undefined],
    ["a menu of a plain program does not", { ...program, question: { kind: "choice", text: "#?" } }, wish, undefined],
  ];
  for (const [name, sight, what, expected] of cases) {
    test(name, () => {
      const found = obstacle(sight, what);
      if (expected === undefined) assert.equal(found, undefined);
      else {
        assert.match(found?.reason ?? "", expected);
        assert.ok(found?.release, "what lets it go is said");
      }
    });
  }
});

describe("after the text and before Enter", () => {
  const at = (sight: Sight, facts = {}, what = wish) =>
    beforeEnter(sight, what, { sinceTypedMs: 100, seenOurs: false, ...facts }).kind;
  test("Enter follows when exactly our text is there, or when the line cannot be seen", () => {
    assert.equal(at({ ...agent, draft: "fix the login" }), "press");
    assert.equal(at({ ...agent, draft: "fix the\n  login " }), "press");
    assert.equal(at(program), "press");
  });
  test("Enter waits while the text is being drawn, and forever beside another text", () => {
    assert.equal(at(agent), "wait");
    assert.equal(at({ ...agent, draft: "fix th" }), "wait");
    assert.equal(at({ ...agent, draft: "no: fix the login" }, { sinceTypedMs: 99_999 }), "wait");
    assert.equal(at({ ...agent, draft: "no: fix the login" }, {}, { ...wish, force: true }), "press");
  });
  test("a look that fell between two frames does not allow Enter; a line that never comes back is", () => {
    assert.equal(at(torn), "wait");
    assert.equal(at(torn, { sinceTypedMs: 99_999 }), "press");
    assert.equal(at({ ...torn, question: { kind: "text", text: "Name?" } }), "press");
  });
  test("a dialog that opened meanwhile is not answered by it", () => assert.equal(at(permission), "wait"));
  test("copy mode waits", () => assert.equal(at({ ...agent, draft: "fix the login", inMode: true }), "wait"));
  test("what was seen and is gone was taken; what never appeared is lost", () => {
    assert.equal(at(agent, { seenOurs: true }), "gone");
    assert.equal(at(agent, { sinceTypedMs: 99_999 }), "lost");
  });
});

test("an input line that cannot be seen for ten seconds holds a text, unless it is forced or the screen is foreign", () => {
  const unseen = (sight: Sight, wish: { text: string; force: boolean }, ms = 10_000) =>
    unseenLine(sight, wish, ms)?.reason;
  const text = { text: "go", force: false };
  assert.equal(unseen(torn, text), "its input line cannot be seen");
  assert.deepEqual([unseen(torn, text, 9_999), unseen(torn, { ...text, force: true })], [undefined, undefined]);
  assert.deepEqual([unseen({ ...torn, isForeign: true }, text), unseen(agent, text)], [undefined, undefined]);
  assert.equal(unseen(torn, { ...text, text: "" }), undefined, "keys may be what shows it again");
});

test("a typed text is lost once the program has drawn, then rested, and does not show it; or after half a minute", () => {
  const lost = (hasDrawn: boolean, quietMs: number, sinceTypedMs = quietMs) =>
    isLost({ hasDrawn, quietMs, sinceTypedMs });
  assert.deepEqual([lost(true, 9_999), lost(true, 10_000), lost(true, 500, 29_000)], [false, true, false]);
  assert.deepEqual([lost(false, 29_000), lost(false, 30_000), lost(true, 500, 30_000)], [false, true, true]);
});

describe("after Enter", () => {
  const pressed = { sincePressMs: 100, presses: 1, printed: false, printedSince: true };
  const at = (sight: Sight, facts = {}) => afterEnter(sight, wish, { ...pressed, ...facts }).kind;
  test("an input line that let go of the text is no witness; a command of the agent has no other", () => {
    for (const sight of [agent, { ...agent, draft: "next thou" }, { ...permission, hasLine: true }]) {
      assert.equal(at(sight), "left");
      assert.equal(afterEnter(sight, { ...wish, command: true }, pressed).kind, "acknowledged");
    }
  });
  test("Enter is pressed again only while exactly our text is there, later each time, not forever", () => {
    const ours = { ...agent, draft: "fix the login" };
    assert.equal(at(ours), "wait");
    assert.equal(at(ours, { sincePressMs: 2_100 }), "press");
    assert.equal(at(ours, { sincePressMs: 2_100, printedSince: false }), "wait", "it has not come to the key yet");
    assert.equal(at(ours, { sincePressMs: 2_100, presses: 2 }), "wait");
    assert.equal(at(ours, { sincePressMs: 99_999, presses: 6 }), "wait");
    assert.equal(at({ ...agent, draft: "fix the login and more" }, { sincePressMs: 9_999 }), "wait");
    assert.equal(at({ ...ours, inMode: true }, { sincePressMs: 9_999 }), "wait");
  });
  test("output of an agent is not a witness, beside a half-drawn line and later", () => {
    assert.equal(at(torn, { printed: true }), "wait");
    assert.equal(at(torn, { printed: true, sincePressMs: 99_999 }), "left");
  });
  test("where no line can be seen, output is the witness", () => {
    assert.equal(at(program), "wait");
    assert.equal(at(program, { printed: true }), "acknowledged");
  });
});
