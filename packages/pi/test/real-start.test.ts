import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startModelServer } from "./support/model-server.ts";
import { startLeader } from "./support/real-leader.ts";
import { until } from "./support/until.ts";

test("a worker behind pi's trust dialog gets its prompt once its leader has chosen; one that was started without a daemon is known to the next", async (t) => {
  const start = (args: object) => ({ tools: [{ tool: "team_tmux_start", args }] });
  const model = await startModelServer();
  let untrusted = "";
  const { daemon, tmux, leader, received, story, happens } = await startLeader(t, model, (home) => {
    const settings = join(home.agentFolder, "settings.json");
    writeFileSync(
      settings,
      JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), defaultProjectTrust: "ask" }),
    );
    untrusted = join(home.folder, "untrusted");
    mkdirSync(join(untrusted, ".pi"), { recursive: true });
    writeFileSync(join(untrusted, ".pi", "settings.json"), "{}");
  });

  model.plan(
    { match: /^begin/, ...start({ taskPrompt: "into nowhere", threadId: "thread-0099" }) },
    { match: /THREAD_NOT_FOUND/, ...start({ taskPrompt: "ALPHA-WORK\nin two lines", cwd: untrusted }) },
    { match: /"asks": "Trust/, tools: [{ tool: "team_tmux_send", args: { sessionName: "worker1", text: "3" } }] },
    { match: /WORKER_ASKS/, tools: [{ tool: "team_tmux_answer", args: { sessionName: "worker1", option: 3 } }] },
    { match: /"delivery_id"/, text: "LEADER-CHOSE" },
    { match: /^ALPHA-WORK\nin two lines/, text: "ALPHA-END" },
    { match: /^TEAM: worker1 asks/m, text: "LEADER-WAS-TOLD" },
  );
  await leader.prompt("begin");
  await happens("the start into an unknown thread fails", /THREAD_NOT_FOUND/);
  await happens("the worker has its prompt, also its second line", /^ALPHA-WORK\nin two lines\n\nYou are worker1\./);
  assert.equal(tmux("list-sessions", "-F", "#{session_name}").match(/worker\d/g)?.length, 1, "one session was started");
  const [asked] = received(/"asks": "Trust/);
  assert.match(
    asked?.messages.at(-1)?.text ?? "",
    /"delivered": "(held|queued)".*"option": 3,\s+"label": "Trust \(this session only\)"/s,
  );
  const screen = () => tmux("capture-pane", "-p", "-t", "=worker1:");
  await until(
    () => `pi draws the prompt that its model has:\n${screen()}`,
    () => /ALPHA-END|ALPHA-WORK/.test(screen()),
  );
  assert.equal(
    received(/^3$|^TEAM: lead in/m).length,
    0,
    `neither the held answer nor the announcement is a turn:\n${story()}`,
  );

  await daemon.kill("SIGTERM");
  model.plan(
    { match: /^alone/, ...start({ taskPrompt: "BETA-WORK" }) },
    { match: /"sessionName": "worker2"/, text: "LEADER-ALONE" },
    { match: /^BETA-WORK$/, text: "BETA-END" },
    { match: /^TEAM: lead in thread-\d+: worker2 was started while no daemon ran/m, text: "BETA-KNOWS" },
  );
  await leader.prompt("alone");
  await happens("the worker works without a daemon", /^BETA-WORK$/);
  await daemon.start();
  await until(
    () => `the worker is known:\n${story()}`,
    async () => {
      const { workers } = await daemon.client.team_workers({ team: "demo" });
      return workers.some(({ session, leader: by, threadId }) => session === "worker2" && by === "lead" && threadId);
    },
  );
  await happens(
    "the worker knows where to report",
    /^TEAM: lead in thread-\d+: worker2 was started while no daemon ran/m,
  );
});
