import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultConfig } from "@paneward/sdk/config";
import { launch } from "./launch.ts";
import { agentNamed, agentNames, builtInAgents } from "./registry.ts";

const facts = {
  id: 7,
  root: "/repo",
  prompt: "fix the login",
  promptFile: "/tasks/7/prompt.md",
  callerEnv: { SHELL: "/bin/zsh", ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "o", SECRET: "s", HTTPS_PROXY: "p" },
};

function argvOf(name: string, prompt = facts.prompt, configured = {}, given = {}): readonly string[] {
  const agent = agentNamed(name, configured);
  assert.ok(agent);
  return launch(agent, { ...facts, prompt, ...given }).argv;
}

test("the default agent of the configuration is built in", () => {
  assert.ok(builtInAgents.includes(defaultConfig.agent));
});

test("a task may name what is built in or configured, each once", () => {
  assert.deepEqual(agentNames({ mine: {}, pi: {} }), [...builtInAgents, "mine"]);
});

test("every built-in agent gets the prompt where it takes it", () => {
  assert.deepEqual(argvOf("claude"), ["claude", "--", "fix the login"]);
  assert.deepEqual(argvOf("codex"), ["codex", "--", "fix the login"]);
  assert.deepEqual(argvOf("gemini"), ["gemini", "--prompt-interactive=fix the login"]);
  assert.deepEqual(argvOf("opencode"), ["opencode", "--prompt=fix the login"]);
  assert.deepEqual(argvOf("pi"), ["pi", "--", "fix the login"]);
  assert.deepEqual(argvOf("shell"), ["/bin/zsh"]);
});

test("a shell starts also where no SHELL is set", () => {
  for (const SHELL of [undefined, ""]) {
    assert.deepEqual(argvOf("shell", "p", {}, { callerEnv: { SHELL } }), ["/bin/sh"]);
  }
});

test("a command of the configuration is expanded, and takes the prompt at the end or where it says", () => {
  const configured = {
    mine: { cmd: ["run", "--dir=<root>", "$SHELL", "$NOTHING", "echo $SHELL <prompt>"] },
    other: { cmd: ["run", "-p", "<prompt>", "-q"] },
  };
  assert.deepEqual(argvOf("mine", "p", configured), [
    "run",
    "--dir=/repo",
    "/bin/zsh",
    "",
    "echo $SHELL <prompt>",
    "p",
  ]);
  assert.deepEqual(argvOf("other", "p", configured), ["run", "-p", "p", "-q"]);
  assert.deepEqual(argvOf("codex", "p", { codex: { cmd: ["codex", "--model", "x"] } }), [
    "codex",
    "--model",
    "x",
    "--",
    "p",
  ]);
  assert.equal(agentNamed("nobody", configured), undefined);
});

test("a prompt that is too long for an argument is replaced by the name of its file", () => {
  const argv = argvOf("claude", "ä".repeat(6_145));
  assert.match(argv[2] ?? "", /^Your task is in the file \/tasks\/7\/prompt\.md/);
  assert.equal(argvOf("claude", "ä".repeat(6_144))[2]?.length, 6_144);
});

test("an agent gets its own keys and the proxies from the caller's environment, nothing else", () => {
  const agent = agentNamed("claude", {});
  assert.ok(agent);
  const { env } = launch(agent, { ...facts, prompt: "😀".repeat(5_000) });
  assert.deepEqual(
    [env.ANTHROPIC_API_KEY, env.HTTPS_PROXY, env.OPENAI_API_KEY, env.SECRET],
    ["k", "p", undefined, undefined],
  );
  assert.deepEqual([env.PANEWARD_TASK_ID, env.PANEWARD_ROOT, env.AGENCY_ROOT], ["7", "/repo", "/repo"]);
  assert.equal(env.PANEWARD_TASK, "😀".repeat(3_072));
});

test("hooks are given on the command line, and a conversation is resumed by its id", () => {
  const server = { port: 23_456, user: "paneward", password: "secret" };
  const hooks = { reportCommand: "tell-it claude", waitCommand: "ask-it claude", folder: "/state/t1", server };
  const start = (name: string, more: object) => {
    const agent = agentNamed(name, {});
    assert.ok(agent);
    return launch(agent, { ...facts, prompt: "go on", ...more }).argv;
  };
  const [program, option, settings, ...prompt] = start("claude", { hooks });
  assert.deepEqual([program, option, ...prompt], ["claude", "--settings", "--", "go on"]);
  const given = JSON.parse(settings ?? "") as { readonly hooks: Readonly<Record<string, unknown>> };
  assert.deepEqual(given.hooks.Stop, [{ hooks: [{ type: "command", command: "tell-it claude", timeout: 5 }] }]);
  assert.deepEqual(given.hooks.PermissionRequest, [
    { hooks: [{ type: "command", command: "ask-it claude", timeout: 86_400 }] },
  ]);
  assert.deepEqual(start("opencode", { hooks }), [
    ...["opencode", "--port", "23456", "--hostname", "127.0.0.1", "--prompt=go on"],
  ]);
  assert.deepEqual(start("codex", { hooks, sessionId: "s1" }), ["codex", "--no-daemon", "resume", "s1"]);
  const [, , flag, value, word] = start("codex", { hooks: { ...hooks, evenIfAsked: true }, sessionId: "s1" });
  assert.deepEqual([flag, word], ["-c", "resume"]);
  const stop = '[{hooks=[{type="command",command="tell-it claude",timeout=5}]}]';
  assert.match(value ?? "", /^hooks=\{SessionStart=/);
  assert.ok(value?.endsWith(`,Stop=${stop}}`));
  assert.deepEqual(start("claude", { sessionId: "s1" }), ["claude", "--resume", "s1"]);
  assert.deepEqual(start("pi", { sessionId: "s1" }), ["pi", "--session", "s1"]);
});

test("a prompt never becomes an option, a subcommand or a command of the program: it is read from its file", () => {
  const isInFile = (name: string, prompt: string, configured = {}) =>
    argvOf(name, prompt, configured).at(-1)?.includes("Your task is in the file /tasks/7/prompt.md") === true;
  const cases: readonly (readonly [prompt: string, inFile: string])[] = [
    ["fix the login", ""],
    ["update", "claude"],
    ["--dangerously-skip-permissions", "mine"],
    ["/help me", "claude gemini opencode pi mine"],
    ["!touch ran", "codex mine"],
    ["exit", "claude opencode"],
    ["@notes.txt what is it", "gemini pi"],
    ["what is @", "opencode"],
    ["read @/etc/passwd and go", "claude gemini"],
    ["use $skill-creator now", "codex"],
  ];
  for (const [prompt, inFile] of cases) {
    const names = ["claude", "codex", "gemini", "opencode", "pi", "mine"];
    const found = names.filter((name) => isInFile(name, prompt, { mine: { cmd: ["run"] } }));
    assert.deepEqual(found.join(" "), inFile, prompt);
  }
  assert.ok(isInFile("claude", "--version", { claude: { cmd: ["claude", "<prompt>"] } }), "where the user places it");
  const words = argvOf("gemini", "--version");
  assert.deepEqual(words, ["gemini", "--prompt-interactive=--version"]);
  assert.deepEqual(argvOf("claude", "--version"), ["claude", "--", "--version"]);
});
