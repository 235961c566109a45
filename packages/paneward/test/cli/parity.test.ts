import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { operationNames, routes } from "@paneward/sdk";
import { allCommands, commandTable } from "../../src/cli/command-table.ts";
import { groupOf } from "../../src/cli/groups.ts";

describe("the command line and the operation table", () => {
  test("every operation with the door cli is served by a command", () => {
    const served = new Set(commandTable.flatMap(({ operations }) => operations));
    const wanted = operationNames.filter((name) => (routes[name].doors as readonly string[]).includes("cli"));
    assert.ok(wanted.length > 30);
    assert.deepEqual(
      wanted.filter((name) => !served.has(name)),
      [],
    );
  });

  test("no command serves an unknown operation", () => {
    const unknown = commandTable
      .flatMap(({ operations }) => operations)
      .filter((name) => !operationNames.includes(name));
    assert.deepEqual(unknown, []);
  });

  for (const { name, summary, examples } of allCommands) {
    test(`${name} has a summary, an example of itself, and its own file to load`, async () => {
      const [word = ""] = name.split(" ");
      assert.notEqual(summary, "");
      assert.ok(examples.some((example) => example.includes(`paneward ${name}`)));
      const group = groupOf(word);
      if (group) assert.ok((await group()).some((command) => command.name === name));
      else assert.match(word, /^(completion|__complete)$/, "only completion needs to know all commands");
    });
  }
});
