import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../../paneward/test/support/daemon.ts";
import { v1 } from "../../paneward/test/team/support/v1.ts";
import { startModelServer } from "./support/model-server.ts";
import { processesNaming } from "./support/processes.ts";
import { extension, teamHome } from "./support/team-home.ts";
import { TmuxPi } from "./support/tmux-pi.ts";
import { until } from "./support/until.ts";

test("a leader answers a question on a worker's screen; killed with its terminal and restarted, it misses and repeats nothing", async (t) => {
  const gate = Promise.withResolvers<void>();
  const model = await startModelServer(
    { match: /^hello/, text: "HELLO-LEADER" },
    {
      match: /^TEAM: worker1 asks: .*Overwrite the file\?/m,
      tools: [{ tool: "team_tmux_send", args: { sessionName: "worker1", text: "y" } }],
    },
    { match: /"delivery"/, text: "ANSWERED" },
    { match: /: FIRST/, text: "KNOWS-FIRST" },
    { match: /^think/, after: gate.promise, text: "TOO-LATE" },
    { match: /: WHILE-BUSY/, text: "KNOWS-THE-REST" },
  );
  const cleanups: (() => unknown)[] = [];
  const daemon = await startDaemon({ after: (work) => void cleanups.push(work) });
  const home = teamHome(daemon, model.port);
  const socket = join(daemon.folder, ".pi/agent/tmux/demo/tmux.sock");
  const tmux = (...args: readonly string[]) =>
    spawnSync("tmux", ["-f", "/dev/null", "-S", socket, ...args], { env: daemon.env, encoding: "utf8" }).stdout;
  t.after(async () => {
    gate.resolve();
    home.remove();
    await daemon.kill("SIGTERM");
    tmux("kill-server");
    for (const work of cleanups) await work();
    await model.close();
  });
  const lasts = () => model.requests.map(({ messages }) => messages.at(-1)?.text ?? "");
  const received = (text: RegExp) => lasts().filter((last) => text.test(last));
  const happens = (name: string, text: RegExp) =>
    until(
      () => `${name}:\n${lasts().join("\n--\n")}`,
      () => received(text).length > 0,
    );

  const first = new TmuxPi(home, "first", "-e", extension(home));
  await first.sees(/scripted/);
  await first.submit("hello");
  await first.sees(/HELLO-LEADER/);

  const answerFile = join(daemon.folder, "said");
  const script = `printf 'Overwrite the file? (y/n) '; read answer; echo "$answer" > ${answerFile}; sleep 1000`;
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  tmux("new-session", "-d", "-s", "worker1", "env", "sh", "-c", script);
  const { id } = await daemon.client.thread_start({ team: "demo", as: "lead", participants: ["worker1"] });
  const worker = { session: "worker1", workerId: "worker1", threadId: id, cwd: "/", argv: ["sh"] };
  const registered = await v1(daemon, "unix")("POST", "/v1/workers", { teamId: "demo", agentId: "lead", ...worker });
  assert.equal(registered.status, 201, JSON.stringify(registered.json));
  await happens("the leader gets the question", /^TEAM: worker1 asks: /m);
  await until(
    "the answer is in the worker's terminal",
    () => existsSync(answerFile) && readFileSync(answerFile, "utf8") === "y\n",
  );
  await first.sees(/ANSWERED/);

  const post = (text: string) => daemon.client.thread_post({ id, text, as: "worker1" });
  await post("FIRST");
  await first.sees(/KNOWS-FIRST/);
  await first.submit("think");
  await happens("the leader is busy", /^think/);
  await post("WHILE-BUSY");
  const pid = first.pid();
  first.killTerminal();
  await until("pi is gone", () => !existsSync(`/proc/${pid}`));
  await post("WHILE-AWAY");
  assert.equal(received(/WHILE-/).length, 0, "a busy leader gets no message");

  const second = new TmuxPi(home, "second", "-e", extension(home), "-c");
  await second.sees(/KNOWS-THE-REST/);
  await post("AFTERWARDS");
  await happens("the leader gets the new message", /: AFTERWARDS/);
  const all = received(/^TEAM: /m).join("\n");
  for (const once of ["asks: ", "FIRST", "WHILE-BUSY", "WHILE-AWAY", "AFTERWARDS"]) {
    assert.equal(all.split(once).length, 2, `${once} appears once:\n${all}`);
  }
  second.killTerminal();
  await until("no pi of ours runs", () => processesNaming(extension(home)).length === 0);
});
