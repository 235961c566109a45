import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OperationName } from "@paneward/sdk";
import { paneward } from "./support/cli.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";
import { samples } from "./support/samples.ts";

/** What is typed, which operation with which input that becomes, and what a person sees. */
interface Case {
  readonly typed: readonly string[];
  readonly operation: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly prints: RegExp;
  readonly notes?: RegExp;
  readonly code?: number;
  readonly stdin?: string;
  /** How the answer looks as JSON; the operation's output unless told. */
  readonly json?: unknown;
}

const here = process.cwd();
const cases: readonly Case[] = [
  {
    typed: ["ps"],
    operation: "ps",
    input: {},
    prints:
      /^ID +NAME +STATUS +SINCE +WHY +WHAT +BRANCH +\+\/-\n12 +fix-login +Idle +3m +no output for 1 s +claude +paneward\/12-fix-login +\+12 -3 \^2\nt4 +server +Exited +3m +the program exited with code 3 +npm run dev\n$/,
  },
  { typed: ["ps", "--all", "--here"], operation: "ps", input: { all: "true", root: here }, prints: /fix-login/ },
  {
    typed: ["sessions"],
    operation: "sessions",
    input: {},
    prints: /^SESSION +NAME +TASK +TERMINAL +WINDOWS +ATTACHED +AGE\n\$1 .*\n\$2 .*t4.*\n$/,
  },
  {
    typed: ["run", "--name", "db", "--cwd", "/tmp", "--env", "A=b=c", "--keep", "--rows", "24", "--", "ls", "-la"],
    operation: "run",
    input: { argv: ["ls", "-la"], name: "db", cwd: "/tmp", env: { A: "b=c" }, keep: true, rows: 24 },
    prints: /^t4\n$/,
  },
  {
    typed: ["run", "ls", "-la"],
    operation: "run",
    input: { argv: ["ls", "-la"], cwd: here, keep: false },
    prints: /^t4\n$/,
  },
  {
    typed: ["run", "--host", "box", "--", "ls"],
    operation: "run",
    input: { argv: ["ls"], host: "box", keep: false },
    prints: /^t4\n$/,
  },
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
  { typed: ["stop", "12"], operation: "stop", input: { id: "12" }, prints: /^t3 is stopped\n$/ },
  { typed: ["restart", "t4"], operation: "restart", input: { id: "t4" }, prints: /^t4 server: Running\n$/ },
  { typed: ["complete", "12"], operation: "complete", input: { id: "12" }, prints: /^12 fix-login: Completed\n$/ },
  {
    typed: ["reset", "12", "--yes"],
    operation: "reset",
    input: { id: "12" },
    prints: /Stopped; its work is kept under refs.*undo/,
  },
  {
    typed: ["rm", "12", "--yes", "--force"],
    operation: "rm",
    input: { id: "12", force: "true" },
    prints: /^12 is removed; its work is kept/,
  },
  {
    typed: ["merge", "12", "--base", "dev"],
    operation: "merge",
    input: { id: "12", base: "dev" },
    prints: /^main has 2 commits more and is at 0123456789ab\n$/,
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
  { typed: ["undo"], operation: "undo", input: {}, prints: /^rm: task 12 fix-login is back \(Idle\)\n$/ },
  { typed: ["undo", "12"], operation: "undo", input: { id: 12 }, prints: /is back/ },
  {
    typed: ["read", "12", "--since", "e1:4", "--lines", "5", "--wait", "2.5"],
    operation: "read",
    input: { id: "12", since: "e1:4", lines: "5", wait: "2.5" },
    prints: /^one\ntwo\n$/,
  },
  {
    typed: ["logs", "12", "-n", "5"],
    operation: "read",
    input: { id: "12", lines: "5", max_bytes: "4194304" },
    prints: /^one\ntwo\n$/,
  },
  {
    typed: ["screen", "12", "--escapes"],
    operation: "screen",
    input: { id: "12", escapes: "true" },
    prints: /^\$ make\ndone\n$/,
  },
  {
    typed: ["send", "12", "yes please", "--idempotency-key", "k"],
    operation: "send",
    input: { id: "12", text: "yes please", enter: true, idempotency_key: "k" },
    prints: /^d1 to t3: submitted\n$/,
  },
  {
    typed: ["send", "12", "-", "--no-enter"],
    stdin: "a\nb\n",
    operation: "send",
    input: { id: "12", text: "a\nb", enter: false },
    prints: /submitted/,
  },
  {
    typed: ["send", "12", "--key", "Escape", "--key", "C-c"],
    operation: "send",
    input: { id: "12", keys: ["Escape", "C-c"], enter: false },
    prints: /submitted/,
  },
  {
    typed: ["send", "12", "--ack", "5", "--", "--help"],
    operation: "send",
    input: { id: "12", text: "--help", enter: true, ack: 5 },
    prints: /submitted/,
    code: 5,
  },
  {
    typed: ["wait", "12", "t4", "--any", "--for", "exited", "--for", "output=a=b", "--timeout", "9"],
    operation: "wait",
    input: { ids: ["12", "t4"], mode: "any", for: [{ kind: "exited" }, { kind: "output", pattern: "a=b" }] },
    prints: /^12 exited with code 3\n$/,
    json: samples.wait.results[0],
  },
  {
    typed: ["explain", "t3"],
    operation: "explain",
    input: { id: "t3" },
    prints:
      /^t3 fix-login: Idle for 3m\noutput says so: no output for 1 s\nevidence: silent\n\n +WITNESS +AGE +SAYS\n\* +output +3m +silent for 3 s\n +bell +3m +rang\n$/,
  },
  {
    typed: ["events", "--after", "5", "--type", "a", "--type", "b", "--limit", "10"],
    operation: "events",
    input: { after: "5", types: "a,b", limit: "10" },
    prints: /^ +6 .* task_created +task=12 slug=fix-login root="\/re po"\n +7 .*terminal=t3\n$/,
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
    prints: /^ok +tmux +tmux 3\.5a\nwrong +git +not found\n +install git\n$/,
    code: 1,
  },
  {
    typed: ["refresh", "--reason", "moved"],
    operation: "refresh",
    input: { reason: "moved" },
    prints: /^$/,
    notes: /told/,
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
  { typed: ["token", "revoke", "k1"], operation: "token_revoke", input: { id: "k1" }, prints: /^k1 is revoked\n$/ },
  {
    typed: ["daemon", "status"],
    operation: "ping",
    input: {},
    prints: /^the daemon runs: pid 4242, version 0\.1\.0, up 3m\nsocket .*daemon\.sock, last event 7\n$/,
  },
  {
    typed: ["daemon", "start"],
    operation: "ping",
    input: {},
    prints: /^the daemon runs already: pid 4242, socket .*daemon\.sock\n$/,
  },
];

describe("a command asks one operation and prints its answer", { concurrency: 4 }, () => {
  for (const {
    typed,
    operation,
    input,
    prints,
    notes = /^/,
    code = 0,
    stdin = "",
    json = samples[operation],
  } of cases) {
    test(`paneward ${typed.join(" ")}`, async (t) => {
      const { env, asked } = await fakeDaemon(t);
      const forPeople = await paneward(typed, { env, input: stdin });
      assert.match(forPeople.stdout, prints);
      assert.match(forPeople.stderr, notes);
      assert.equal(forPeople.code, code, forPeople.stderr);
      assert.equal(asked.length, 1);
      assert.equal(asked[0]?.operation, operation);
      const { timeout: _, ...seen } = asked[0]?.input ?? {};
      assert.deepEqual(seen, input);

      const forPrograms = await paneward([typed[0] ?? "", ...withJson(typed.slice(1))], { env, input: stdin });
      assert.deepEqual(JSON.parse(forPrograms.stdout), json);
      assert.equal(forPrograms.stdout.split("\n").length, 2, "one line");
      assert.equal(forPrograms.code, code);
    });
  }

  test("attach --json says how to attach and needs no terminal", async (t) => {
    const { env } = await fakeDaemon(t);
    const { stdout, code } = await paneward(["attach", "12", "--json"], { env });
    assert.deepEqual([JSON.parse(stdout), code], [samples.attach, 0]);
  });

  test("commands about a task take the one they run in when none is named", async (t) => {
    const { env, asked } = await fakeDaemon(t);
    for (const command of ["complete", "path", "branch", "diff"]) {
      assert.equal((await paneward([command], { env: { ...env, PANEWARD_TASK_ID: "7" } })).code, 0);
    }
    assert.deepEqual(
      asked.map(({ input }) => input.id),
      ["7", "7", "7", "7"],
    );
    assert.equal((await paneward(["path"], { env })).code, 2);
  });
});

/** Before the first argument: after it, `run` passes everything on. */
function withJson(rest: readonly string[]): readonly string[] {
  const at = rest.findIndex((word) => /^(create|list|revoke|status|start)$/.test(word)) === 0 ? 1 : 0;
  return [...rest.slice(0, at), "--json", ...rest.slice(at)];
}
