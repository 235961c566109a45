import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { startModelServer } from "./support/model-server.ts";
import { processesNaming } from "./support/processes.ts";
import { startLeader } from "./support/real-leader.ts";
import { extension } from "./support/team-home.ts";
import { until } from "./support/until.ts";

const post = (threadId: string, message: string) => ({ tool: "team_threads_post", args: { threadId, message } });

describe("a team of real pi", () => {
  test("two workers report, one asks, the leader is notified once and answers, both finish, nothing is left behind", async (t) => {
    const model = await startModelServer(
      { match: /^begin the plan/, tools: [{ tool: "write", args: { path: "a.txt", content: "x" } }] },
      { match: /Write blocked: active lease required/, tools: [start("ALPHA-WORK", "Alpha")] },
      { match: /"sessionName": "worker1",.*"threadId"/s, tools: [start("BETA-WORK\nin two lines", "Beta")] },
      { match: /"sessionName": "worker2",.*"threadId"/s, text: "LEADER-WAITS" },
      { match: /^ALPHA-WORK/, tools: [post("thread-0001", "ALPHA-DONE")] },
      { match: /"body": "ALPHA-DONE/, text: "ALPHA-END" },
      { match: /^BETA-WORK\nin two lines/, tools: [post("thread-0002", "BETA-QUESTION: red or blue?")] },
      { match: /"body": "BETA-QUESTION/, text: "BETA-WAITS" },
      { match: /^TEAM: worker2 in thread-0002: BETA-QUESTION/m, tools: [post("thread-0002", "BLUE")] },
      { match: /"body": "BLUE/, text: "LEADER-ANSWERED" },
      { match: /^TEAM: lead in thread-0002: BLUE/m, tools: [post("thread-0002", "BETA-DONE")] },
      { match: /"body": "BETA-DONE/, text: "BETA-END" },
      { match: /^TEAM: worker2 in thread-0002: BETA-DONE/m, text: "LEADER-KNOWS" },
      { match: /^look at the first/, tools: [captured("worker1", "thread-0001")] },
      { match: /"clamped": false/, tools: [post("thread-0001", "SEEN")] },
      { match: /"body": "SEEN/, text: "LEADER-LOOKED" },
      { match: /^TEAM: lead in thread-0001: SEEN/m, text: "ALPHA-KNOWS" },
      {
        match: /^finish/,
        tools: ["worker1", "worker2"].map((name) => ({ tool: "team_tmux_stop", args: { sessionName: name } })),
      },
    );
    const { daemon, home, tmux, leader, received, story, happens } = await startLeader(t, model);

    await leader.prompt("begin the plan");
    await happens("the first worker reports", /"body": "ALPHA-DONE/);
    await happens("the second asks", /"body": "BETA-QUESTION/);
    const workers = await until(
      () => "both workers are known",
      async () => {
        const { workers: known } = await daemon.client.team_workers({ team: "demo" });
        return known.length === 2 && known;
      },
    );
    assert.doesNotMatch(tmux("show-environment", "-g"), /PI_TEAMD|leak-me/);
    for (const { terminal } of workers) {
      const { terminals } = await daemon.client.ps({});
      const pid = terminals.find(({ id }) => id === terminal)?.pid ?? 0;
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      assert.ok(environment.includes("PI_TEAM_ID=demo"));
      assert.ok(!environment.some((one) => /PI_TEAMD|leak-me/.test(one)));
    }
    await happens("the leader answers", /"body": "BLUE/);
    await happens("the second worker has the answer and reports", /"body": "BETA-DONE/);
    await happens("the leader is notified", /^TEAM: worker2 in thread-0002: BETA-DONE/m);
    assert.equal(received(/^TEAM: worker2 in thread-0002: BETA-QUESTION/m).length, 1, story());
    assert.equal(received(/^TEAM: worker1 in thread-0001: ALPHA-DONE/m).length, 1, story());

    await daemon.kill("SIGKILL");
    await daemon.client.ping({}).then(
      () => assert.fail("the daemon is gone"),
      () => {},
    );
    await daemon.start();
    await daemon.client.thread_post({ id: "thread-0001", text: "AFTER-RESTART" });
    await happens("the leader gets a message posted after a restart", /^TEAM: user in thread-0001: AFTER-RESTART/m);

    const { messages } = await daemon.client.thread_read({ id: "thread-0002" });
    assert.deepEqual(
      messages.filter(({ from }) => from !== "paneward").map(({ from, body }) => [from, body.split("\n")[0]]),
      [
        ["lead", "Worker worker2 was started."],
        ["worker2", "BETA-QUESTION: red or blue?"],
        ["lead", "BLUE"],
        ["worker2", "BETA-DONE"],
      ],
    );
    const teamFolder = join(daemon.folder, ".pi/teams/demo");
    assert.deepEqual(readdirSync(teamFolder), ["runtime.json"], "only the daemon writes there");
    assert.equal(JSON.parse(readFileSync(join(teamFolder, "runtime.json"), "utf8")).pid, daemon.pid);
    await leader.prompt("look at the first");
    await happens("the worker gets what was posted after its screen", /^TEAM: lead in thread-0001: SEEN/m);
    const { messages: first } = await daemon.client.thread_read({ id: "thread-0001" });
    assert.ok(first.some(({ body }) => body.startsWith("Screen of worker1:\n")));
    assert.equal(received(/^TEAM: .*Screen of worker1/m).length, 0, story());
    await leader.prompt("finish");
    await until(
      () => `both workers have ended:\n${story()}`,
      async () => (await daemon.client.team_workers({ team: "demo" })).workers.every(({ state }) => state === "ended"),
    );
    const all = story();
    for (const once of ["ALPHA-DONE", "BETA-QUESTION: red", "BETA-DONE"]) {
      assert.equal(all.split(`: ${once}`).length, 2, `${once} appears once:\n${all}`);
    }
    await leader.end();
    await until(
      () => "no pi of ours runs",
      () => processesNaming(extension(home)).length === 0,
    );
  });
});

function captured(sessionName: string, threadId: string) {
  return { tool: "team_tmux_capture", args: { sessionName, threadId } };
}

function start(taskPrompt: string, title: string) {
  return { tool: "team_tmux_start", args: { taskPrompt, title } };
}
