import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLine, fileWords, inTheOpen } from "./runs.ts";

test("words that may be files of the repository are found in an argv and in a shell command", () => {
  const cases: readonly (readonly [string | readonly string[], readonly string[]])[] = [
    [
      ["sh", "-c", "./scripts/agent.sh; true", "<prompt>"],
      ["sh", "-c", "scripts/agent.sh", "true", "prompt"],
    ],
    [
      ["<root>/bin/agent", "--go"],
      ["bin/agent", "--go"],
    ],
    ["cd app && sh 'setup.sh' >log", ["cd", "app", "sh", "setup.sh", "log"]],
    [["../outside", "a/../../b", ".", ""], []],
  ];
  for (const [command, words] of cases) assert.deepEqual(fileWords(command), words, String(command));
});

test("a command is shown so that its words can be told apart", () => {
  assert.equal(commandLine(["sh", "-c", "echo a; rm -r b", "<prompt>"]), 'sh -c "echo a; rm -r b" <prompt>');
});

test("nothing hides in what is shown", () => {
  assert.equal(inTheOpen("a\u001b[2Kb\n\tc\u202ed\r"), "a\\u001b[2Kb\n\tc\\u202ed\\u000d");
  assert.match(inTheOpen("x".repeat(30_000)), /x\n… and 10000 more characters$/);
});
