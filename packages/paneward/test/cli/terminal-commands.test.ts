import { describe } from "node:test";
import { anyKey, type Case, testCase } from "./support/command-case.ts";
import { fakeAnswers } from "./support/fake-answers.ts";

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
    typed: ["run", "--keep-running", "--host", "box", "--", "ls"],
    operation: "run",
    input: { argv: ["ls"], host: "box", keep: false, keep_running: true },
    prints: /^t4\n$/,
  },
  { typed: ["restore"], operation: "restore", input: { dry_run: true }, prints: /^ID +NAME +RESULT +HOW +WHY\n/ },
  {
    typed: ["restore", "--all"],
    operation: "restore",
    input: { dry_run: false },
    prints:
      /\nt4 +server +restored +from the beginning\n12 +fix-login +restored +resumed its conversation\nt5 +gone +cannot +its folder \/x is gone\n$/,
    notes: /^2 restored, 1 cannot$/m,
    code: 6,
  },
  {
    typed: ["restore", "t4", "12", "--dry-run"],
    operation: "restore",
    input: { ids: ["t4", "12"], dry_run: true },
    prints: /fix-login/,
  },
  {
    typed: ["keep-running", "t4", "--off"],
    operation: "keep_running",
    input: { id: "t4", on: false },
    prints: /^t4 server does not come back by itself after a reboot\n$/,
  },
  {
    typed: ["pane", "%12", "npm test", "--socket", "/s"],
    operation: "send_text",
    input: { pane_id: "%12", text: "npm test", socket: "/s" },
    prints: /^%12: sent in 104 ms\n$/,
  },
  {
    typed: ["pane", "%12", "--key", "C-c", "--key", "Up"],
    operation: "send_keys",
    input: { pane_id: "%12", keys: ["C-c", "Up"] },
    prints: /^%12: sent in 3 ms\n$/,
  },
  {
    typed: ["pane", "%12"],
    operation: "health",
    input: { pane_id: "%12" },
    prints: /^%12: there, an agent runs in it\n$/,
  },
  { typed: ["stop", "12"], operation: "stop", input: { id: "12" }, prints: /^12 stopped\n$/ },
  { typed: ["stop", "fix-login"], operation: "stop", input: { id: "fix-login" }, prints: /^fix-login stopped\n$/ },
  { typed: ["restart", "t4"], operation: "restart", input: { id: "t4" }, prints: /^t4 server: Running\n$/ },
  { typed: ["restart", "12"], operation: "restart", input: { id: "12" }, prints: /^12: Running\n$/ },
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
    prints: /^d1 to t3: acknowledged\n$/,
  },
  {
    typed: ["send", "12", "-", "--no-enter"],
    stdin: "a\nb\n",
    operation: "send",
    input: { id: "12", text: "a\nb", enter: false, idempotency_key: anyKey },
    prints: /acknowledged/,
  },
  {
    typed: ["send", "12", "--key", "Escape", "--key", "C-c"],
    operation: "send",
    input: { id: "12", keys: ["Escape", "C-c"], enter: false, idempotency_key: anyKey },
    prints: /acknowledged/,
  },
  {
    typed: ["respond", "12", "--option", "1"],
    operation: "respond",
    input: { id: "12", option: 1 },
    prints: /^12: answered\n$/,
  },
  {
    typed: ["interrupt", "12"],
    operation: "interrupt",
    input: { id: "12" },
    prints: /^12: turn ended\n$/,
  },
  {
    typed: ["send", "12", "--timeout", "5", "--", "--help"],
    operation: "send",
    input: { id: "12", text: "--help", enter: true, idempotency_key: anyKey },
    prints: /acknowledged/,
  },
  {
    typed: ["wait", "12", "t4", "--any", "--for", "exited", "--for", "output=a=b", "--timeout", "9"],
    operation: "wait",
    input: { ids: ["12", "t4"], mode: "any", for: [{ kind: "exited" }, { kind: "output", pattern: "a=b" }] },
    prints: /^12 exited with code 3\n$/,
    json: fakeAnswers.wait.results[0],
  },
  {
    typed: ["explain", "t3"],
    operation: "explain",
    input: { id: "t3" },
    prints:
      /^t3 fix-login: Idle for 3m\nreported by output: no output for 1 s\nevidence: silent\n\n +WITNESS +AGE +SAYS\n\* +output +3m +silent for 3 s\n +bell +3m +rang\n$/,
  },
  {
    typed: ["events", "--after", "5", "--type", "a", "--type", "b", "--limit", "10"],
    operation: "events",
    input: { after: "5", types: "a,b", limit: "10" },
    prints: /^ +6 .* task_created +task 12 fix-login for claude in \/re po\n +7 .*task 12 fix-login runs in t3\n$/,
  },
];

describe("commands about terminals", { concurrency: 4 }, () => {
  for (const one of cases) testCase(one);
});
