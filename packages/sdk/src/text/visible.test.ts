import assert from "node:assert/strict";
import { test } from "node:test";
import { visible, visibleJson } from "./visible.ts";

test("what a terminal would act on is shown", () => {
  const cases = [
    ["plain text\twith a tab\nand a line", "plain text\twith a tab\nand a line"],
    ["Ärger 修复 👩‍👩‍👧 \u0301", "Ärger 修复 👩‍👩‍👧 \u0301"],
    ["\u001b[2J\u001b]52;c;YQ==\u0007", "␛[2J␛]52;c;YQ==␇"],
    ["\u001bP1$r\u001b\\", "␛P1$r␛\\"],
    ["\u009b2J\u009d0;t\u009c", "<U+009B>2J<U+009D>0;t<U+009C>"],
    ["dos\r\nline", "dos\r\nline"],
    ["right\rwrong", "right␍wrong"],
    ["ab\b\bcd\u007f", "ab␈␈cd␡"],
    ["a\u202eb\u2066c\u2028d", "a<U+202E>b<U+2066>c<U+2028>d"],
    ["rm\u200b -\u00adr\u200e\u200f\u061cf\ufeff", "rm<U+200B> -<U+00AD>r<U+200E><U+200F><U+061C>f<U+FEFF>"],
    ["ls\u{e0072}\u{e006d}", "ls<U+E0072><U+E006D>"],
    ["a\ud800\udb40\udc6db\udfff", "a<U+D800><U+E006D>b<U+DFFF>"],
  ] as const;
  for (const [text, expected] of cases) assert.equal(visible(text), expected);
});

test("JSON has no such character and means the same", () => {
  const value = { a: "\u001b[2J\u009b\u007f\u202e\r\n\u2028\u200b\u{e0072}\ud800", "\u009d": ["修"] };
  const json = visibleJson(value);
  assert.doesNotMatch(json, /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
  assert.deepEqual(JSON.parse(json), value);
});
