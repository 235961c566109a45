import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chosenOn, readOpencodeScreen } from "./screen.ts";

const recorded = (name: string) => {
  const folder = new URL(`../../../test/screens/opencode/${name}/`, import.meta.url);
  const lines = readFileSync(new URL("screen.txt", folder), "utf8").split("\n").slice(0, -1);
  return { lines, ...JSON.parse(readFileSync(new URL("view.json", folder), "utf8")) };
};

test("the agent and the model are read also beside something else, and below an open list", () => {
  for (const name of ["idle-after-turn", "wide-idle", "wide-completion", "completion-after-turn"]) {
    assert.equal(chosenOn(recorded(name)), "Build · Scripted Scripted", name);
  }
  for (const name of ["agent-list", "message-status"]) assert.equal(chosenOn(recorded(name)), undefined, name);
});

test("a draft of emoji that seems wider than its box is whole", () => {
  const draft = `${"👩‍👩‍👧 ".repeat(12)}end`;
  const lines = ["  ┃", `  ┃  ${draft}`, "  ┃", "  ┃  Build · Scripted Scripted", `  ╹${"▀".repeat(28)}`];
  assert.equal(readOpencodeScreen({ lines, columns: 40 })?.draft, draft);
});
