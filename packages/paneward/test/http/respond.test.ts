import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import type { AgentRecord } from "../../src/model/records.ts";
import { openStore } from "../../src/store/store.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { direct } from "../support/direct.ts";
import { type AgentKind, scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

test("POST /api/respond/{agent_id} answers in the shapes of the older dashboard", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  await daemon.kill("SIGTERM");
  rememberAgents(folder, { id: "a901", tmux_pane_id: null }, { id: "a902", tmux_pane_id: "%99" });
  await daemon.start();

  const asking = async (kind: AgentKind, name: string, prompt: string) => {
    const agent = scriptedAgent(folder, kind, { name });
    const { id } = await client.run({ argv: [...agent.argv], cwd: folder, columns: 100, rows: 30 });
    await agent.noted("ready");
    await client.send({ id, text: prompt });
    await until(`${name} asks`, async () => (await client.questions({})).questions.find((one) => one.terminal === id));
    return { ...agent, id, agentId: (await client.agent({ id })).id };
  };
  const permission = await asking("claude", "permission", "RUN: touch never");
  const choice = await asking("claude", "choice", "ASK");
  const many = await asking("claude", "many", "ASKMANY");
  const plan = await asking("claude", "plan", "PLAN");
  const dead = await asking("claude", "dead", "RUN: true");
  await client.stop({ id: dead.id });
  await until(
    "it ended",
    async () => (await client.ps({ all: "true" })).terminals.find(({ id }) => id === dead.id)?.end,
  );
  const closed = await asking("claude", "closed", "RUN: true");
  tmux(daemon, "kill-pane", "-t", (await client.agent({ id: closed.id })).tmux_pane_id ?? "");
  await until(
    "its pane is gone",
    async () => (await client.ps({ all: "true" })).terminals.find(({ id }) => id === closed.id)?.end,
  );
  const plain = await client.run({ argv: ["cat"] });
  // It takes no notice of any key, and shows none.
  const deaf = await client.run({ argv: ["sh", "-c", "stty -echo; printf 'Go on? [y/N] '; exec sleep 1000"] });
  const unheard = until("it asks", async () =>
    (await client.questions({})).questions.find((one) => one.terminal === deaf.id),
  ).then(() => post(daemon, deaf.id, { text: "y" }));

  const planned = (await client.questions({})).questions.find(({ terminal }) => terminal === plan.id);
  const refused: readonly (readonly [string, string, object, number, string])[] = [
    ["a mode that does not exist", permission.agentId, { mode: "shout", text: "x" }, 400, "invalid_mode"],
    ["no text", permission.agentId, { mode: "text" }, 400, "missing_text"],
    ["nothing at all", permission.agentId, {}, 400, "missing_text"],
    ["other without words", choice.agentId, { mode: "other" }, 400, "missing_text"],
    [
      "an option that is not there",
      permission.agentId,
      { mode: "select", option_index: 9 },
      400,
      "invalid_option_index",
    ],
    [
      "an option before the first",
      permission.agentId,
      { mode: "select", option_index: -1 },
      400,
      "invalid_option_index",
    ],
    ["no option", permission.agentId, { mode: "select" }, 400, "invalid_option_index"],
    ["what nobody has read", plan.agentId, { mode: "select", option_index: 1 }, 409, "not_whole"],
    [
      "a screen that has changed since it was read",
      plan.agentId,
      { mode: "select", option_index: 1, question: planned?.id, seen_screen: "0" },
      409,
      "screen_changed",
    ],
    ["no answers", many.agentId, { mode: "multi_select" }, 400, "invalid_answers"],
    ["answers of no shape", many.agentId, { mode: "multi_select", answers: "all" }, 400, "invalid_answers"],
    ["an answer too many", many.agentId, { mode: "multi_select", answers: [{}, {}] }, 400, "invalid_answers"],
    ["an unknown agent", "a999", { text: "x" }, 404, "agent_not_found"],
    ["an agent without a pane", "a901", { text: "x" }, 400, "no_pane_id"],
    ["an agent whose pane is gone", "a902", { text: "x" }, 503, "pane_not_found"],
    ["an agent whose pane was closed", closed.agentId, { text: "x" }, 503, "pane_not_found"],
    ["an option by a number that is not there", permission.agentId, { option: 99 }, 400, "invalid_option_index"],
    [
      "an option by words that are not there",
      permission.agentId,
      { mode: "select", option_label: "Maybe" },
      400,
      "invalid_option_index",
    ],
    [
      "a question that is not the one that stands",
      permission.agentId,
      { option: 1, question: "q999" },
      409,
      "wrong_state",
    ],
    ["an agent that is dead", dead.agentId, { text: "x" }, 502, "send_failed"],
    ["a program that asks nothing", plain.id, { text: "x" }, 409, "wrong_state"],
  ];
  for (const [name, id, body, status, errorType] of refused) {
    await t.test(`${status} ${errorType}: ${name}`, async () => {
      const answer = await post(daemon, id, body);
      const { error, ...beside } = answer.body as { error: { message: string; hint: string }; message: string };
      assert.deepEqual(
        [answer.status, beside],
        [status, { status: "error", error_type: errorType, message: error.message }],
      );
      assert.ok(error.hint.length > 10);
    });
  }

  await t.test("the failure for an unknown agent says where agents are listed", async () => {
    const { body } = await post(daemon, "a999", { text: "x" });
    assert.equal((body as { error: { hint: string } }).error.hint, "`paneward agents` lists them");
  });

  await t.test("401 without a token, 403 with one that may not approve, and nothing is answered", async () => {
    const url = `http://127.0.0.1:${daemon.port}/api/respond/${permission.agentId}`;
    const body = JSON.stringify({ mode: "select", option_index: 0 });
    const expected = { none: [401, "unauthorized"], read: [403, "not_allowed"], send: [403, "not_allowed"] };
    for (const [scope, [status, errorType]] of Object.entries(expected)) {
      const token = scope === "none" ? "" : (await client.token_create({ scope: scope as "read", name: scope })).token;
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const answer = await fetch(url, { method: "POST", headers, body });
      assert.deepEqual(
        [answer.status, ((await answer.json()) as { error_type: string }).error_type],
        [status, errorType],
        scope,
      );
    }
    assert.equal(
      permission.notes().some(({ kind }) => kind === "approved"),
      false,
    );
  });

  await t.test("202 queued while a person scrolls; typed after copy mode, which got nothing", async () => {
    const { tmux_pane_id: pane } = await client.agent({ id: permission.id });
    tmux(daemon, "copy-mode", "-t", pane ?? "");
    const { status, body } = await post(daemon, permission.agentId, { mode: "select", option_index: 3 });
    assert.deepEqual([status, body.status, body.new_state], [202, "queued", "awaiting_input"]);
    const again = await post(daemon, permission.agentId, { mode: "select", option_index: 3 });
    assert.deepEqual([again.status, again.body.error_type], [409, "wrong_state"], "it is being answered");
    assert.equal(
      permission.notes().some(({ kind }) => kind === "denied"),
      false,
    );
    tmux(daemon, "copy-mode", "-q", "-t", pane ?? "");
    await permission.noted("denied");
    await until("the receipt says so", async () => {
      const { deliveries } = await client.deliveries({ id: permission.id });
      return deliveries.find(({ id }) => id === body.delivery_id)?.state === "acknowledged";
    });
  });

  const answered: readonly (readonly [string, typeof choice, object, string, object])[] = [
    ["words of one's own", choice, { mode: "other", text: "Green" }, "other", { kind: "text", text: "Green" }],
    [
      "several boxes",
      many,
      { mode: "multi_select", answers: [{ option_indices: [0, 2] }] },
      "multi_select",
      { kind: "options", indices: [0, 2] },
    ],
    [
      "a plan that a person has read on the screen",
      plan,
      { mode: "select", option_index: 1, question: planned?.id, seen_screen: planned?.screenHash },
      "select",
      { kind: "option", index: 1 },
    ],
  ];
  for (const [name, agent, body, mode, expected] of answered) {
    await t.test(`200: ${name}`, async () => {
      const answer = await post(daemon, agent.agentId, body);
      const { latency_ms, delivery_id, turn_id, ...rest } = answer.body;
      assert.deepEqual(
        [answer.status, rest],
        [200, { status: "ok", agent_id: agent.agentId, mode, new_state: "processing" }],
      );
      assert.deepEqual([typeof latency_ms, typeof delivery_id, typeof turn_id], ["number", "string", "string"]);
      assert.deepEqual((await agent.noted("answered")).answer, expected);
      const { events } = await client.events({ limit: 10_000, types: "state_changed" });
      const changes = events.map(({ data }) => data as Readonly<Record<string, unknown>>);
      const change = changes.find((data) => data.turn_id === turn_id);
      assert.deepEqual(
        [change?.agent, change?.before, change?.state, typeof change?.latency_ms],
        [agent.agentId, "awaiting_input", "processing", "number"],
      );
    });
  }

  await t.test("502 send_failed: the keys were pressed and the question is still open", async () => {
    const { status, body } = await unheard;
    assert.deepEqual([status, body.status, body.error_type], [502, "error", "send_failed"]);
  });
});

function rememberAgents(folder: string, ...agents: readonly Pick<AgentRecord, "id" | "tmux_pane_id">[]): void {
  const store = openStore(join(folder, "state", "paneward.db"), { now: () => Date.now() });
  const known = { kind: "claude", name: "old", iterm_pane_id: null, state: "awaiting_input", adopted: false } as const;
  const now = Date.now();
  store.write((writer) => {
    for (const agent of agents) writer.putAgent({ ...known, ...agent, stateSince: now, startedAt: now });
  });
  store.close();
}

function tmux(daemon: TestDaemon, ...args: readonly string[]): void {
  execFileSync("tmux", ["-S", daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "", ...args]);
}

function post(
  daemon: TestDaemon,
  id: string,
  body: object,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        socketPath: daemon.env.PANEWARD_SOCKET_PATH,
        path: `/api/respond/${id}`,
        method: "POST",
        headers: direct({ "content-type": "application/json" }),
      },
      (answer) => {
        let said = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          said += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(said) }));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify(body));
  });
}
