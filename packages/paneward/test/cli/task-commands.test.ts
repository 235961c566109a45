import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { paneward } from "./support/cli.ts";
import { type Case, testCase } from "./support/command-case.ts";
import { fakeAnswers } from "./support/fake-answers.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";
import { typed } from "./support/typed.ts";

const here = process.cwd();

const cases: readonly Case[] = [
  {
    typed: ["new", "--agent", "codex", "--base", "main", "Fix", "it"],
    operation: "new",
    input: { root: here, text: "Fix it", agent: "codex", base: "main", draft: false },
    prints: /^12\n$/,
    notes: /task fix-login: Idle, branch paneward\/12-fix-login/,
  },
  {
    typed: ["new", "--draft", "-"],
    stdin: "one\ntwo\n",
    operation: "new",
    input: { root: here, text: "one\ntwo", draft: true },
    prints: /^12\n$/,
  },
  { typed: ["start", "12"], operation: "start", input: { id: "12" }, prints: /^12 fix-login: Running\n$/ },
  { typed: ["complete", "12"], operation: "complete", input: { id: "12" }, prints: /^12 fix-login: Completed\n$/ },
  {
    typed: ["edit", "12", "--agent", "codex", "--base", "main", "Do", "it"],
    operation: "edit",
    input: { id: "12", text: "Do it", agent: "codex", base: "main" },
    prints: /^12 fix-login: Idle, agent claude, from main\n$/,
  },
  { typed: ["edit", "12", "-"], operation: "edit", input: { id: "12", text: "more" }, prints: /^12/, stdin: "more\n" },
  {
    typed: ["reset", "12", "--yes"],
    operation: "reset",
    input: { id: "12" },
    prints: /Stopped; its work is kept under refs.*undo/,
  },
  {
    typed: ["rm", "12", "--yes"],
    operation: "rm",
    input: { id: "12" },
    prints: /^12 removed; its work is kept/,
  },
  {
    typed: ["merge", "12", "--base", "dev"],
    operation: "merge",
    input: { id: "12", base: "dev" },
    prints: /^main advanced by 2 commits to 0123456789ab\n$/,
  },
  {
    typed: ["diff", "12", "--stat"],
    operation: "diff",
    input: { id: "12", stat: "true" },
    prints: /^--- a\/x\n[\s\S]*\+new\n$/,
  },
  { typed: ["path", "12"], operation: "path", input: { id: "12" }, prints: /^\/state\/worktrees\/12-fix-login\n$/ },
  { typed: ["branch", "12"], operation: "branch", input: { id: "12" }, prints: /^paneward\/12-fix-login\n$/ },
  {
    typed: ["bootstrap", "12"],
    operation: "bootstrap",
    input: { id: "12" },
    prints: /^copied \.env\nran \.paneward\/setup\.sh\ninstalled\n$/,
  },
  {
    typed: ["hosts"],
    operation: "hosts",
    input: {},
    prints:
      /^HOST +STATE +TRANSPORT +TMUX +REASON +PREFIX +SOCKET\nlocal +connected .*\nbox +unavailable .*docker exec/,
  },
  {
    typed: ["config"],
    operation: "config",
    input: { root: here },
    prints: /^# defaults < \/home\/me\/c\.toml\nagent = "claude"\n[\s\S]*\[web\]\nport = 7420\n$/,
    notes: /unknown key x/,
  },
  {
    typed: ["doctor"],
    operation: "doctor",
    input: {},
    prints: /^ok +tmux +tmux 3\.5a\nwrong +git +not found\n +install git\n— +pi +not installed\n$/,
    code: 1,
  },
  {
    typed: ["refresh", "--reason", "moved"],
    operation: "refresh",
    input: { reason: "moved" },
    prints: /^$/,
    notes: /clients were notified/,
  },
  {
    typed: ["audit", "--limit", "3"],
    operation: "audit",
    input: { limit: "3" },
    prints: /^WHEN +WHO +DOOR +OPERATION +SUBJECT +OUTCOME\n\d{4}-.* me +cli +rm +12 +ok\n$/,
  },
  {
    typed: ["token", "create", "--scope", "read", "--name", "dashboard"],
    operation: "token_create",
    input: { scope: "read", name: "dashboard" },
    prints: /^pw_secret\n$/,
    notes: /not shown again/,
  },
  {
    typed: ["token", "list"],
    operation: "token_list",
    input: {},
    prints: /^ID +NAME +SCOPE +AGE +USED\nk1 +dashboard +read +3m +never\n$/,
  },
  { typed: ["token", "revoke", "k1"], operation: "token_revoke", input: { id: "k1" }, prints: /^k1 revoked\n$/ },
  {
    typed: ["daemon", "status"],
    operation: "ping",
    input: {},
    prints: /^the daemon is running: pid 4242, version 0\.1\.0, up \d+m\nsocket .*daemon\.sock, last event 7\n$/,
  },
  {
    typed: ["daemon", "start"],
    operation: "ping",
    input: {},
    prints: /^the daemon is already running: pid 4242, socket .*daemon\.sock\n$/,
  },
];

describe("commands about tasks and about Paneward itself", { concurrency: 4 }, () => {
  for (const one of cases) testCase(one);

  test("attach --json prints how to attach and needs no terminal", async (t) => {
    const { env } = await fakeDaemon(t);
    const { stdout, code } = await paneward(["attach", "12", "--json"], { env });
    assert.deepEqual([JSON.parse(stdout), code], [fakeAnswers.attach, 0]);
  });

  test("trust --yes shows what it trusts and says once that it did", async (t) => {
    const runs = [{ what: "bootstrap.cmd", text: "make ready", trusted: false }];
    const { env } = await fakeDaemon(t, {
      trust_look: () => ({ root: "/repo", trusted: false, digest: "d1", runs }),
      trust: () => ({ root: "/repo", trusted: 1 }),
    });
    const { stdout, stderr } = await typed(["trust", "--yes"], { env });
    assert.equal(stdout, "/repo is trusted; `paneward trust --revoke /repo` takes it back\n");
    assert.equal(stderr, "/repo wants to run:\nbootstrap.cmd\n  | make ready\n");
  });

  test("undo says what it undoes; to end a program that runs, it wants --yes", async (t) => {
    let running = false;
    const undo_look = () => ({ ...fakeAnswers.undo_look, running });
    const { env, asked } = await fakeDaemon(t, { undo_look });
    const quiet = await typed(["undo"], { env });
    assert.equal(quiet.stdout, "rm: task 12 fix-login is back (Idle)\n");
    assert.match(quiet.stderr, /^undoing the rm of task 12 fix-login, \d+[a-z]+ ago\n$/);
    running = true;
    const refused = await typed(["undo", "12"], { env });
    assert.match(refused.stderr, /Undo the rm of task 12 fix-login, .* ago\? This ends its program.*\nhint: add --yes/);
    assert.equal(refused.code, 2);
    assert.equal((await typed(["undo", "12", "--yes"], { env })).code, 0);
    assert.deepEqual(
      asked.map(({ operation, input }) => [operation, input]),
      [
        ["undo_look", {}],
        ["undo", { id: 12, end_program: false }],
        ["undo_look", { id: "12" }],
        ["undo_look", { id: "12" }],
        ["undo", { id: 12, end_program: true }],
      ],
    );
  });

  test("what is started gets PATH and such from this shell, and nothing else", async (t) => {
    const { env, variables } = await fakeDaemon(t);
    const shell = { ...env, PATH: "/opt/new:/bin", EDITOR: "ed", LC_TIME: "C", API_KEY: "secret", HOSTNAME: "x" };
    const starting = [
      ["new", "x"],
      ["start", "12"],
      ["run", "ls"],
      ["restart", "12"],
      ["attach", "12", "--json"],
    ];
    for (const words of [...starting, ["reset", "12", "--yes"], ["bootstrap", "12"], ["stop", "12"]])
      await typed(words, { env: shell });
    assert.equal(variables.length, 7, "a stop starts nothing");
    const { LANG = "", SHELL = "", XDG_CONFIG_HOME = "" } = env;
    for (const given of variables)
      assert.deepEqual(given, { PATH: shell.PATH, EDITOR: "ed", LC_TIME: "C", LANG, SHELL, XDG_CONFIG_HOME });
  });

  test("without an id, commands about a task use the task they run in", async (t) => {
    const { env, asked } = await fakeDaemon(t);
    for (const command of ["complete", "path", "branch", "diff"]) {
      assert.equal((await typed([command], { env: { ...env, PANEWARD_TASK_ID: "7" } })).code, 0);
    }
    assert.deepEqual(
      asked.map(({ input }) => input.id),
      ["7", "7", "7", "7"],
    );
    assert.equal((await typed(["path"], { env })).code, 2);
  });
});
