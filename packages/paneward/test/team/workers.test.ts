import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { killTmux, startDaemon, type TestDaemon } from "../support/daemon.ts";
import { afterwards, type Cleanup } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { v1 } from "./support/v1.ts";

/** A team with a tmux server of its own, in which sessions run scripts instead of pi. */
async function team(t: Cleanup, config = "") {
  const daemon = await startDaemon(t, config);
  const socket = join(daemon.folder, ".pi/agent/tmux/demo/tmux.sock");
  const tmux = (...args: readonly string[]) =>
    spawnSync("tmux", ["-f", "/dev/null", "-S", socket, ...args], { env: daemon.env, encoding: "utf8" }).stdout;
  afterwards(t, async () => {
    await daemon.kill("SIGTERM");
    killTmux(socket);
  });
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  await daemon.client.team_open({ team: "demo", agent: "lead", root: daemon.folder });
  const ask = v1(daemon, "unix");
  const start = async (session: string, script: string, shows = "", argv: readonly string[] = ["sh"]) => {
    tmux(
      "set-option",
      "-g",
      "remain-on-exit",
      "on",
      ";",
      "new-session",
      "-d",
      "-s",
      session,
      "env",
      "sh",
      "-c",
      script,
    );
    // The first session starts the server, which had no options before.
    tmux("set-option", "-g", "remain-on-exit", "on");
    await until("the worker shows its text", () => tmux("capture-pane", "-p", "-t", `=${session}:`).includes(shows));
    const thread = await daemon.client.thread_start({
      team: "demo",
      title: session,
      as: "lead",
      participants: [session],
    });
    const about = {
      teamId: "demo",
      agentId: "lead",
      session,
      workerId: session,
      threadId: thread.id,
      cwd: "/",
      argv,
    };
    const { status, body, json } = await ask("POST", "/v1/workers", about);
    assert.equal(status, 201, JSON.stringify(json));
    return {
      thread: thread.id,
      terminal: body.worker.terminal,
      again: () => ask("POST", "/v1/workers", about),
    };
  };
  return { daemon, tmux, ask, start };
}

async function reports(daemon: TestDaemon, thread: string): Promise<readonly string[]> {
  const { messages } = await daemon.client.thread_read({ id: thread });
  return messages.filter(({ from }) => from === "paneward").map(({ body }) => body);
}

const news = async (ask: ReturnType<typeof v1>) =>
  (await ask("GET", "/v1/inbox?teamId=demo&agentId=lead&since=0")).body.events.filter(
    ({ type }) => type === "worker_news",
  );

describe("workers", () => {
  test("a worker's end is reported once, also when the daemon was away meanwhile", async (t) => {
    const { daemon, tmux, ask, start } = await team(t);
    const gate = join(daemon.folder, "gate");
    const one = await start("worker1", `while [ ! -e ${gate} ]; do sleep 0.05; done; echo bye; exit 3`);
    assert.equal((await one.again()).body.worker.terminal, one.terminal);
    const { terminals } = await daemon.client.ps({});
    assert.equal(terminals.find(({ id }) => id === one.terminal)?.host, "team:demo");
    await daemon.kill("SIGKILL");
    spawnSync("touch", [gate]);
    await until(
      "the worker has ended",
      () => tmux("display-message", "-p", "-t", "=worker1:", "#{pane_dead}").trim() === "1",
    );
    await daemon.start();
    await until("the end was reported", async () => (await reports(daemon, one.thread)).length > 0);
    await daemon.kill("SIGTERM");
    await daemon.start();
    const two = await start("worker2", "exit 0");
    await until("the second end was reported", async () => (await reports(daemon, two.thread)).length > 0);
    assert.deepEqual(await reports(daemon, one.thread), ["worker1 ended with exit code 3"]);
    assert.deepEqual(await reports(daemon, two.thread), ["worker2 ended with exit code 0"]);
    const events = await news(ask);
    assert.deepEqual(
      events.map(({ summary, threadId }) => [summary, threadId]),
      [
        ["worker1 ended with exit code 3", one.thread],
        ["worker2 ended with exit code 0", two.thread],
      ],
    );
    const { workers } = await daemon.client.team_workers({ team: "demo" });
    assert.deepEqual(
      workers.map(({ session, state }) => [session, state]),
      [
        ["worker1", "ended"],
        ["worker2", "ended"],
      ],
    );
  });

  test("a question is reported once, answered by the courier, and the silence after it is reported; so is every other silence", async (t) => {
    const { daemon, ask, start } = await team(t, "[team]\nsilence_seconds = 4");
    const rule = "─".repeat(60);
    const screens = [`printf '%s\\n\\n%s\\n' ${rule} ${rule}`, "echo what nobody understands", "true"];
    // From long before the journal is opened until after that.
    const silent = screens.flatMap((draw, kind) =>
      [0, 0.2, 0.5].map((seconds, at) => ({ draw, seconds, name: `mute${kind}${at}` })),
    );
    for (const { draw, seconds, name } of silent)
      await start(name, `sleep ${seconds}; ${draw}; exec sleep 1000`, "", ["pi"]);
    const said = join(daemon.folder, "said");
    const script = `printf 'Overwrite the file? [y/N] '; read answer; echo "$answer" > ${said}; echo working; sleep 1000`;
    const { thread } = await start("worker1", script, "Overwrite");
    const waiting = await ask("GET", "/v1/workers/worker1?teamId=demo&agentId=lead&wait=60");
    assert.equal(waiting.body.worker.state, "asking");
    assert.match((await reports(daemon, thread)).join("\n"), /^worker1 asks: .*Overwrite the file\?/);
    const sent = await ask(
      "POST",
      "/v1/workers/worker1/send",
      { teamId: "demo", agentId: "lead", text: "y" },
      { key: "answer" },
    );
    assert.equal(sent.status, 200, JSON.stringify(sent.json));
    await until("the answer arrived", () => existsSync(said));
    await until("the silence was reported", async () => (await reports(daemon, thread)).length > 1);
    const [first, second] = await reports(daemon, thread);
    assert.match(first ?? "", /asks/);
    assert.match(second ?? "", /has fallen silent/);
    const stopped = await ask("POST", "/v1/workers/worker1/stop", { teamId: "demo", agentId: "lead" });
    assert.equal(stopped.body.stopped, true);
    await until("the stop was reported", async () => (await reports(daemon, thread)).length > 2);
    assert.match((await reports(daemon, thread)).at(-1) ?? "", /was stopped by demo\/lead/);
    const told = (session: string) => news(ask).then((all) => all.filter(({ actor }) => actor === session));
    for (const { name } of silent) {
      await until(`the silence of ${name} was reported`, async () => (await told(name)).length > 0);
      assert.deepEqual(
        (await told(name)).map(({ summary }) => summary?.split(":")[0]),
        [`${name} has fallen silent`],
      );
    }
    assert.equal((await told("worker1")).length, 3);
  });
});
