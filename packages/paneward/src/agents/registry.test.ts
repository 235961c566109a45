import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { agentNamed, builtInAgents, codingAgents, hookedAgents, isShell, isSynthetic } from "./registry.ts";

describe("the registry", () => {
  test("lists every folder with a description, by its name", () => {
    const folders = globSync("*/agent.ts", { cwd: import.meta.dirname }).map((path) => dirname(path));
    assert.deepEqual(builtInAgents.toSorted(), folders.toSorted());
  });

  test("distinguishes shells from coding agents", () => {
    assert.deepEqual(
      builtInAgents.filter((name) => isShell(name) === codingAgents.includes(name)),
      [],
    );
    assert.equal(isShell("an agent of the configuration"), false);
  });

  test("offers hooks only for agents whose hooks are read", () => {
    for (const { kind } of Object.values(hookedAgents)) assert.ok(agentNamed(kind, {})?.readHook, kind);
  });

  test("knows what an agent wrote itself, and for an agent without a reader what any of them would", () => {
    const report = "<task-notification>done</task-notification>";
    const cases: readonly (readonly [kind: string, text: string, expected: boolean])[] = [
      ["claude", report, true],
      ["claude", "what is a task-notification?", false],
      ["codex", report, false],
      ["an agent of the configuration", report, true],
    ];
    for (const [kind, text, expected] of cases) assert.equal(isSynthetic(kind, text), expected, `${kind}: ${text}`);
  });
});
