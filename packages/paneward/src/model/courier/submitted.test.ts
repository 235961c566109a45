import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf, type Submitted, stillWaiting, submittedAs } from "./submitted.ts";

const sent = (delivery: string, text: string, at: number): Submitted => ({ delivery, arrivals: [{ text }], at });
const waiting = [sent("d1", "fix it", 100), sent("d2", "two\nlines\n", 200), sent("d3", "fix it", 300)];
const found = (prompt: string, givenAt: number) => submittedAs(waiting, prompt, givenAt, "hook")?.delivery;

test("a prompt is the delivery of the same words, the oldest first", () => {
  assert.equal(found("fix it", 900), "d1");
  assert.equal(found("two\r\nlines", 900), "d2");
  assert.equal(submittedAs(waiting.slice(1), "fix it", 900, "hook")?.delivery, "d3");
});

test("other words, a part of them, and what was given before it was sent off are none", () => {
  assert.equal(found("fix it please", 900), undefined);
  assert.equal(found("fix", 900), undefined);
  assert.equal(found("two lines", 900), undefined);
  assert.equal(found("Fix it", 900), undefined);
  assert.equal(found("", 900), undefined);
  assert.equal(submittedAs([sent("d0", " ", 100)], "", 900, "hook"), undefined, "nothing proves nothing");
  assert.equal(found("fix it", 99), undefined);
  assert.equal(submittedAs(waiting.slice(1), "fix it", 299, "hook"), undefined);
});

test("a hook that never came is not waited for any longer, and only so many are", () => {
  assert.deepEqual(stillWaiting(waiting, 600_150), waiting.slice(1));
  const many = Array.from({ length: 80 }, (_, at) => sent(`d${at}`, "x", 100));
  assert.equal(stillWaiting(many, 200).length, 50);
  assert.equal(stillWaiting(many, 200).at(-1)?.delivery, "d79");
});

test("each way reports a prompt once; two ways report the same one", () => {
  const told = [{ ...sent("d1", "go", 100), ways: ["hook"] }, sent("d2", "go", 200)];
  const by = (way: string) => submittedAs(told, "go", 900, way)?.delivery;
  assert.deepEqual([by("hook"), by("record 0 0")], ["d2", "d1"]);
});

test("what an agent reports with other blanks at its ends, it got so", () => {
  const change = (text: string, prompt: string, behind = false) => changeOf({ arrivals: [{ text }], behind }, prompt);
  const same = [change("  go", "  go"), change("a\nb", "a\r\nb"), change("go", "half a thought, go", true)];
  assert.deepEqual(same, [undefined, undefined, undefined]);
  assert.equal(change("  go\n", "go"), "blanks and empty lines at its ends are dropped");
  assert.equal(change("!go", " !go"), "blanks at its ends are added");
});

test("what an agent was not known to leave as it is, it may; the receipt says what arrived", () => {
  const arrivals = [
    { text: "a    b", changed: "tabs; blanks" },
    { text: "a\tb  " },
    { text: "a\tb", changed: "blanks" },
    { text: "a    b  ", changed: "tabs" },
  ];
  const told = [{ delivery: "d1", arrivals, at: 100 }];
  const change = (prompt: string) => {
    const found = submittedAs(told, prompt, 900, "hook");
    return found ? (changeOf(found, prompt) ?? "as it was sent") : "another text";
  };
  assert.deepEqual(["a    b", "a\tb  ", "a\tb", "a    b  ", "a    b ", "a b", "a\tc"].map(change), [
    "tabs; blanks",
    "as it was sent",
    "blanks",
    "tabs",
    "tabs; blanks and empty lines at its ends are dropped",
    "another text",
    "another text",
  ]);
});
