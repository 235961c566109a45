import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import type { Command } from "../../src/cli/command.ts";
import { allCommands } from "../../src/cli/command-table.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { parsePlain } from "../../src/cli/parse-plain.ts";

describe("a plain command line", () => {
  test("is parsed as the parser of all command lines does, or left to it", async () => {
    let parsed = 0;
    let all = 0;
    await fuzz((random) => {
      const words = randomLine(random);
      const plain = parsePlain(words, allCommands);
      all++;
      if (!plain) return;
      parsed++;
      assert.deepEqual(
        { words, ...plain },
        { words, ...parseCommandLine(words, [{ title: "All", commands: allCommands }]) },
      );
    }, 3_000);
    assert.ok(all === 1 || parsed > all / 10, `only ${parsed} of ${all} were plain`);
  });

  test("is each command with its arguments alone, unless its options belong to others or may do without their value", () => {
    const left = allCommands.filter((command) => {
      const places = (command.takes ?? "").split(" ").filter((place) => place.startsWith("<"));
      return !parsePlain([...command.name.split(" "), ...places.map(() => "x")], allCommands);
    });
    const hasReason = ({ passesOn, options = [] }: Command) =>
      passesOn || options.some(([flags]) => flags.includes("["));
    assert.deepEqual(
      left.filter((command) => !hasReason(command)).map(({ name }) => name),
      [],
    );
  });

  for (const words of [
    [],
    ["ps", "--help"],
    ["ps", "-aw"],
    ["ps", "--lines=3"],
    ["ps", "x"],
    ["send"],
    ["frob"],
    ["ps", "--", "x"],
  ]) {
    test(`is not: ${words.join(" ") || "nothing"}`, () => {
      assert.equal(parsePlain(words, allCommands), undefined);
    });
  }
});

function randomLine({ below, pick }: Random): readonly string[] {
  const command = pick(allCommands);
  const flags = (command.options ?? []).flatMap(([text]) => text.split(/[ ,]+/).filter((word) => word.startsWith("-")));
  const word = () =>
    pick([
      () => pick(["x", "12", "two words", "", "t3", "é", "daemon", "start", "a=b"]),
      () => pick(["--json", "--help", "-h", "--", "-", "-x", "--frob", "-aw", "--lines=3", "-1"]),
      () => (flags.length === 0 ? "x" : pick(flags)),
      () => (flags.length === 0 ? "x" : pick(flags)),
    ])();
  return [...command.name.split(" "), ...Array.from({ length: below(5) }, word)];
}
