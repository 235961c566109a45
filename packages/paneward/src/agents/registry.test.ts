import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { planDelivery } from "../model/courier/delivery-plan.ts";
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

  test("an agent of the configuration gets no text that may be a command, unless its input line is said to be plain", () => {
    const cmd = ["kimi"];
    const [kimi, plain] = [
      agentNamed("kimi", { kimi: { cmd } }),
      agentNamed("kimi", { kimi: { cmd, plain_text: true } }),
    ];
    assert.ok(kimi && plain);
    const sent = (agent: typeof kimi, text: string) => planDelivery(agent, { text, enter: true });
    for (const text of ["!touch pwned", " !x", "/compact", "/model x"]) {
      const strict = sent(kimi, text);
      assert.ok(strict.kind === "refused" && /--command.*plain_text/.test(strict.hint), text);
      assert.equal(sent(plain, text).kind, "deliver", text);
    }
    for (const text of ["fix the login", "look at @notes", "/etc/hosts is wrong", "wow!", "two\nlines"]) {
      assert.equal(sent(kimi, text).kind, "deliver", text);
    }
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
