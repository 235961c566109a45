import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type ModelServer, startModelServer } from "./support/model-server.ts";
import { installInto, packInto } from "./support/packed.ts";
import { makePiHome, type PiHome, piProgram, repository } from "./support/pi-home.ts";
import { processesNaming } from "./support/processes.ts";
import { RpcPi } from "./support/rpc-pi.ts";
import { taskScript, waitingFor } from "./support/task-script.ts";
import { TmuxPi } from "./support/tmux-pi.ts";
import { until } from "./support/until.ts";

describe("real pi with the packed package", () => {
  let model: ModelServer;
  let home: PiHome;
  let installed: string;

  before(async () => {
    model = await startModelServer();
    home = makePiHome(model.port);
    installed = installInto(home, packInto(home.folder));
  });
  after(async () => {
    home.remove();
    await model.close();
  });

  const notified = (pattern: RegExp) =>
    model.requests.filter(({ messages }) => {
      const { text = "" } = messages.at(-1) ?? {};
      return text.startsWith("[tmux-task notification]") && pattern.test(text);
    });
  const helper = (name: string, command: string) => taskScript(installed, name, command);
  const bash = (command: string) => ({ tools: [{ tool: "bash", args: { command } }] });

  test("a task started by bash exits 3 and pi takes a turn; a question is announced once", async (t) => {
    const pi = new RpcPi(home);
    t.after(() => pi.end("SIGKILL"));
    for (const entry of ["tasks", "team"]) assert.ok(existsSync(join(installed, "dist", `${entry}.js`)), entry);
    const { data } = await pi.ask("get_commands");
    const commands = (data as { commands: { name: string }[] }).commands.map(({ name }) => name);
    assert.ok(commands.includes("tmux-tasks") && commands.includes("skill:tmux-task-manager"), commands.join());

    model.plan({
      match: /build it/,
      ...bash(`echo "$PI_TMUX_SESSION"; ${helper("build", "echo compiling; exit 3")}`),
    });
    await pi.prompt("build it");
    await until(
      "the exit is reported",
      () => notified(/\(build\) exited with code 3\n {2}recent output:\n {2}compiling/).length === 1,
    );
    const { sessionId } = (await pi.ask("get_state")).data as { sessionId: string };
    const session = nameOutside(installed, home, sessionId);
    const result = model.requests[1]?.messages.at(-1)?.text ?? "";
    assert.equal(result.split("\n")[0], session, "the command and the extension compute the same name");
    assert.match(result, new RegExp(`^session=${session}\nwindow_id=@\\d+\ntask=build\ncwd=${home.project}$`, "m"));
    assert.ok(!JSON.stringify(model.requests).includes("export PI_TMUX_SESSION"), "the model does not see the line");
    const custom = await pi.until("the message is in the conversation", isTaskMessage);
    const { details } = (custom as unknown as { message: { details: Record<string, unknown> } }).message;
    assert.deepEqual([details.source, details.notUserInput, details.level], ["extension", true, "warning"]);

    const question = `printf 'Overwrite? (y/n) '; read answer; echo "got $answer"; ${waitingFor(home, "done")}`;
    model.plan({ match: /ask me/, ...bash(helper("ask", question)) });
    await pi.prompt("ask me");
    await until(
      "the question is reported",
      () => notified(/\(ask\) is waiting for input: Overwrite\? \(y\/n\)/).length === 1,
    );
    assert.ok(pi.shown("setStatus").includes("tmux: 1 tasks"), pi.shown("setStatus").join());
    home.tmux("send-keys", "-t", `=${session}:=ask`, "y", "Enter");
    await until("it is answered", () => home.tmux("capture-pane", "-p", "-t", `=${session}:=ask`).includes("got y"));
    waitingFor.go(home, "done");
    await until("its exit is reported", () => notified(/\(ask\) exited with code 0/).length === 1);
    assert.equal(notified(/waiting for input/).length, 1);
    assert.equal(notified(/\(build\)/).length, 1);

    await pi.prompt("/tmux-tasks");
    await until("the list is shown", () => pi.shown("notify").some((text) => /ask: exited 0/.test(text)));
    const requests = model.requests.length;
    await pi.prompt("/tmux-tasks kill-all --yes");
    await until("all are ended", () => pi.shown("notify").some((text) => /ended 2 tasks/.test(text)));
    await pi.end();
    assert.equal(model.requests.length, requests, "user commands start no turn");
    await until("nothing of ours is left", () => processesNaming(`pi-tasks-${session}`).length === 0);
  });

  test("installed from a folder of a clone, it is built when pi starts, and loads", async (t) => {
    const own = makePiHome(model.port);
    t.after(own.remove);
    rmSync(join(repository, "packages/pi/dist/tasks.js"), { force: true });
    execFileSync(piProgram, ["install", join(repository, "packages/pi")], { env: own.env, cwd: own.project });
    const pi = new RpcPi(own);
    t.after(() => pi.end("SIGKILL"));
    const { data } = await pi.ask("get_commands");
    const commands = (data as { commands: { name: string }[] }).commands.map(({ name }) => name);
    for (const name of ["tmux-tasks", "skill:tmux-task-manager", "skill:team-leader"])
      assert.ok(commands.includes(name));
    assert.ok(existsSync(join(repository, "packages/pi/dist/tasks.js")));
  });

  test("pi is killed with its terminal, restarted, aborted and reloaded: nothing is lost or repeated", async () => {
    const first = new TmuxPi(home, "first");
    await first.sees(/scripted/);
    const [long, asks] = [helper("long", waitingFor(home, "a", 7)), helper("asks", "printf 'Go on? [y/N] '; read x")];
    model.plan({ match: /two tasks/, ...bash(`${long}\n${asks}`) });
    await first.submit("start two tasks");
    await until("the question is reported", () => notified(/\(asks\) is waiting/).length === 1);
    await first.sees(/tmux: 2 tasks/);
    const pid = first.pid();
    const session = sessionOf(home);
    first.killTerminal();
    await until(
      "pi and its helpers are gone",
      () => !existsSync(`/proc/${pid}`) && processesNaming(`pi-tasks-${session}`).length === 0,
    );
    const requests = model.requests.length;
    waitingFor.go(home, "a");
    await until("the task has ended", () =>
      /^long 1/m.test(home.tmux("list-panes", "-s", "-t", `=${session}`, "-F", "#{window_name} #{pane_dead}")),
    );

    const second = new TmuxPi(home, "second", "-c");
    await second.sees(/While pi was not running:\s+tmux task @\d+ \(long\) exited with code 7/);
    await second.sees(/tmux: 1 tasks/);
    assert.equal(model.requests.length, requests, "missed events are a notice, not a turn");

    // Escape while news is pending: it is written into the conversation, and sent with the user's next message.
    const gate = Promise.withResolvers<void>();
    model.plan(
      { match: /while busy/, ...bash("pi-tmux-task-run quick -- 'exit 5'") },
      { match: /session=/, after: gate.promise, text: "LATE" },
    );
    await second.submit("while busy");
    await until("the task is started and the model thinks", () => model.requests.length === requests + 2);
    const memory = join(home.agentFolder, "paneward", "tasks", `${session}.json`);
    await until("the end is known", () => JSON.parse(readFileSync(memory, "utf8")).pending.length > 0);
    second.key("Escape");
    await second.sees(/\(quick\) exited with code 5/);
    gate.resolve();
    assert.equal(notified(/\(quick\)/).length, 0, "Escape is not answered with a turn");
    model.plan({ match: /what now/, text: "I SEE" });
    await second.submit("what now");
    await second.sees(/I SEE/);
    const { messages = [] } = model.requests.at(-1) ?? {};
    assert.equal(messages.filter(({ text }) => /\(quick\) exited with code 5/.test(text)).length, 1);

    await second.submit("/tmux-tasks");
    await second.sees(/tmux tasks · pi-my-project-/);
    for (const key of ["Down", "Down", "Enter"]) second.key(key);
    await second.sees(/quick: exited 5[\s\S]*command: exit 5[\s\S]*cwd: /);
    second.key("k");
    await second.sees(/end quick\? y\/n/);
    second.key("y");
    await until(
      "the window is gone",
      () => !home.tmux("list-windows", "-t", `=${session}`, "-F", "#{window_name}").includes("quick"),
    );
    second.key("Escape");
    await until("the panel is closed", () => !second.screen().includes("tmux tasks ·"));

    await second.submit("/reload");
    await second.sees(/[Rr]eloaded/);
    home.tmux("kill-window", "-t", `=${session}:=asks`);
    await until("the loss is reported", () => notified(/\(asks\) disappeared from session/).length === 1);
    assert.equal(notified(/waiting for input: Go on/).length, 1, "a question is reported once across restarts");
    assert.equal(notified(/\(long\)/).length, 0);
    second.killTerminal();
    await until("nothing of ours is left", () => processesNaming(`pi-tasks-${session}`).length === 0);
  });
});

function isTaskMessage(record: { readonly type: string }): boolean {
  const { message } = record as { message?: { customType?: string } };
  return record.type === "message_end" && message?.customType === "tmux-task-event";
}

function nameOutside(installed: string, home: PiHome, id: string): string {
  const { bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const program = join(installed, bin["pi-tmux-session-name"]);
  return execFileSync(program, [id], { env: home.env, cwd: home.project, encoding: "utf8" }).trim();
}

function sessionOf(home: PiHome): string {
  return home.tmux("list-sessions", "-F", "#{session_name}").trim();
}
