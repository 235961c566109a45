import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

test("an agent in the user's own tmux appears by its first hook, is read and answered, and nothing else is touched", async (t) => {
  const { client, folder } = await startDaemon(t);
  const socket = join(await temporaryFolder(t), "own.sock");
  const tmux = (...args: readonly string[]) => {
    const { stdout, stderr, status } = spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };
  const hook = join(folder, "hook.json");
  writeFileSync(
    hook,
    JSON.stringify({ hook_event_name: "SessionStart", session_id: "mine", source: "startup", cwd: folder }),
  );
  const program = join(folder, "agent.sh");
  const fire = `sh ${join(folder, "state", "hooks", "hook.sh")} tell mine <${hook}`;
  writeFileSync(program, `#!/bin/sh\n${fire}\nprintf 'Go on? [y/N] '\nread answer\necho "got $answer"\nexec cat\n`);
  chmodSync(program, 0o755);
  tmux("new-session", "-d", "-s", "mine", "-x", "80", "-y", "20", program);
  afterwards(t, () => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  tmux("new-session", "-d", "-s", "other", "cat");
  const before = () => [
    tmux("show-options", "-g"),
    tmux("show-hooks", "-g"),
    tmux("list-panes", "-a", "-F", "#{session_name} #{pane_id} #{pane_pid} #{pane_pipe} #{pane_dead}"),
    tmux("list-clients"),
  ];
  const untouched = before();
  const agent = await until("the agent appears", async () =>
    (await client.agents({})).agents.find((one) => one.adopted),
  );
  assert.equal(agent.session_id, "mine");
  const id = agent.terminal ?? "";
  const { results } = await client.wait({ ids: [id], for: [{ kind: "needs_input" }], timeout: 30 });
  const [waited] = results;
  assert.ok(waited?.kind === "needs_input");
  assert.match(waited.question?.text ?? "", /Go on\?/);
  assert.match((await client.read({ id })).output, /Go on\? \[y\/N\]/);
  await client.send({ id, text: "y" });
  await until("the answer arrives", async () => (await client.read({ id })).output.includes("got y"));
  await until("the question is closed", async () => (await client.questions({})).questions.length === 0);
  const { cursor } = await client.read({ id });
  assert.equal((await client.read({ id, since: cursor })).output, "");
  const news = client.read({ id, since: cursor, wait: 30 });
  await client.send({ id, text: "and on" });
  assert.match((await news).output, /and on/);
  await assert.rejects(client.stop({ id }), { code: "wrong_state" });
  assert.equal((await client.adopt({ pane: agent.tmux_pane_id ?? "", socket })).id, agent.id);
  assert.deepEqual(before(), untouched);
  tmux("kill-session", "-t", "=mine");
  await until("its end is seen", async () => (await client.agent({ id: agent.id })).endedAt !== undefined);
  await assert.rejects(client.read({ id }), { code: "wrong_state" });
  await client.rm({ id });
  assert.match(tmux("list-sessions"), /^other:/);
});

test("a hook that names only its pane adopts it on the user's default server, and once the pane is gone an answer is 503", async (t) => {
  const tmp = await temporaryFolder(t);
  const daemon = await startDaemon(t, "", { TMUX_TMPDIR: tmp });
  const tmux = (...args: readonly string[]) =>
    spawnSync("tmux", ["-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, TMUX_TMPDIR: tmp, LANG: "C.UTF-8" },
    }).stdout.trim();
  afterwards(t, () => void tmux("kill-server"));
  tmux("new-session", "-d", "-s", "one", "cat");
  const pane = tmux("new-window", "-t", "one", "-P", "-F", "#{pane_id}", "printf 'Go on? [y/N] '; read answer; cat");
  const ask = async (path: string, payload: object) => {
    const { token } = await daemon.client.token_create({ scope: "approve", name: "seed" });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify(payload);
    const answer = await fetch(`http://127.0.0.1:${daemon.port}${path}`, { method: "POST", headers, body });
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
  };
  const seed = { session_id: "seed", working_directory: "/some/project", tmux_pane: pane, agent: "mine" };
  const began = await ask("/hook/session-start", seed);
  assert.deepEqual([began.status, began.body.status, began.body.is_new_agent], [200, "ok", true]);
  const id = String(began.body.agent_id);
  const agent = await daemon.client.agent({ id });
  assert.deepEqual([agent.tmux_pane_id, agent.adopted], [pane, true]);
  const gone = await ask("/hook/session-start", { ...seed, session_id: "other", tmux_pane: "%99" });
  assert.deepEqual([gone.status, gone.body.status], [404, "dropped"]);
  const terminal = agent.terminal ?? "";
  await daemon.client.wait({ ids: [terminal], for: [{ kind: "needs_input" }], timeout: 30 });
  tmux("kill-window", "-t", pane);
  const types: unknown[] = [];
  await until("its end is seen", async () => {
    const { status, body } = await ask(`/api/respond/${id}`, { text: "y" });
    types.push(`${status} ${body.error_type}`);
    return (await daemon.client.agent({ id })).endedAt !== undefined;
  });
  const { status, body } = await ask(`/api/respond/${id}`, { text: "y" });
  types.push(`${status} ${body.error_type}`);
  assert.deepEqual([...new Set(types)], ["503 pane_not_found"]);
});
