import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { promptIsBack, withoutEcho } from "./echo.ts";

describe("output without the echo of the command", () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["no echo after the cursor", "echo all done", "\nall done\n$ ", "\nall done\n$ "],
    ["an echo that came late", "echo all done", "echo all done\nall done\n$ ", "\nall done\n$ "],
    [
      "echoed by the terminal, and again by a shell that started late",
      "make it",
      "make it\n$ make it\nok\n$ ",
      "\n\nok\n$ ",
    ],
    ["an incomplete echo", "echo all done", "\n$ echo all d", "\n"],
    ["the third identical line is output", "yes", "yes\n$ yes\nyes\nyes", "\n\nyes\nyes"],
    ["a word that only ends like the command", "ls", "\ntools\nfalse\n$ ", "\ntools\nfalse\n$ "],
    ["each line of several", "for i in 1\ndo echo $i\ndone", "for i in 1\n> do echo $i\n> done\n1\n$ ", "\n\n\n1\n$ "],
    ["nothing typed", "", "\nout\n$ ", "\nout\n$ "],
  ];
  for (const [name, command, text, rest] of cases) test(name, () => assert.equal(withoutEcho(text, command), rest));
});

describe("whether the prompt is back", () => {
  const cases: readonly (readonly [string, string, string, boolean])[] = [
    ["Enter was pressed, and nothing happened yet", "make", "\n", false],
    ["not even Enter was shown", "make", "", false],
    ["a shell that started late shows the command", "make", "\n$ make", false],
    ["a part of the command", "make", "\n$ ma", false],
    ["the prompt after output", "make", "\nok\n$ ", true],
    ["the prompt after nothing", "true", "\n$ ", true],
    ["output that has not ended", "make", "\nok\n", false],
  ];
  for (const [name, command, text, back] of cases) test(name, () => assert.equal(promptIsBack(text, command), back));
});
