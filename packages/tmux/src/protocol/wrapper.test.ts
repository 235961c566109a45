import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz, hostileText } from "../../test/support/random.ts";
import { findExitMark, maxMarkLength, startOfPartialMark, wrapped } from "./wrapper.ts";

const nonce = "0123456789ab";
const mark = (pid: number, end: string, question = "\u001b[c") =>
  `\u001b]1717;${nonce};${pid};${end}\u001b\\${question}`;

test("a mark has the program's pid, its exit and its position", () => {
  const text = `out${mark(42, "x3")}rest`;
  assert.deepEqual(findExitMark(text, nonce), {
    pid: 42,
    exit: { kind: "exited", code: 3 },
    start: 3,
    end: text.length - 4,
  });
  assert.deepEqual(findExitMark(mark(42, "s9"), nonce)?.exit, { kind: "killed", signal: 9 });
});

test("a mark without the wrapper's query has its own end", () => {
  const text = `${mark(1, "x0", "")}abc`;
  assert.equal(findExitMark(text, nonce)?.end, text.length - 3);
});

test("a mark with another nonce, or a broken one, is output", () => {
  assert.equal(findExitMark(mark(1, "x0"), "ffffffffffff"), undefined);
  for (const broken of [mark(1, "y0"), mark(1, "x"), mark(1, "x0").replace("\\", "")]) {
    assert.equal(findExitMark(broken, nonce), undefined);
    assert.equal(findExitMark(broken + mark(2, "x5"), nonce)?.pid, 2);
  }
});

test("a mark cut at any point is held back from its start, and nothing before it", () => {
  const whole = mark(4_194_304, "x255");
  assert.ok(whole.length <= maxMarkLength);
  for (let cut = 1; cut < whole.length; cut++) {
    const text = `text \u001b[0m${whole.slice(0, cut)}`;
    assert.equal(startOfPartialMark(text, nonce), text.length - cut, `cut at ${cut}`);
  }
  assert.equal(startOfPartialMark(`text${whole}`, nonce), 4 + whole.length);
});

test("other escape sequences at the end are not held back", () => {
  for (const text of [
    "",
    "plain",
    "a\u001b[0m",
    "a\u001b]0;title\u0007",
    "\u001b]1717;other;1;x0\u001b\\",
    "\u001b]17x",
  ]) {
    assert.equal(startOfPartialMark(text, nonce), text.length, JSON.stringify(text));
  }
});

test("output around marks is complete, in any text", () =>
  fuzz((random) => {
    const pieces = Array.from({ length: 1 + random.below(3) }, () => hostileText(random));
    const text = pieces.map((piece, at) => `${piece}${mark(at + 1, `x${at}`)}`).join("");
    let rest = "";
    let at = 0;
    let pid = 0;
    for (let found = findExitMark(text, nonce); found; found = findExitMark(text, nonce, found.end)) {
      assert.equal(found.pid, ++pid);
      rest += text.slice(at, found.start);
      at = found.end;
    }
    assert.equal(rest + text.slice(at), pieces.join(""));
  }));

test("the program's argv follows the wrapper unchanged", () => {
  const argv = wrapped(["prog", "-x", "$a;"], nonce, "/j/wrapper.err");
  assert.deepEqual(argv.slice(0, 2), ["/bin/sh", "-c"]);
  assert.deepEqual(argv.slice(3), [nonce, "/j/wrapper.err", "prog", "-x", "$a;"]);
});
