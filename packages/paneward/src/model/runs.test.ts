import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLine, visibleText } from "./runs.ts";

test("a command is shown so that its words are distinct", () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["sh", "-c", "echo a; rm -r b", "<prompt>"], "sh -c 'echo a; rm -r b' <prompt>"],
    [["<root>/bin/agent", "--dir=<root>", "$HOME", "<prompt>"], "<root>/bin/agent --dir=<root> $HOME <prompt>"],
    [["sh", "-c", 'echo "$1" > it\'s; $(id)', ""], `sh -c 'echo "$1" > it'\\''s; $(id)' ''`],
    [["a>b", "$HOME/x", "<other>", "~", "*", "#"], "'a>b' '$HOME/x' '<other>' '~' '*' '#'"],
  ];
  for (const [argv, line] of cases) assert.equal(commandLine(argv), line);
});

test("nothing hides in what is shown", () => {
  assert.equal(visibleText("a\u001b[2Kb\n\tc\u202ed\r"), "a\\u001b[2Kb\n\tc\\u202ed\\u000d");
  assert.match(visibleText("x".repeat(30_000)), /x\n… and 10000 more characters$/);
});
