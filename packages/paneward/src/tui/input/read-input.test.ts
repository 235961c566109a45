import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readInput } from "./read-input.ts";

const keys = (text: string, isAll = false) =>
  readInput(text, isAll).inputs.map((input) => (input.kind === "key" ? input.key : JSON.stringify(input)));

describe("terminal input", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["aä修🚀", ["a", "ä", "修", "🚀"]],
    ["\r\t\u007f ", ["Enter", "Tab", "Backspace", "Space"]],
    ["\u0003\u001a\u000c", ["C-c", "C-z", "C-l"]],
    ["\u001b[A\u001bOB\u001b[1;5C\u001b[Z", ["Up", "Down", "Right", "S-Tab"]],
    ["\u001b[5~\u001b[6~\u001b[3~\u001b[H\u001b[4~", ["PageUp", "PageDown", "Delete", "Home", "End"]],
    ["\u001bx\u001b\u001b[A", ["M-x", "Escape", "Up"]],
    ["\u001b[<0;3;4M\u001b[<0;3;4m", ['{"kind":"mouse","does":"press","x":2,"y":3}']],
    ["\u001b[<65;1;1M", ['{"kind":"mouse","does":"wheel-down","x":0,"y":0}']],
    ["\u001b[200~two\nlines\u001b[201~q", ['{"kind":"paste","text":"two\\nlines"}', "q"]],
    ["\u001b[99;99q", []],
  ];
  for (const [sent, expected] of cases) {
    test(JSON.stringify(sent), () => assert.deepEqual(keys(sent), expected));

    test(`${JSON.stringify(sent)} in two pieces`, () => {
      for (let at = 1; at < sent.length; at++) {
        if (/[\ud800-\udbff]$/.test(sent.slice(0, at)) || /\u001b$/.test(sent.slice(0, at - 1))) continue;
        const first = readInput(sent.slice(0, at));
        assert.deepEqual([...first.inputs, ...readInput(first.rest + sent.slice(at)).inputs], readInput(sent).inputs);
      }
    });
  }

  test("a lone Escape is the key", () => {
    assert.deepEqual(keys("\u001b"), []);
    assert.deepEqual(keys("\u001b", true), ["Escape"]);
  });
});
