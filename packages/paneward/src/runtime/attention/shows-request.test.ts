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
const order = (part: string, more = `part: "${part}"\namount: 4`) =>
  asks({ tool: "depot — Order Tool: (MCP)", more }, more, { drawn: { columns: 80, text: more } });
const hook = (proposal: Proposal) => asks(proposal, "");
const mcp = (input: object, tool = "mcp__depot__order") => hook({ tool, more: JSON.stringify(input) });
const long = "git -C /srv/shop/very/deep commit --amend --no-edit";

describe("a dialog and what a hook reported:", () => {
  const cases: Readonly<Record<string, readonly [ShownQuestion, ShownQuestion, string]>> = {
    "the same command": [bash("make"), hook({ command: "make" }), "whole"],
    "another command": [bash("make"), hook({ command: "test" }), "no"],
    "a command that only begins like it": [bash("rm -rf /"), hook({ command: "rm -rf /tmp/a" }), "no"],
    "a command that another one begins with": [bash("make install"), hook({ command: "make" }), "no"],
    "a long one that differs at its end": [bash(`${long} -m a`), hook({ command: `${long} -m b` }), "no"],
    "a dialog that ends at an empty line": [bash("ls -la"), hook({ command: "ls -la\n\ntouch x" }), "no"],
    "a dialog of a file": [file("make"), hook({ command: "make" }), "no"],
    "a command that the screen cuts": [
      { ...bash(long, long.slice(0, 40)), cut: "end" },
      hook({ command: long }),
      "part",
    ],
    "a wrapped command": [
      { ...bash(long), rows: { lines: ["git -C /srv/shop/very/deep", "commit --amend --no-edit"], width: 30 } },
      hook({ command: long }),
      "whole",
    ],
    "a dialog of an unknown kind with its words": [asks({}, "make"), hook({ command: "make" }), "no"],
    "a tool's dialog with its words": [order("make"), hook({ tool: "Bash", command: "make" }), "no"],
    "a file by its path from here": [file("src/x.ts"), hook({ path: "/w/src/x.ts" }), "whole"],
    "a file of that name elsewhere": [file("src/x.ts"), hook({ path: "/w/test/x.ts" }), "no"],
    "a tool by what it was given": [order("wheel"), mcp({ part: "wheel", amount: 4 }), "whole"],
    "its fields by their names": [order("", "amount: 4\npart: wheel"), mcp({ part: "wheel", amount: 4 }), "whole"],
    "its values, drawn in another way": [order("", "4 × wheel"), mcp({ part: "wheel", amount: 4 }), "no"],
    "one field less": [order("wheel", "part: wheel"), mcp({ part: "wheel", amount: 4 }), "no"],
    "one field more": [order("wheel"), mcp({ part: "wheel" }), "no"],
    "an address in another tool's words": [
      asks({ more: "% WebFetch https://a.test/x" }, "%WebFetchhttps://a.test/x", {
        drawn: { columns: 80, text: "% WebFetch https://a.test/x" },
      }),
      hook({ tool: "webfetch", more: "https://a.test/x" }),
      "part",
    ],
    "a value inside of another word": [order("wheels"), mcp({ part: "wheel", amount: 4 }), "no"],
    "another tool, given the same": [order("wheel"), mcp({ part: "wheel", amount: 4 }, "mcp__depot__drop"), "no"],
    "a tool of another server": [order("wheel"), mcp({ part: "wheel", amount: 4 }, "mcp__shop__order"), "no"],
    "a tool whose command is drawn": [bash("make"), hook({ tool: "mcp__ci__run", command: "make" }), "no"],
    "the same tool, given something else": [order("wheel"), mcp({ part: "axle" }), "no"],
    "a tool of which only the name is reported": [order("wheel"), hook({ tool: "depot.order" }), "maybe"],
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
    const { request, isAmbiguous } = requestShown(screen, reported);
    return isAmbiguous ? "several" : request && reported.indexOf(request);
  };
  assert.equal(shown(bash(`${long} -m b`), a, b), 1);
  assert.equal(shown(bash("make"), hook({ command: "make" }), hook({ command: "make" })), 0);
  assert.equal(shown(bash("make"), hook({ command: "test" }), mcp({ amount: 4 })), undefined);
  const unknown = hook({ tool: "depot.order" });
  assert.equal(shown(order("wheel"), unknown), 0);
  assert.equal(shown(order("wheel"), unknown, { ...unknown }), undefined);
  assert.equal(shown(bash("ls"), hook({ command: "bash -lc 'ls'" }), hook({ command: "ls" })), "several");
  const [shows, drops] = ["show", "drop"].map((tool) => mcp({ table: "orders" }, `mcp__db__${tool}`));
  assert.ok(shows && drops);
  assert.equal(shown(asks({ tool: "db.drop", more: "table: orders" }, "table:orders"), shows, drops), 1);
});
