import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Process } from "@paneward/tmux";
import { foregroundOf } from "./running.ts";

const wrapper = "/bin/sh -c i=0 f=$1 n=; shift IFS= read -r n /j/wrapper.key /j/wrapper.err bash";

function process(pid: number, parent: number, group: number, foregroundGroup: number, commandLine: string): Process {
  const name = commandLine.split(" ")[0]?.split("/").at(-1) ?? "";
  return { pid, parent, group, foregroundGroup, name, commandLine };
}

describe("what runs in the foreground", () => {
  const cases: readonly (readonly [string, readonly Process[], string, boolean])[] = [
    ["an idle shell", [process(1, 0, 1, 2, wrapper), process(2, 1, 2, 2, "/bin/bash")], "bash", true],
    ["an idle login shell without the wrapper", [process(5, 0, 5, 5, "-bash")], "bash", true],
    [
      "a command",
      [process(1, 0, 1, 3, wrapper), process(2, 1, 2, 3, "bash"), process(3, 2, 3, 3, "npm test")],
      "npm test",
      false,
    ],
    [
      "the first program of a pipe",
      [process(5, 0, 5, 6, "bash"), process(6, 5, 6, 6, "tail -f log"), process(7, 5, 6, 6, "grep x")],
      "tail -f log",
      false,
    ],
    [
      "a job in the background does not count",
      [process(1, 0, 1, 2, wrapper), process(2, 1, 2, 2, "bash"), process(3, 2, 3, 2, "sleep 9")],
      "bash",
      true,
    ],
    [
      "a shell that waits for a command substitution is not idle",
      [process(1, 0, 1, 2, wrapper), process(2, 1, 2, 2, "bash"), process(3, 2, 2, 2, "sleep 9")],
      "bash",
      false,
    ],
    ["nothing at all", [], "", false],
  ];
  for (const [name, tree, command, idle] of cases) {
    test(name, () => assert.deepEqual(foregroundOf(tree), { command, idle }));
  }
});
