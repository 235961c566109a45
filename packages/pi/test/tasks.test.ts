import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { widthOf } from "@paneward/sdk/text";
import { questionStableMs } from "../src/tasks/events.ts";
import { taskSessionName } from "../src/tasks/names.ts";
import { PlainServer } from "../src/tasks/server.ts";
import type { Snapshot } from "../src/tasks/snapshot.ts";
import { Watcher } from "../src/tasks/watcher.ts";
import tasks from "../src/tasks.ts";
import { FakePi } from "./support/fake-pi.ts";
import { processesNaming } from "./support/processes.ts";
import { waitingFor } from "./support/task-script.ts";
import { until } from "./support/until.ts";

const execute = promisify(execFile);
const helper = join(import.meta.dirname, "../skills/tmux-task-manager/tmux-task-run.sh");

describe("tasks in real tmux", () => {
  const folder = mkdtempSync(join(tmpdir(), "pw-tasks-"));
  const project = join(folder, "my.shop #1");
  for (const path of [project, join(folder, "t")]) mkdirSync(path);
  Object.assign(process.env, { TMUX_TMPDIR: join(folder, "t"), PI_CODING_AGENT_DIR: join(folder, "agent") });
  delete process.env.TMUX;
  const tmux = (...args: readonly string[]) =>
    spawnSync("tmux", ["-f", "/dev/null", ...args], { encoding: "utf8" }).stdout;
  after(() => {
    tmux("kill-server");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  let ids = 0;
  const newId = () => `0198a1b2-0000-7000-8000-${String(++ids).padStart(12, "0")}`;

  async function start(id: string, name: string, command: string): Promise<string> {
    const env = { ...process.env, PI_TMUX_SESSION: taskSessionName(project, id), PI_SESSION_ID: "stale" };
    return (await execute(helper, [name, "--", command], { cwd: project, env })).stdout;
  }
  async function open(
    t: { after: (clean: () => Promise<void>) => void },
    id: string,
    reason = "startup",
  ): Promise<FakePi> {
    const pi = new FakePi(project, id, tasks);
    await pi.emit("session_start", { reason });
    t.after(() => pi.emit("session_shutdown", { reason: "quit" }));
    return pi;
  }
  const messagesOf = (pi: FakePi) => pi.messages.map(({ message }) => message.content).join("\n");
  const windows = (id: string, format: string) =>
    tmux("list-panes", "-s", "-t", `=${taskSessionName(project, id)}`, "-F", format);

  // A user's own server, whose settings must not change.
  tmux("new-session", "-d", "-s", "mine", "-x", "80", "-y", "24", "sleep", "1000");
  const settings = () =>
    [
      ["show-options", "-g"],
      ["show-options", "-gw"],
      ["show-options", "-s"],
      ["show-hooks", "-g"],
      ["show-environment", "-g"],
      ["list-clients"],
      ["show-options", "-t", "=mine:"],
    ]
      .map((args) => tmux(...args))
      .join();
  const settingsBefore = settings();

  test("the five events reach their recipients, and the user's server is unchanged", async (t) => {
    const id = newId();
    const pi = await open(t, id);
    const session = taskSessionName(project, id);
    const printed = await start(
      id,
      "v1.2",
      `echo "in $PWD [$PI_SESSION_ID] $PI_TMUX_SESSION"; ${waitingFor({ folder }, "v")};`,
    );
    assert.match(printed, new RegExp(`^session=${session}\nwindow_id=@\\d+\ntask=v1\\.2\ncwd=${project}\n$`));
    await until("the start is a notice", () => pi.notices.some((text) => /\(v1\.2\) started/.test(text)));
    assert.equal(pi.status, "tmux: 1 tasks");
    assert.equal(pi.messages.length, 0);
    await until("it runs where it was started", () =>
      tmux("capture-pane", "-p", "-t", /@\d+/.exec(printed)?.[0] ?? "").includes(`in ${project} [] ${session}`),
    );

    await start(id, "bell", `printf '\\a'; ${waitingFor({ folder }, "bell", 4)}`);
    await until("the bell is reported", () => /\(bell\) sent a terminal notification/.test(messagesOf(pi)));
    waitingFor.go({ folder }, "bell");
    await until("the exit is reported", () => /\(bell\) exited with code 4/.test(messagesOf(pi)));
    await start(id, "ask", "printf '[sudo] password for me: '; read secret");
    await until("the question is reported", () =>
      /\(ask\) is waiting for input: \[sudo\] password for me:/.test(messagesOf(pi)),
    );
    tmux("kill-window", "-t", `=${session}:=ask`);
    await until("the loss is reported", () => /\(ask\) disappeared from session/.test(messagesOf(pi)));
    assert.ok(pi.messages.every(({ options }) => options?.triggerTurn && options.deliverAs === "followUp"));

    const news = pi.messages.length;
    await pi.run("prune-dead");
    assert.equal(windows(id, "#{window_name}").trim(), "v1.2");
    pi.confirms = false;
    await pi.run("kill-all");
    assert.deepEqual(pi.asked, ["End all tasks of this conversation?\nv1.2: running"]);
    assert.equal(pi.notices.at(-1), "no task was ended");
    assert.equal(windows(id, "#{window_name}").trim(), "v1.2");
    pi.confirms = true;
    await pi.run("kill-all");
    await until("the user's own kill is a notice", () =>
      pi.notices.some((text) => /\(v1\.2\) .* after the user manually killed it/.test(text)),
    );
    assert.equal(pi.messages.length, news);
    assert.equal(pi.status, undefined);
    assert.equal(settings(), settingsBefore);
    await pi.emit("session_shutdown", { reason: "quit" });
    await until("the waiting shell is gone", () => processesNaming(`pi-tasks-${session}`).length === 0);
  });

  test("a task started ten times at once has one window and one program", async (t) => {
    const id = newId();
    t.after(() => void tmux("kill-session", "-t", `=${taskSessionName(project, id)}`));
    const printed = await Promise.all(
      Array.from({ length: 10 }, (_, at) => start(id, "ten", `echo ${at}; sleep 1000`)),
    );
    assert.equal(new Set(printed).size, 1);
    assert.match(windows(id, "#{window_name} #{window_panes} #{pane_dead}"), /^ten 1 0\n$/);
  });

  test("a wrong call says what is wrong and starts nothing", async () => {
    const env = { ...process.env };
    const failed = async (args: readonly string[], more: object) =>
      execute(helper, [...args], { cwd: project, env: { ...env, ...more } }).then(
        () => "no error",
        (error: { code: number; stderr: string }) => `${error.code} ${error.stderr}`,
      );
    assert.match(await failed(["x", "--", "true"], {}), /^1 PI_TMUX_SESSION is not set/);
    assert.match(await failed(["x", "--", "true"], { PI_TMUX_SESSION: "a:b" }), /^1 PI_TMUX_SESSION is 'a:b'/);
    assert.match(
      await failed(["a b", "--", "true"], { PI_TMUX_SESSION: "pi-a-1" }),
      /^1 task name 'a b' is not allowed/,
    );
    assert.match(await failed(["x", "true"], { PI_TMUX_SESSION: "pi-a-1" }), /^1 usage/);
    tmux("new-session", "-d", "-s", "pi-a-1", "-n", "x", "sleep", "1000");
    tmux("new-window", "-d", "-t", "=pi-a-1:", "-n", "x", "sleep", "1000");
    assert.match(await failed(["x", "--", "true"], { PI_TMUX_SESSION: "pi-a-1" }), /^1 two windows are called 'x'/);
    tmux("kill-session", "-t", "=pi-a-1");
  });

  test("old sessions: an idle one is closed and its news kept for its conversation, a busy one is listed", async (t) => {
    const [idle, busy, now] = [newId(), newId(), newId()];
    t.after(() => void tmux("kill-session", "-t", `=${taskSessionName(project, busy)}`));
    const first = await open(t, busy);
    await start(busy, "server", "sleep 1000");
    await until("it is known", () => first.status === "tmux: 1 tasks");
    await first.emit("session_shutdown", { reason: "quit" });
    await start(idle, "tests", "exit 9");
    await until("it has ended", () => /^1 9$/m.test(windows(idle, "#{pane_dead} #{pane_dead_status}")));

    const pi = await open(t, now);
    assert.equal(windows(idle, "#{window_name}"), "");
    assert.match(windows(busy, "#{window_name}"), /server/);
    assert.match(pi.notices.join("\n"), /Tasks of "keep the shop open" still run in tmux session .*: server/);
    const blind = new FakePi(project, idle, tasks);
    blind.hasUI = false;
    await blind.emit("session_start", { reason: "startup" });
    await blind.emit("session_shutdown", { reason: "quit" });
    const again = await open(t, idle);
    assert.match(again.notices.join("\n"), /While pi was not running:\ntmux task @\d+ \(tests\) exited with code 9/);
    const third = await open(t, idle);
    assert.doesNotMatch(third.notices.join("\n"), /While pi was not running/);
    assert.equal(pi.messages.length + again.messages.length + third.messages.length, 0);
  });

  test("a task that ends while pi reloads is reported once, as news", async (t) => {
    const id = newId();
    t.after(() => void tmux("kill-session", "-t", `=${taskSessionName(project, id)}`));
    const first = await open(t, id);
    await start(id, "slow", waitingFor({ folder }, "slow", 6));
    await until("it is known", () => first.status === "tmux: 1 tasks");
    await first.emit("session_shutdown", { reason: "reload" });
    assert.equal(first.status, undefined, "the status line is cleared");
    waitingFor.go({ folder }, "slow");
    await until("it has ended", () => /^1 6$/m.test(windows(id, "#{pane_dead} #{pane_dead_status}")));
    const second = await open(t, id, "reload");
    await until("the exit is reported", () => second.messages.length > 0);
    assert.match(messagesOf(second), /\(slow\) exited with code 6/);
    await second.emit("session_shutdown", { reason: "reload" });
    const third = await open(t, id, "reload");
    await third.emit("session_start", { reason: "reload" });
    const waits = () => processesNaming(`wait-for\0pi-tasks-${taskSessionName(project, id)}`).length;
    await until("one shell waits: that of a start before has ended", () => waits() === 3);
    await third.run("");
    assert.match(third.notices.join("\n"), /slow: exited 6/);
    assert.deepEqual(
      [first, second, third].map(({ messages }) => messages.length),
      [0, 1, 0],
    );
  });

  test("without a user interface, all tasks are ended only with --yes; r refreshes the panel", async (t) => {
    const id = newId();
    t.after(() => void tmux("kill-session", "-t", `=${taskSessionName(project, id)}`));
    const pi = await open(t, id);
    await start(id, "old", "exit 0");
    await until("its exit is reported", () => pi.messages.length === 1);
    pi.mode = "tui";
    const closed = pi.run("");
    const panel = await until("the panel is open", () => pi.panel);
    assert.match(panel.render(80).join("\n"), /old +exited 0/);
    tmux("rename-window", "-t", `=${taskSessionName(project, id)}:=old`, "new");
    panel.handleInput?.("r");
    await until("the panel shows the new name", () => /new +exited 0/.test(panel.render(80).join("\n")));
    for (let at = 0; at < 14; at++) {
      const name = [
        "new-window",
        "-d",
        "-t",
        `=${taskSessionName(project, id)}:`,
        "-n",
        at === 3 ? "日本語".repeat(30) : `w${at}`,
      ];
      tmux(...name, "sleep", "1000");
    }
    panel.handleInput?.("r");
    await until("the panel says how many more there are", () => /↓ 5 more/.test(panel.render(80).join("\n")));
    for (let at = 0; at < 15; at++) panel.handleInput?.("tui.select.down");
    assert.match(panel.render(80).join("\n"), /↑ 5 more.*› /s);
    for (const width of [4, 20, 80]) {
      const lines = panel.render(width);
      assert.deepEqual(new Set(lines.map(widthOf)), new Set([width]), lines.join("\n"));
      assert.match(lines.join("\n"), /^╭─+╮\n(│ .* │\n)+╰─+╯$/s);
    }
    panel.handleInput?.("tui.select.cancel");
    await closed;
    for (let at = 0; at < 14; at++) tmux("kill-window", "-t", `=${taskSessionName(project, id)}:${at + 2}`);

    pi.hasUI = false;
    pi.mode = "print";
    await pi.run("kill-all");
    assert.match(windows(id, "#{window_name}"), /new/);
    const { message, options } = pi.messages.at(-1) ?? {};
    assert.match(message?.content ?? "", /kill-all --yes/);
    assert.equal(options?.triggerTurn, false);
    await pi.run("kill-all --yes");
    assert.equal(windows(id, "#{window_name}"), "");
  });

  test("a helper that starts the server is heard of, also with destroy-unattached, and leaves no variable there", async (t) => {
    const plain = { TMUX_TMPDIR: process.env.TMUX_TMPDIR, HOME: process.env.HOME };
    const home = join(folder, "home");
    mkdirSync(home);
    writeFileSync(join(home, ".tmux.conf"), "set -g destroy-unattached on\n");
    t.after(() => {
      tmux("kill-server");
      Object.assign(process.env, plain);
    });
    for (const round of [1, 2, 3]) {
      const own = join(home, `t${round}`);
      mkdirSync(own);
      Object.assign(process.env, { HOME: home, TMUX_TMPDIR: own });
      const id = newId();
      const pi = await open(t, id);
      await start(id, "short", "exit 3");
      await until("the exit is reported", () => /\(short\) exited with code 3/.test(messagesOf(pi)));
      assert.doesNotMatch(tmux("show-environment", "-g"), /PI_TMUX/);
      if (round < 3) tmux("kill-server");
    }
  });

  test("a conversation stays with the tmux server of its tasks, and so do the commands of its model", async (t) => {
    const before = process.env.TMUX_TMPDIR ?? "";
    const id = newId();
    const first = await open(t, id);
    await start(id, "server", "sleep 1000");
    await until("it is known", () => first.status === "tmux: 1 tasks");
    await first.emit("session_shutdown", { reason: "quit" });
    const other = join(folder, "other");
    mkdirSync(other);
    process.env.TMUX_TMPDIR = other;
    t.after(() => {
      tmux("kill-server");
      process.env.TMUX_TMPDIR = before;
      tmux("kill-session", "-t", `=${taskSessionName(project, id)}`);
    });
    tmux("new-session", "-d", "-s", "elsewhere", "sleep", "1000");
    const pi = await open(t, id);
    assert.equal(pi.status, "tmux: 1 tasks");
    assert.deepEqual([pi.messages, pi.notices], [[], []], "nothing has disappeared");
    const input = { command: "tmux list-sessions -F '#{session_name}'" };
    await pi.emit("tool_call", { toolName: "bash", toolCallId: "c", input });
    const listed = await execute("sh", ["-c", input.command]);
    assert.match(listed.stdout, new RegExp(`^${taskSessionName(project, id)}$`, "m"));
    assert.doesNotMatch(listed.stdout, /elsewhere/);
    await pi.emit("session_shutdown", { reason: "quit" });
    process.env.TMUX_TMPDIR = before;
    tmux("kill-session", "-t", `=${taskSessionName(project, id)}`);
    process.env.TMUX_TMPDIR = other;
    const later = await open(t, id);
    assert.match(later.notices.join("\n"), /\(server\) disappeared/, "its server is there, and the task is not");
  });

  test("in a terminal, what was missed stands above the editor until the first turn; a new title counts at once", async (t) => {
    const [id, watching] = [newId(), newId()];
    t.after(() => void tmux("kill-session", "-t", `=${taskSessionName(project, id)}`));
    const first = await open(t, id);
    await start(id, "slow", waitingFor({ folder }, "slow2", 6));
    await until("it is known", () => first.status === "tmux: 1 tasks");
    first.title = "the shop, renamed";
    await first.emit("session_info_changed", {});
    const beside = await open(t, watching);
    const socket = tmux("display-message", "-p", "-t", "=mine:", "#{socket_path}").trim();
    const attach = `tmux -S '${socket}' attach -t '=${taskSessionName(project, id)}'`;
    assert.ok(beside.notices.join("\n").includes('Tasks of "the shop, renamed" still run'), beside.notices.join("\n"));
    assert.ok(beside.notices.join("\n").includes(attach), beside.notices.join("\n"));
    await first.emit("session_shutdown", { reason: "quit" });
    waitingFor.go({ folder }, "slow2");
    await until("it has ended", () => /^1 6$/m.test(windows(id, "#{pane_dead} #{pane_dead_status}")));
    const second = new FakePi(project, id, tasks);
    second.mode = "tui";
    await second.emit("session_start", { reason: "startup" });
    t.after(() => second.emit("session_shutdown", { reason: "quit" }));
    assert.match(
      second.widget?.join("\n") ?? "",
      /While pi was not running:\ntmux task @\d+ \(slow\) exited with code 6/,
    );
    assert.deepEqual(second.notices, []);
    await second.emit("agent_start", {});
    assert.equal(second.widget, undefined);
    assert.match(second.notices.join("\n"), /\(slow\) exited with code 6/);
  });

  test("a question is seen because it was printed, not at the next tick", async (t) => {
    const id = newId();
    const session = taskSessionName(project, id);
    t.after(() => void tmux("kill-session", "-t", `=${session}`));
    const gate = join(folder, "asks");
    await start(id, "ask", `while [ ! -e ${gate} ]; do sleep 0.05; done; printf 'Go on? [y/N] '; read answer`);
    const looks = await watched(t, session);
    writeFileSync(gate, "");
    const asking = () => looks.filter(({ tasks: [one] }) => one?.prompt?.text.includes("Go on?"));
    // A third look comes between where more was printed.
    const stands = () => (asking().at(-1)?.at ?? 0) - (asking()[0]?.at ?? 0) >= questionStableMs;
    await until("a second look found it, once it stood", stands);
  });

  test("a question right behind another is looked at again as soon", async (t) => {
    const id = newId();
    const session = taskSessionName(project, id);
    t.after(() => void tmux("kill-session", "-t", `=${session}`));
    await start(id, "ask", "printf 'One? [y/N] '; read answer; printf 'Two? [y/N] '; read answer");
    const looks = await watched(t, session);
    const asking = (words: string) => looks.filter(({ tasks: [one] }) => one?.prompt?.text.includes(words));
    const stands = (words: string) => (asking(words).at(-1)?.at ?? 0) - (asking(words)[0]?.at ?? 0) >= questionStableMs;
    await until("a second look found the first", () => stands("One?"));
    tmux("send-keys", "-t", `=${session}:ask`, "y", "Enter");
    await until("a second look found the second", () => stands("Two?"));
  });

  test("news waits while the agent works, and is sent as one message", async (t) => {
    const id = newId();
    t.after(() => void tmux("kill-session", "-t", `=${taskSessionName(project, id)}`));
    const pi = await open(t, id);
    pi.idle = false;
    await start(id, "one", "exit 1");
    await start(id, "two", "exit 2");
    await until(
      "both ended",
      () =>
        windows(id, "#{pane_dead_status}")
          .split("\n")
          .filter((code) => code === "1" || code === "2").length === 2,
    );
    await pi.run("");
    await until(
      "both are known",
      () => /one: exited 1[\s\S]*two: exited 2/.test(pi.notices.at(-1) ?? "") || pi.run("").then(() => false),
    );
    assert.equal(pi.messages.length, 0);
    pi.idle = true;
    await pi.emit("agent_settled", {});
    assert.equal(pi.messages.length, 1);
    assert.match(messagesOf(pi), /\(one\) exited with code 1[\s\S]*\(two\) exited with code 2/);
  });
});

/** What a watcher sees that looks at nothing by itself: its ticks are further apart than the test is long. */
async function watched(t: { after(work: () => void): void }, session: string): Promise<Snapshot[]> {
  const looks: Snapshot[] = [];
  const watcher = new Watcher({
    server: new PlainServer(),
    session,
    onLook: (look) => looks.push(look),
    onError: () => {},
    isGone: () => false,
    lookMs: 1_000_000,
  });
  t.after(() => watcher.stop());
  await watcher.refresh();
  return looks;
}
