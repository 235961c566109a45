import assert from "node:assert/strict";
import { test } from "node:test";
import { endsInOpenLine } from "./open-line.ts";

const cases: readonly (readonly [text: string, isOpen: boolean])[] = [
  ["", false],
  ["done\r\n", false],
  ["Overwrite the file? [y/N] ", true],
  ["one\r\ntwo", true],
  ["one\r\n   ", false],
  ["one\r\n\x1b[0m\x1b[?25h", false],
  ["one\r\n\x1b[1mPassword:\x1b[0m ", true],
  ["done\r\n\x1b]0;a title\x07", false],
  ["done\r\n\x1b]7501;state=working\x1b\\", false],
  ["done\r\n\x1b]0;a title that is not whole", false],
  ["\r 45 % [####    ]", true],
  ["done\r\n\x1b(B\x1b7\x0f", false],
];

for (const [text, isOpen] of cases) {
  test(`${JSON.stringify(text)} ends in ${isOpen ? "an open" : "no open"} line`, () =>
    assert.equal(endsInOpenLine(text), isOpen));
}
