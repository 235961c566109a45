import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allCommands } from "../../src/cli/command-table.ts";
import { paneward } from "./support/cli.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";

describe("help", { concurrency: 4 }, () => {
  test("is what paneward prints without arguments, with every command but the hidden", async (t) => {
    const { env } = await fakeDaemon(t);
    const { stdout, stderr, code } = await paneward([], { env });
    for (const { name, hidden } of allCommands) {
      const shown = new RegExp(`^  ${name.split(" ")[0]}\\b`, "m").test(stdout);
      assert.equal(shown, !hidden, name);
    }
    assert.deepEqual([stderr, code], ["", 0]);
  });

  for (const { name, examples, json, hidden } of allCommands.filter((command) => !command.hidden)) {
    test(`of ${name} shows its options and examples`, async (t) => {
      const { env } = await fakeDaemon(t);
      const { stdout, code } = await paneward([...name.split(" "), "--help"], { env });
      assert.equal(code, 0);
      assert.ok(stdout.includes(`Usage: paneward ${name}`));
      for (const example of examples) assert.ok(stdout.includes(example), example);
      assert.equal(stdout.includes("--json "), json !== false && !hidden);
    });
  }

  test("of a version is the package's", async (t) => {
    const { env } = await fakeDaemon(t);
    assert.match((await paneward(["--version"], { env })).stdout, /^\d+\.\d+\.\d+\n$/);
  });
});
