import assert from "node:assert/strict";
import { test } from "node:test";
import { reportedWords } from "./approval.ts";
import { proposalLine, proposalText } from "./proposal-words.ts";

const exec = { tool: "mcp__ops__exec", command: "ls", more: '{\n  "host": "production-db"\n}' };

test("a proposal is described with every part of it", () => {
  assert.equal(proposalText({ ...exec, path: "a", diff: "+b" }), `ls\na\n+b\n${exec.more}`);
  assert.equal(proposalText(), "");
  assert.equal(reportedWords({ reported: exec }), `its own report: mcp__ops__exec: ls\n${exec.more}`);
  assert.equal(reportedWords({ reported: { tool: "Bash" } }), "its own report: Bash");
});

test("in one line too, what a tool is given besides its command is not left out", () => {
  assert.equal(proposalLine(exec), 'ls with { "host": "production-db" }');
  assert.equal(proposalLine({ path: "a", diff: "+b" }), "a");
  assert.equal(proposalLine({ more: "{}" }), undefined);
});
