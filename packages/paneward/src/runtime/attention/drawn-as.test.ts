import assert from "node:assert/strict";
import { test } from "node:test";
import type { ShownQuestion } from "../../agents/agent.ts";
import { isDrawnAs } from "./drawn-as.ts";

type Case = readonly [string, string, readonly string[], boolean, ShownQuestion["cut"]?];

const cases: readonly Case[] = [
  ["one row", "ls -la", ["ls -la"], true],
  ["one more blank", "rm -rf / tmp/x", ["rm -rf /tmp/x"], false],
  ["one blank less", "rm -rf /tmp/x", ["rm -rf / tmp/x"], false],
  ["a line's end for a blank", "echo a # rm b", ["echo a #", "rm b"], false],
  ["a blank for a line's end", "echo a #\nrm b", ["echo a # rm b"], false],
  ["two lines", "echo a #\nrm b", ["echo a #", "rm b"], true],
  ["two lines with an empty one between", "ls\n\nrm b", ["ls", "", "rm b"], true],
  ["the next word does not fit", "echo aaaaaaaaa bbbbbbb", ["echo aaaaaaaaa", "bbbbbbb"], true],
  ["the next word does not fit, and is none", "echo aaaaaaaaabbbbbbb", ["echo aaaaaaaaa", "bbbbbbb"], false],
  ["a full row", "echo aaaaaaaaaaaaaaabbb", ["echo aaaaaaaaaaaaaaa", "bbb"], true],
  ["two columns each", "echo 日本日本日本日 本日", ["echo 日本日本日本日", "本日"], true],
  ["tabs that are not drawn", "echo\ta\tb", ["echoab"], true],
  ["tabs as blanks", "echo\ta", ["echo    a"], true],
  ["a blank behind a backslash", "cat a\\ b", ["cat a\\b"], true],
  ["a sign of a frame", "cat x│sh", ["cat xsh"], false],
  ["its end is not drawn", "ls; rm x", ["ls;"], true, "end"],
  ["its beginning is not drawn", "ls; rm x", ["rm x"], true, "begin"],
  ["its end, which is not cut", "ls; rm x", ["ls;"], false],
  ["nothing", "ls", [""], false, "end"],
];
for (const [name, text, lines, expected, cut] of cases) {
  test(`${JSON.stringify(text)} drawn as ${JSON.stringify(lines)}: ${name}`, () => {
    assert.equal(isDrawnAs(text, { lines, width: 20 }, cut), expected);
  });
}
