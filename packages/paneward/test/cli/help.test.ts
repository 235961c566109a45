import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { widthOf } from "@paneward/sdk/text";
import { allCommands, sections } from "../../src/cli/command-table.ts";
import { paneward } from "./support/cli.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";
import { typed } from "./support/typed.ts";

describe("help", { concurrency: 4 }, () => {
  test("is printed by paneward without arguments, with every command except hidden ones", async (t) => {
    const { env } = await fakeDaemon(t);
    const { stdout, stderr, code } = await paneward([], { env });
    for (const { name, hidden } of allCommands) {
      const shown = new RegExp(`^  ${name.split(" ")[0]}\\b`, "m").test(stdout);
      assert.equal(shown, !hidden, name);
    }
    for (const { title } of sections) assert.ok(stdout.includes(`\n${title}:\n`), title);
    const lines = stdout.split("\n").filter((line) => /^ {2}[a-z]/.test(line));
    assert.deepEqual(
      lines.filter((line) => !/^ {2}\S+( [[<]\S+)* {2,}\S/.test(line)),
      [],
      "every command has a summary",
    );
    assert.deepEqual([stderr, code, wide(stdout)], ["", 0, []]);
  });

  for (const word of new Set(
    allCommands.filter(({ name }) => name.includes(" ")).map(({ name }) => name.split(" ")[0] ?? ""),
  )) {
    test(`of ${word} lists its commands in less than 80 columns`, async (t) => {
      const { env } = await fakeDaemon(t);
      const { stdout } = await typed([word, "--help"], { env });
      for (const { name, hidden } of allCommands)
        if (name.startsWith(`${word} `) && !hidden)
          assert.match(stdout, new RegExp(`^  ${name.split(" ")[1]}\\b`, "m"));
      assert.deepEqual(wide(stdout), []);
    });
  }

  test("`help COMMAND` equals `COMMAND --help`; an unknown command is refused", async (t) => {
    const { env } = await fakeDaemon(t);
    const [asked, own] = await Promise.all([
      typed(["help", "daemon", "start"], { env }),
      typed(["daemon", "start", "--help"], { env }),
    ]);
    assert.equal(asked.stdout, own.stdout);
    const { stderr, code } = await typed(["help", "frob"], { env });
    assert.deepEqual([stderr, code], ["paneward: unknown command 'frob'\nhint: `paneward --help` shows how\n", 2]);
  });

  for (const { name, examples, json, hidden } of allCommands.filter((command) => !command.hidden)) {
    test(`of ${name} shows its options and examples`, async (t) => {
      const { env } = await fakeDaemon(t);
      const { stdout, code } = await typed([...name.split(" "), "--help"], { env });
      assert.equal(code, 0);
      assert.ok(stdout.includes(`Usage: paneward ${name}`));
      for (const example of examples) assert.ok(stdout.includes(example), example);
      assert.deepEqual(wide(stdout), []);
      assert.equal(stdout.includes("--json "), json !== false && !hidden);
    });
  }

  test("--version prints the package's version", async (t) => {
    const { env } = await fakeDaemon(t);
    assert.match((await paneward(["--version"], { env })).stdout, /^\d+\.\d+\.\d+\n$/);
  });
});

/** Lines that a terminal of 80 columns would break, or fill to its edge. */
function wide(text: string): readonly string[] {
  return text.split("\n").filter((line) => widthOf(line) > 79);
}
