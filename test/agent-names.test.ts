import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { builtInAgents, hookedAgents } from "../packages/paneward/src/agents/registry.ts";
import { agentWords, type Exclusion, withoutComments } from "./support/agent-words.ts";
import { importsOf } from "./support/layers.ts";
import { files, text } from "./support/repository.ts";

const names = [...builtInAgents, ...Object.keys(hookedAgents)];

/** Where an agent's name may stand outside of its folder, and why. */
const exclusions: readonly Exclusion[] = [
  { path: "packages/pi/src/", why: "the extension that runs inside pi" },
  {
    path: "packages/sdk/src/config.ts",
    line: /^ {2}agent: "/,
    why: "the default of a configuration that names no agent",
  },
  {
    path: "packages/sdk/src/routes.ts",
    line: /^export const doors = /,
    why: "the door of pi's extension is called pi",
  },
  { path: "packages/paneward/src/runtime/team/", line: /door: "pi"/, why: "the same door" },
  { path: "packages/paneward/src/http/team/", line: /door: "pi"/, why: "the same door" },
  { path: "packages/sdk/src/prompt/", line: /"shell"/, why: "a shell's prompt, on any screen" },
  { path: "packages/paneward/src/tui/", line: /"shell"/, why: "the key that opens a shell in a task's folder" },
  {
    path: "packages/paneward/src/cli/commands/",
    line: /^ +(examples: \[)?"(paneward|claude mcp add) /,
    why: "an example",
  },
];

describe("what is special about an agent", () => {
  const sources = files("packages/*/src/**/*.ts", "packages/*/src/**/*.tsx")
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => ({ path, text: text(path) }));

  test("lies in its folder", () => {
    assert.ok(sources.length > 10 && names.length > 5, "sources and agents were found");
    assert.deepEqual(agentWords(sources, names, exclusions), []);
  });

  test("and in no other agent's: what several need is directly in agents/, or in agents/screen/", () => {
    const inAgents = sources.filter(({ path }) => path.startsWith("packages/paneward/src/agents/"));
    const faults = inAgents.flatMap(({ path, text: code }) => importsOfOthers(path, code));
    assert.deepEqual(faults, []);
  });

  test("no exclusion is older than what it excludes", () => {
    const unused = exclusions.filter(
      (one) =>
        agentWords(
          sources,
          names,
          exclusions.filter((other) => other !== one),
        ).length === 0,
    );
    assert.deepEqual(unused, []);
  });
});

/** Imports that lead from one agent's folder into another's. */
function importsOfOthers(path: string, code: string): readonly string[] {
  const [, own] = /\/agents\/(\w+)\//.exec(path) ?? [];
  if (own === undefined || own === "screen") return [];
  return importsOf(code).flatMap(({ specifier }) => {
    const [, other = "screen"] = /^\.\.\/(\w+)\//.exec(specifier) ?? [];
    return other === "screen" ? [] : [`${path} imports ${specifier}`];
  });
}

describe("the check", () => {
  test("finds an agent that imports another", () => {
    const of = (path: string) => importsOfOthers(path, 'import { x } from "../claude/hooks.ts";').length;
    assert.equal(of("packages/paneward/src/agents/codex/screen.ts"), 1);
    assert.deepEqual(importsOfOthers("a/agents/codex/x.ts", 'import "../screen/box.ts";\nimport "../agent.ts";'), []);
  });

  const found = (line: string) => agentWords([{ path: "packages/x/src/a.ts", text: line }], names, []);

  test("finds names, hooks' events and paste marks in code", () => {
    const faults = [
      'if (kind === "claude") return;',
      "const hint = 'claude, codex or another';",
      "const why = `for Claude Code`;",
      'return name === "shell";',
      'return name === "pi";',
      'case "PermissionRequest":',
      "const mark = /Pasted text/;",
      'import { readClaudeState } from "../../agents/claude/state-file.ts";',
    ];
    for (const line of faults) assert.equal(found(line).length, 1, line);
  });

  test("lets words be that are no agent's, and comments", () => {
    const fine = [
      "// Codex draws it later",
      "/** As Claude does. */",
      "a shell's own pi",
      'const url = "http://x"; // codex',
    ];
    for (const line of fine) assert.deepEqual(found(line), [], line);
    assert.equal(withoutComments('const url = "http://x"; // y\n/* a\n b */ z'), 'const url = "http://x"; \n\n z');
  });
});
