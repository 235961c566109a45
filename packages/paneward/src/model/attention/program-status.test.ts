import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { afterOutput, afterSequence, noStatus, type ProgramStatus, reportedBy } from "./program-status.ts";

/** What these reports say, one a millisecond. */
function says(...bodies: readonly string[]): string {
  const status = statusAfter(...bodies);
  const { says, rule } = reportedBy(status) ?? { says: "nothing", rule: "" };
  return `${says}: ${rule.replace("its output says ", "")}`;
}

function statusAfter(...bodies: readonly string[]): ProgramStatus {
  return bodies.reduce(
    (before, body, at) =>
      afterSequence(before, body === "RIS" ? { kind: "reset", end: 0 } : { kind: "osc", body, end: 0 }, at),
    noStatus,
  );
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const nothing = "nothing: ";

describe("what a program says of itself", () => {
  const cases: Readonly<Record<string, readonly [bodies: readonly string[], says: string]>> = {
    idle: [["7501;state=idle:app=codex"], "idle: that it is idle"],
    working: [["7501;state=working:progress=40"], "working: that it works"],
    done: [["7501;state=working", "7501;state=done"], "idle: that it is done"],
    failed: [["7501;state=error"], "idle: that it failed"],
    "waits for a permission": [["7501;state=blocked:kind=permission"], "needs_input: that it waits for a permission"],
    "waits, with its words": [
      [`7501;state=blocked:kind=question:msg=${base64("Go on?")}`],
      "needs_input: that it waits for an answer: Go on?",
    ],
    "words without padding": [["7501;state=done:msg=R28"], "idle: that it is done: Go"],
    "waits for something unknown": [
      ["7501;state=blocked:kind=moon"],
      "needs_input: that it waits for something unknown",
    ],
    "takes it back": [["7501;state=working", "7501;state=clear"], nothing],
    "the terminal is reset": [["7501;state=blocked", "RIS"], nothing],
    "a shell's prompt ends work": [["7501;state=working", "133;A"], nothing],
    "a shell's prompt ends waiting": [["7501;state=blocked", "133;A;cl=m"], nothing],
    "a shell's prompt leaves what is done": [["7501;state=done", "133;A"], "idle: that it is done"],
    "other marks of a shell mean nothing": [["7501;state=working", "133;C", "133;D;0"], "working: that it works"],
    "a part waits while the whole is idle": [
      ["7501;state=blocked:id=build/tests", "7501;state=idle"],
      "needs_input: that it waits",
    ],
    "a part works while the whole is done": [["7501;state=working:id=a", "7501;state=done"], "working: that it works"],
    "a part is cleared with its parts": [
      ["7501;state=idle", "7501;state=working:id=a/b", "7501;state=clear:id=a"],
      "idle: that it is idle",
    ],
    "a neighbour's name is no part": [["7501;state=working:id=ab", "7501;state=clear:id=a"], "working: that it works"],
    "a new report replaces all of the old one": [
      [`7501;state=blocked:msg=${base64("old")}`, "7501;state=blocked"],
      "needs_input: that it waits",
    ],
    "unknown fields are left alone": [["7501;state=working:colour=red:x-y=1"], "working: that it works"],
    "marks that turn text around are taken out": [
      [`7501;state=done:msg=${base64("a\u202Eb\u200Bc")}`],
      "idle: that it is done: abc",
    ],
  };
  for (const [what, [bodies, expected]] of Object.entries(cases)) {
    test(what, () => assert.equal(says(...bodies), expected));
  }

  const broken: readonly string[] = [
    "7501;",
    "7501;?",
    "7501;state=",
    "7501;state=sleeping",
    "7501;state=constructor",
    "7501;State=idle",
    "7501;idle",
    "7501;app=x",
    "7501;state=idle:state=working",
    "7501;state=idle:",
    "7501;state=idle:=x",
    "7501;state=idle:id=",
    "7501;state=clear:id=a//",
    "7501;state=idle:id=a/../b c",
    `7501;state=idle:id=${"a".repeat(129)}`,
    `7501;state=idle:id=${"a/".repeat(9)}a`,
    "7501;state=idle:msg=%%%",
    `7501;state=idle:msg=${base64("red \u001b[31m")}`,
    `7501;state=idle:msg=${base64("two\nlines")}`,
    `7501;state=idle:msg=${Buffer.from([0xff, 0xfe]).toString("base64")}`,
    "7501;state=idle\xe9",
    "75010;state=idle",
    "0;7501;state=idle",
    "9;Build done",
  ];
  for (const body of broken) {
    test(`${JSON.stringify(body.slice(0, 40))} changes nothing`, () => {
      assert.equal(says(body), nothing);
      assert.equal(says("7501;state=working", body), "working: that it works");
    });
  }

  test("no more than 256 parts are kept, and a long message is cut", () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `7501;state=working:id=part${at}`);
    assert.equal(statusAfter(...many).size, 256);
    assert.equal(
      says(`7501;state=done:msg=${base64("x".repeat(2_000))}`).length,
      "idle: that it is done: ".length + 200,
    );
  });

  test("output long after `done` or `blocked` ends that report; `idle` stays, and `blocked` of what redraws", () => {
    const after = (body: string, at: number, redraws = false) =>
      reportedBy(afterOutput(statusAfter(body), at, redraws))?.says;
    assert.deepEqual([after("7501;state=done", 1_000), after("7501;state=done", 3_000)], ["idle", undefined]);
    assert.deepEqual([after("7501;state=idle", 3_000), after("7501;state=idle", 3_000, true)], ["idle", "idle"]);
    const blocked = "7501;state=blocked";
    assert.deepEqual(
      [
        after(blocked, 1_000),
        after(blocked, 3_000),
        after(blocked, 3_000, true),
        after("7501;state=done", 3_000, true),
      ],
      ["needs_input", undefined, "needs_input", undefined],
    );
  });
});
