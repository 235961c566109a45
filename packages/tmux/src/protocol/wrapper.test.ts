import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz, hostileText } from "../../test/support/random.ts";
import { endsItself, findExitMark, maxMarkLength, startOfPartialMark, wrapped } from "./wrapper.ts";

const secret = "0123456789abcdef0123456789abcdef";
const isSecret = (found: string) => found === secret;
const mark = (pid: number, end: string, question = "\u001b[c") =>
  `\u001b]1717;${secret};${pid};${end}\u001b\\${question}`;

test("a mark has the program's pid, its exit and its position", () => {
  const text = `out${mark(42, "x3")}rest`;
  assert.deepEqual(findExitMark(text, isSecret), {
    pid: 42,
    exit: { kind: "exited", code: 3 },
    start: 3,
    end: text.length - 4,
  });
  assert.deepEqual(findExitMark(mark(42, "s9"), isSecret)?.exit, { kind: "killed", signal: 9 });
});

test("a mark without the wrapper's query has its own end", () => {
  const text = `${mark(1, "x0", "")}abc`;
  assert.equal(findExitMark(text, isSecret)?.end, text.length - 3);
});

test("a mark with another secret, or a broken one, is output", () => {
  assert.equal(
    findExitMark(mark(1, "x0"), () => false),
    undefined,
  );
  for (const broken of [mark(1, "y0"), mark(1, "x"), mark(1, "x0").replace("\\", "")]) {
    assert.equal(findExitMark(broken, isSecret), undefined);
    assert.equal(findExitMark(broken + mark(2, "x5"), isSecret)?.pid, 2);
  }
});

test("a mark cut at any point is held back from its start, and nothing before it", () => {
  const whole = mark(4_194_304, "x255");
  assert.ok(whole.length <= maxMarkLength);
  for (let cut = 1; cut < whole.length; cut++) {
    const text = `text \u001b[0m${whole.slice(0, cut)}`;
    assert.equal(startOfPartialMark(text, isSecret), text.length - cut, `cut at ${cut}`);
  }
  assert.equal(startOfPartialMark(`text${whole}`, isSecret), 4 + whole.length);
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
    assert.equal(startOfPartialMark(text, isSecret), text.length, JSON.stringify(text));
  }
});

test("output around marks is complete, in any text", () =>
  fuzz((random) => {
    const pieces = Array.from({ length: 1 + random.below(3) }, () => hostileText(random));
    const text = pieces.map((piece, at) => `${piece}${mark(at + 1, `x${at}`)}`).join("");
    let rest = "";
    let at = 0;
    let pid = 0;
    for (let found = findExitMark(text, isSecret); found; found = findExitMark(text, isSecret, found.end)) {
      assert.equal(found.pid, ++pid);
      rest += text.slice(at, found.start);
      at = found.end;
    }
    assert.equal(rest + text.slice(at), pieces.join(""));
  }));

test("the program's argv follows the wrapper unchanged", () => {
  const argv = wrapped(["prog", "-x", "$a;"], "/j/wrapper.key", "/j/wrapper.err");
  assert.deepEqual(argv.slice(0, 2), ["/bin/sh", "-c"]);
  assert.deepEqual(argv.slice(3), ["/j/wrapper.key", "/j/wrapper.err", "prog", "-x", "$a;"]);
});

test("a wrapper has seen its program end when it is gone, or ignores the signals that end a program", () => {
  const status = (state: string, ignored: string) =>
    `Name:\tsh\nState:\t${state}\nSigIgn:\t${ignored}\nSigCgt:\t0000000000014002\n`;
  const cases: readonly (readonly [string, boolean])[] = [
    ["", true],
    [status("Z (zombie)", "0000000000000000"), true],
    [status("S (sleeping)", "0000000000004007"), true],
    [status("S (sleeping)", "0000000000384007"), true],
    [status("S (sleeping)", "0000000000000000"), false],
    [status("S (sleeping)", "0000000000000001"), false],
    [status("R (running)", "0000000000004006"), false],
    ["Name:\tsh\n", false],
  ];
  for (const [text, ended] of cases) assert.equal(endsItself(text), ended, text);
});
