import assert from "node:assert/strict";
import { test } from "node:test";
import type { Proposal } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import { type Agreement, agreement } from "./agreement.ts";

type Drawn = Pick<ShownQuestion, "kind" | "text" | "proposal" | "region" | "cut" | "rows">;
const drawn = (proposal: Proposal, more: Partial<Drawn> = {}): Drawn => ({
  ...{ kind: "permission", text: "May it?", proposal, region: Object.values(proposal).join(" ") },
  ...more,
});
const command = (text: string, more: Partial<Drawn> = {}) => drawn({ command: text }, more);
const list = Array.from({ length: 80 }, (_, index) => `touch line${index}`);

const cases: readonly (readonly [string, Drawn, Proposal, Agreement])[] = [
  ["the same command", command("ls -la"), { command: "ls -la" }, "same"],
  ["wrapped", command("", { rows: { lines: ["ls -la", "/usr/x"], width: 10 } }), { command: "ls -la /usr/x" }, "same"],
  ["with another blank", command("rm / x"), { command: "rm /x" }, "other"],
  ["with a line's end for a blank", command("echo a #\nrm b"), { command: "echo a # rm b" }, "other"],
  ["drawn without its tabs", command("echoab"), { command: "echo\ta\tb" }, "same"],
  ["in a shell's -lc", command("echo 'a' \"b\""), { command: `/bin/bash -lc "echo 'a' \\"b\\""` }, "same"],
  ["cut at its end", command(list.slice(0, 28).join("\n"), { cut: "end" }), { command: list.join("\n") }, "same"],
  ["cut at its beginning", command(list.slice(60).join("\n"), { cut: "begin" }), { command: list.join("\n") }, "same"],
  ["the beginning of what is reported, not cut", command("ls -la"), { command: "ls -la\n\ntouch x" }, "other"],
  ["more than what is reported", command("ls; rm -rf x"), { command: "ls" }, "other"],
  ["another command", command("rm -rf x"), { command: "ls" }, "other"],
  ["another command, cut", command("rm -rf x", { cut: "end" }), { command: "ls" }, "other"],
  ["nothing, cut", command("", { cut: "end" }), { command: "ls" }, "other"],
  ["in a shell that replaces a part", command("echo '$(rm x)'"), { command: `sh -c "echo '$(rm x)'"` }, "other"],
  ["in a shell that is given more", command("a' 'b"), { command: "sh -c 'a' 'b'" }, "other"],
  ["an unknown dialog with it", drawn({ more: "would run ls -la now" }), { command: "ls -la" }, "unclear"],
  ["a tool's dialog with it", drawn({ tool: "db.drop", more: "note: ls -la" }), { command: "ls -la" }, "other"],
  ["a server's tool", drawn({ tool: "db.drop", more: "a: b" }), { tool: "mcp__db__drop", more: '{"a":"b"}' }, "same"],
  ["another tool", drawn({ tool: "db.drop", more: "a: b" }), { tool: "mcp__db__show", more: '{"a":"b"}' }, "unclear"],
  [
    "a server's tool with more than is reported",
    drawn({ tool: "db.drop", more: "a: b\nall: true" }),
    { tool: "mcp__db__drop", more: '{"a":"b"}' },
    "unclear",
  ],
  ["an unknown dialog without it", drawn({ more: "hello" }), { command: "ls -la" }, "unclear"],
  ["a file from where it works", drawn({ path: "src/x.ts" }), { path: "/w/src/x.ts", diff: "+1" }, "same"],
  ["another file", drawn({ path: "src/y.ts" }), { path: "/w/src/x.ts" }, "other"],
  ["one of several files", drawn({ path: "/w/b.md" }), { path: "a.md, b.md", diff: "…" }, "same"],
  [
    "the same change",
    drawn({ path: "x", diff: "2 -first\n2 +changed" }),
    { path: "x", diff: "-first\n+changed" },
    "same",
  ],
  ["another change", drawn({ path: "x", diff: "2 +evil()" }), { path: "x", diff: "-first\n+changed" }, "other"],
  ["an input by its values", drawn({ more: "amount: 4 part: wheel" }), { more: '{"part":"wheel","amount":4}' }, "same"],
  ["another input", drawn({ more: "amount: 4 part: door" }), { more: '{"part":"wheel","amount":4}' }, "unclear"],
  ["a command where a tool's input is reported", command("rm -rf x"), { more: '{"part":"wheel"}' }, "other"],
  ["where only a tool is reported", command("rm -rf x"), { tool: "depot" }, "unclear"],
];
for (const [name, screen, own, expected] of cases) {
  test(`a screen and a report: ${name} is ${expected}`, () => {
    assert.equal(agreement(screen, { kind: "permission", proposal: own }), expected);
  });
}
