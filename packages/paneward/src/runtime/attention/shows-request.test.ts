import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Proposal } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import { requestShown, showsRequest } from "./shows-request.ts";

const asks = (proposal: Proposal | undefined, region: string, more: Partial<ShownQuestion> = {}): ShownQuestion => ({
  ...{ kind: "permission", text: "Do you want to proceed?", options: [], freeText: false, region },
  ...(proposal && { proposal }),
  ...more,
});
const bash = (command: string, shown = command) => asks({ tool: "Bash", command: shown }, `Bash command\n${shown}`);
const file = (path: string) => asks({ tool: "Edit", path }, `Edit file\n${path}`);
const order = (part: string) => asks({ tool: "depot", more: `part: "${part}"` }, `Tool use\npart: "${part}"`);
const hook = (proposal: Proposal) => asks(proposal, "");
const mcp = (input: object) => hook({ tool: "mcp__depot__order", more: JSON.stringify(input) });
const long = "git -C /srv/shop/very/deep commit --amend --no-edit";

describe("a dialog and what a hook reported:", () => {
  const cases: Readonly<Record<string, readonly [ShownQuestion, ShownQuestion, string]>> = {
    "the same command": [bash("make"), hook({ command: "make" }), "whole"],
    "another command": [bash("make"), hook({ command: "test" }), "no"],
    "a command that only begins like it": [bash("rm -rf /"), hook({ command: "rm -rf /tmp/a" }), "no"],
    "a command that another one begins with": [bash("make install"), hook({ command: "make" }), "no"],
    "a long one that differs at its end": [bash(`${long} -m a`), hook({ command: `${long} -m b` }), "no"],
    "a dialog that ends at an empty line": [bash("ls -la"), hook({ command: "ls -la\n\ntouch x" }), "part"],
    "a dialog of a file": [file("make"), hook({ command: "make" }), "no"],
    "a long command that the screen cuts": [bash(long, long.slice(0, 40)), hook({ command: long }), "part"],
    "a wrapped command": [
      asks({}, "│ git -C /srv/shop/very/\n│ deep commit --amend --no-edit"),
      hook({ command: long }),
      "whole",
    ],
    "a file by its path from here": [file("src/x.ts"), hook({ path: "/w/src/x.ts" }), "whole"],
    "a file of that name elsewhere": [file("src/x.ts"), hook({ path: "/w/test/x.ts" }), "no"],
    "a tool by what it was given": [order("wheel"), mcp({ part: "wheel", amount: 4 }), "part"],
    "the same tool, given something else": [order("wheel"), mcp({ part: "axle" }), "no"],
    "a tool that was given no words": [order("wheel"), mcp({ amount: 4 }), "maybe"],
    "a command is not a tool without one": [bash("make"), mcp({ amount: 4 }), "no"],
    "another kind": [bash("make"), { ...hook({ command: "make" }), kind: "choice" }, "no"],
  };
  for (const [name, [screen, reported, expected]] of Object.entries(cases)) {
    test(name, () => assert.equal(showsRequest(screen, reported), expected));
  }
});

test("of several requests the dialog shows the one with all of its words, the oldest of identical ones, or none", () => {
  const a = hook({ command: `${long} -m a` });
  const b = hook({ command: `${long} -m b` });
  const shown = (screen: ShownQuestion, ...reported: readonly ShownQuestion[]) => {
    const found = requestShown(screen, reported);
    return found && reported.indexOf(found);
  };
  assert.equal(shown(bash(`${long} -m b`), a, b), 1);
  assert.equal(shown(bash("make"), hook({ command: "make" }), hook({ command: "make" })), 0);
  assert.equal(shown(bash("make"), hook({ command: "test" }), mcp({ amount: 4 })), undefined);
  assert.equal(shown(order("wheel"), mcp({ amount: 4 })), 0);
  assert.equal(shown(order("wheel"), mcp({ amount: 4 }), mcp({ amount: 5 })), undefined);
});
