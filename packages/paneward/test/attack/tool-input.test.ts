import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fuzz, hostileText, type Random } from "../../../tmux/test/support/random.ts";
import type { HookPayload, ShownQuestion } from "../../src/agents/agent.ts";
import { permissionAsked } from "../../src/agents/opencode/asked.ts";
import { readPlainHook } from "../../src/agents/plain-hooks.ts";
import { agentNamed } from "../../src/agents/registry.ts";

const kinds = ["claude", "codex", "an agent without a reader"] as const;

function asked(kind: string, tool: unknown, input: unknown): ShownQuestion | undefined {
  const read = agentNamed(kind, {})?.readHook ?? readPlainHook;
  return read("PermissionRequest", { tool_name: tool, tool_input: input })?.question;
}

function gemini(details: HookPayload): ShownQuestion | undefined {
  const payload = { notification_type: "ToolPermission", message: "m", details };
  return agentNamed("gemini", {})?.readHook?.("Notification", payload)?.question;
}

const opencode = (permission: string, patterns: readonly string[], metadata: object) =>
  permissionAsked({ id: "per_1", sessionID: "s", permission, patterns, metadata, always: ["*"] });

/** Every value in an input, with the name of its field. */
function leavesIn(value: unknown, name = ""): readonly (readonly [name: string, text: string])[] {
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([field, one]) => leavesIn(one, Array.isArray(value) ? name : field));
}

function shows(proposal: object | undefined, text: string): boolean {
  const shown = Object.values(proposal ?? {}).join("\n");
  const inDiff = text.split("\n").every((line) => shown.includes(line));
  return inDiff || shown.includes(JSON.stringify(text).slice(1, -1));
}

function anyInput(random: Random): HookPayload {
  const { below, pick } = random;
  const names = [
    ...["command", "file_path", "notebook_path", "path", "content", "old_string", "new_string", "replace_all", "plan"],
    ...["description", "timeout", "args", "host", "dangerouslyDisableSandbox", "questions", "__proto__", "toString"],
  ];
  const value = (depth: number): unknown =>
    pick([
      () => hostileText(random),
      () => below(1_000),
      () => pick([true, false, null]),
      () => (depth > 2 ? [] : Array.from({ length: below(3) }, () => value(depth + 1))),
      () => (depth > 2 ? {} : Object.fromEntries([[pick(names), value(depth + 1)]])),
    ])();
  return Object.fromEntries(Array.from({ length: below(6) }, () => [pick(names), value(0)]));
}

// Of the agents' own tools, and of the right type.
const isHarmless = (tool: string, name: string) =>
  (tool === "Bash" && (name === "description" || name === "timeout")) || (tool === "Edit" && name === "replace_all");

test("what is called whole has every value of the tool's input, whichever agent reports it", () =>
  fuzz((random) => {
    const { pick } = random;
    const [kind, tool] = [
      pick(kinds),
      pick(["Bash", "Edit", "Write", "apply_patch", "mcp__ops__exec", "ExitPlanMode"]),
    ];
    const input = anyInput(random);
    const question = asked(kind, tool, input);
    if (question?.whole !== true) return;
    for (const [name, text] of leavesIn(input)) {
      if (isHarmless(tool, name) || shows(question.proposal, text)) continue;
      assert.fail(`${kind} ${tool} ${JSON.stringify(input)} hides ${name}: ${JSON.stringify(question.proposal)}`);
    }
  }, 3_000));

const inputs: readonly (readonly [name: string, tool: string, input: HookPayload, shown: readonly string[]])[] = [
  [
    "outside of its sandbox",
    "Bash",
    { command: "make", dangerouslyDisableSandbox: true },
    ["dangerouslyDisableSandbox"],
  ],
  [
    "with more than a command",
    "mcp__ops__exec",
    { command: "ls", host: "db", next: "dropdb shop" },
    ["db", "dropdb shop"],
  ],
  [
    "with more than a file",
    "mcp__fs__write",
    { file_path: "a", content: "b", also_delete: "/srv" },
    ["also_delete", "/srv"],
  ],
  ["with a command in its arguments", "mcp__run__run", { command: "sh", args: ["-c", "rm -r /srv"] }, ["rm -r /srv"]],
  ["with a description that is its own", "mcp__run__run", { command: "sh", description: "rm" }, ["rm"]],
  [
    "everywhere in a file",
    "Edit",
    { file_path: "a", old_string: "b", new_string: "c", replace_all: true },
    ["replace_all"],
  ],
  [
    "a question beside a command",
    "mcp__run__run",
    { questions: [{ question: "Red?" }], command: "rm -r /srv" },
    ["rm -r /srv"],
  ],
  [
    "a plan with leave to run",
    "ExitPlanMode",
    { plan: "1. a", allowedPrompts: [{ tool: "Bash", prompt: "deploy" }] },
    ["deploy"],
  ],
];
for (const kind of kinds) {
  describe(`${kind} shows all of a tool`, () => {
    for (const [name, tool, input, shown] of inputs) {
      test(name, () => {
        const question = asked(kind, tool, input);
        assert.notEqual(question?.whole, undefined);
        for (const text of shown) assert.ok(shows(question?.proposal, text), JSON.stringify(question));
      });
    }

    test("and leaves out what changes nothing", () => {
      const { proposal, whole } = asked(kind, "Bash", { command: "ls", description: "Lists", timeout: 5 }) ?? {};
      assert.deepEqual([proposal, whole], [{ tool: "Bash", command: "ls" }, true]);
    });

    test("and proves nothing without an input", () => {
      for (const input of [undefined, "no", ["ls"], null])
        assert.equal(asked(kind, "mcp__ops__exec", input)?.whole, false);
      assert.equal(asked(kind, 7, { command: "ls" })?.whole, false);
      assert.equal(asked(kind, "mcp__ops__restart", {})?.whole, true);
    });
  });
}

describe("Gemini shows all of a tool", () => {
  const edit = (more: object) =>
    gemini({ type: "edit", title: "Confirm Edit", fileName: ".bashrc", fileDiff: "+x", ...more });

  test("a file with its folder", () => {
    const [one, other] = ["/home/u/.bashrc", "/repo/fixtures/.bashrc"].map((filePath) => edit({ filePath }));
    assert.deepEqual([one?.proposal?.path, other?.proposal?.path], ["/home/u/.bashrc", "/repo/fixtures/.bashrc"]);
    assert.equal(one?.whole, true);
    assert.equal(edit({ filePath: "/tmp/other" })?.proposal?.more, '{"fileName":".bashrc"}', "two names that differ");
  });

  test("a new content that its change does not show: it compares files without their blanks", () => {
    const filePath = "/r/.bashrc";
    const fileDiff = "Index: .bashrc\n@@ -1,2 +1,2 @@\n if a:\n-  b\n+  c\n\\ No newline at end of file\n";
    const content = (newContent: string) =>
      edit({ filePath, fileDiff, originalContent: "if a:\n  b", newContent })?.proposal;
    assert.equal(content("if a:\n  c")?.more, undefined);
    assert.match(content("if a:\nc")?.more ?? "", /newContent/);
  });

  test("a tool of a server, whose input is not always reported", () => {
    const mcp = { type: "mcp", title: "Confirm", serverName: "ops", toolName: "run", toolDisplayName: "run" };
    assert.equal(gemini(mcp)?.whole, false);
    const { proposal, whole } = gemini({ ...mcp, command: "ls", toolArgs: { host: "prod" } }) ?? {};
    assert.deepEqual([whole, proposal?.tool], [true, "ops.run"]);
    assert.match(proposal?.more ?? "", /prod/);
  });

  test("of what it does not describe nothing is proved", () => {
    assert.equal(gemini({ type: "new", title: "t", words: "x" })?.whole, false);
    assert.equal(gemini({ type: "exec", title: "t" })?.whole, false);
    assert.equal(gemini({ type: "info", title: "t", prompt: "read", urls: ["https://a"] })?.whole, true);
  });
});

describe("opencode shows all of a tool", () => {
  const cases: readonly (readonly [string, readonly string[], object, whole: boolean, shown: readonly string[]])[] = [
    ["bash", ["rm x"], { command: "cd /srv && rm x", workdir: "/etc" }, true, ["cd /srv && rm x", "/etc"]],
    ["bash", ["rm x"], {}, false, ["rm x"]],
    ["doom_loop", ["bash"], { tool: "bash", input: { command: "rm -r /srv" } }, true, ["bash", "rm -r /srv"]],
    ["doom_loop", ["bash"], { tool: "bash" }, false, ["bash"]],
    ["task", ["general"], { description: "look", subagent_type: "general" }, false, ["general"]],
    [
      "external_directory",
      ["/etc/*"],
      { filepath: "/etc/passwd", parentDir: "/etc" },
      false,
      ["/etc/*", "/etc/passwd"],
    ],
    ["webfetch", ["https://a"], { url: "https://a", format: "text" }, true, ["https://a"]],
    ["read", ["/etc/passwd"], {}, true, ["/etc/passwd"]],
    ["depot_order", ["*"], {}, false, ["depot_order"]],
    [
      "edit",
      ["a.md"],
      { filepath: "/r/a.md", diff: "+a", files: [{ movePath: "/etc/x", after: "a" }] },
      true,
      ["/etc/x"],
    ],
  ];
  for (const [permission, patterns, metadata, whole, shown] of cases) {
    test(`${permission} ${JSON.stringify(metadata)}`, () => {
      const question = opencode(permission, patterns, metadata);
      assert.equal(question.whole, whole);
      for (const text of shown) assert.ok(shows(question.proposal, text), JSON.stringify(question.proposal));
    });
  }
});
