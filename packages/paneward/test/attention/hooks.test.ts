import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import type { Agent } from "@paneward/sdk";
import { startDaemon } from "../support/daemon.ts";
import { direct } from "../support/direct.ts";
import { until } from "../support/until.ts";

test("hooks of agents", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const script = join(folder, "state", "hooks", "hook.sh");
  // An agent that fires the hook in each file that it is given; it prints nothing and reads nothing.
  const program = join(folder, "claude");
  const inbox = (id: string) => join(folder, `inbox-${id}`);
  const steps = [
    `dir=${join(folder, "inbox-$PANEWARD_TERMINAL")}`,
    'mkdir -p "$dir"',
    "while :; do",
    '  for file in "$dir"/*.json; do [ -e "$file" ] || continue',
    `    sh ${script} tell claude <"$file"; mv "$file" "$file.fired"`,
    "  done",
    "  sleep 0.05",
    "done",
  ];
  writeFileSync(program, `#!/bin/sh\n${steps.join("\n")}\n`);
  chmodSync(program, 0o755);
  let fired = 0;

  async function fire(id: string, payload: object): Promise<void> {
    fired += 1;
    const file = join(inbox(id), `${fired}.json`);
    await until("the agent runs", () => existsSync(inbox(id)));
    writeFileSync(`${file}.new`, JSON.stringify({ session_id: "s1", cwd: folder, ...payload }));
    renameSync(`${file}.new`, file);
    await until(`hook ${fired} was fired`, () => existsSync(`${file}.fired`));
  }

  const post = (name: string, payload: object) => ask("POST", `/hook/${name}`, payload);

  async function ask(
    method: string,
    path: string,
    payload: object,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    const text = method === "GET" ? "" : JSON.stringify(payload);
    return new Promise((resolve, reject) => {
      const headers = direct({ "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) });
      const socketPath = daemon.env.PANEWARD_SOCKET_PATH;
      const asked = request({ socketPath, path, method, headers }, (answer) => {
        let said = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          said += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(said) }));
      });
      asked.on("error", reject);
      asked.end(text);
    });
  }

  const inState = (id: string, state: Agent["state"]) =>
    until(`${id} is ${state}`, async () => {
      const agent = await client.agent({ id });
      return agent.state === state ? agent : undefined;
    });

  const terminal = await client.run({ argv: [program], cwd: folder });

  await t.test("a prompt, a permission and its end move the agent and make one turn each", async () => {
    await fire(terminal.id, { hook_event_name: "SessionStart", source: "startup" });
    await fire(terminal.id, { hook_event_name: "UserPromptSubmit", prompt: "make it so" });
    assert.equal((await inState(terminal.id, "processing")).session_id, "s1");
    const tool = { tool_name: "Bash", tool_input: { command: "touch made" } };
    await fire(terminal.id, { hook_event_name: "PermissionRequest", ...tool });
    const { results } = await client.wait({ ids: [terminal.id], for: [{ kind: "needs_input" }], timeout: 30 });
    const [waited] = results;
    assert.ok(waited?.kind === "needs_input");
    assert.equal(waited.question?.proposal?.command, "touch made");
    assert.equal((await inState(terminal.id, "awaiting_input")).question?.id, waited.question?.id);
    await fire(terminal.id, { hook_event_name: "PostToolUse", ...tool });
    await inState(terminal.id, "processing");
    await fire(terminal.id, {
      hook_event_name: "Stop",
      last_assistant_message: "made",
      background_tasks: [{ id: "b" }],
    });
    assert.equal((await client.explain({ id: terminal.id })).status, "Running");
    await fire(terminal.id, { hook_event_name: "Stop", last_assistant_message: "made", background_tasks: [] });
    await inState(terminal.id, "complete");
    const { turns } = await client.turns({ id: terminal.id });
    const spoken = turns.filter(({ intent }) => intent !== "progress").map(({ actor, intent }) => `${actor}:${intent}`);
    assert.deepEqual(spoken, ["user:command", "agent:question", "agent:completion"]);
    assert.deepEqual((await client.questions({})).questions, []);
  });

  await t.test("a hook of another pane, server or conversation is not believed", async () => {
    const stranger = { hook_event_name: "UserPromptSubmit", prompt: "x", cwd: folder };
    const pane = terminal.pane;
    const refused = [
      await post("user-prompt-submit", { ...stranger, session_id: "s1", tmux_pane: "%99", tmux: "/x,1,0" }),
      await post("user-prompt-submit", { ...stranger, session_id: "s9", tmux_pane: pane, tmux: "/x,1,0" }),
      await post("session-end", { session_id: "s9", cwd: "/nowhere" }),
    ];
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.status]),
      Array(3).fill([404, "dropped"]),
    );
    assert.equal((await client.agent({ id: terminal.id })).state, "complete");
    const bad = await post("stop", []);
    assert.deepEqual([bad.status, bad.body.status, bad.body.error_type], [400, "error", "invalid_payload"]);
  });

  await t.test("the seed's payload without a pane is known by its conversation", async () => {
    const { status, body } = await post("user-prompt-submit", {
      session_id: "s1",
      prompt: "again",
      working_directory: folder,
    });
    const { id } = await client.agent({ id: terminal.id });
    assert.deepEqual([status, body.status, body.agent_id, body.state], [200, "ok", id, "processing"]);
  });

  await t.test("an agent outside of tmux is known, and an answer to it is 400 no_pane_id", async () => {
    const outside = { session_id: "outside", working_directory: "/nowhere", iterm_pane_id: "w0t0p0" };
    const began = await post("session-start", outside);
    assert.deepEqual(
      [began.status, began.body.status, began.body.is_new_agent, began.body.state],
      [200, "ok", true, "idle"],
    );
    const id = String(began.body.agent_id);
    const asks = { ...outside, notification_type: "permission_prompt", message: "Claude needs your permission" };
    const asked = await post("notification", asks);
    assert.deepEqual([asked.body.agent_id, asked.body.state, asked.body.state_changed], [id, "awaiting_input", true]);
    const { tmux_pane_id, iterm_pane_id, commander_available, terminal: none } = await client.agent({ id });
    assert.deepEqual([tmux_pane_id, iterm_pane_id, commander_available, none], [null, "w0t0p0", false, undefined]);
    const answered = await ask("POST", `/api/respond/${id}`, { text: "yes" });
    assert.deepEqual([answered.status, answered.body.status, answered.body.error_type], [400, "error", "no_pane_id"]);
    assert.equal((await post("session-end", outside)).status, 200);
    assert.ok((await client.agents({})).agents.every((agent) => agent.id !== id));
  });

  await t.test("a notification that it asks is answered with awaiting_input", async () => {
    const asks = {
      session_id: "s1",
      working_directory: folder,
      notification_type: "permission_prompt",
      message: "May I?",
    };
    const { status, body } = await post("notification", asks);
    assert.deepEqual([status, body.state, body.state_changed], [200, "awaiting_input", true]);
    await fire(terminal.id, { hook_event_name: "Stop", last_assistant_message: "never mind" });
    await inState(terminal.id, "complete");
  });

  await t.test("a wrong method is 405 with status and error_type, for hooks and for answers", async () => {
    for (const [method, path] of [
      ["GET", "/hook/stop"],
      ["GET", "/api/respond/a1"],
      ["PUT", "/api/respond/a1"],
    ] as const) {
      const { status, body } = await ask(method, path, {});
      assert.deepEqual([status, body.status, body.error_type], [405, "error", "method_not_allowed"], path);
    }
  });

  await t.test("/clear keeps the agent; the end of a session keeps its pane", async () => {
    const { id } = await client.agent({ id: terminal.id });
    await fire(terminal.id, { hook_event_name: "SessionEnd", reason: "clear" });
    await fire(terminal.id, { session_id: "s2", hook_event_name: "SessionStart", source: "clear" });
    const cleared = await client.agent({ id: terminal.id });
    assert.deepEqual([cleared.id, cleared.session_id], [id, "s2"]);
    await fire(terminal.id, { session_id: "s2", hook_event_name: "SessionEnd", reason: "prompt_input_exit" });
    const ended = await client.agent({ id });
    assert.equal(ended.tmux_pane_id, terminal.pane);
    assert.notEqual(ended.endedAt, undefined);
  });

  await t.test("the bridge and the tracker are registered under the names that the older dashboard asks for", () => {
    const lines = readFileSync(join(folder, "state", "daemon.log"), "utf8")
      .split("\n")
      .filter(Boolean);
    const ready = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === "ready");
    assert.deepEqual(ready.services, ["tmux_bridge", "commander_availability"]);
  });

  await t.test("an agent's availability is reported when it comes and when it goes", async () => {
    const other = await client.run({ argv: [program], cwd: "/" });
    const { id } = await client.agent({ id: other.id });
    const reported = async () => {
      const { events } = await client.events({ limit: 10_000, types: "commander_availability" });
      return events
        .map(({ data }) => data as { readonly agent_id: string; readonly timestamp?: number })
        .filter((one) => one.agent_id === id);
    };
    await until("it is reached", async () => (await reported()).length === 1);
    assert.deepEqual(await client.availability({ id }), { status: "ok", agent_id: id, commander_available: true });
    await client.stop({ id: other.id });
    await until("it is gone", async () => (await reported()).length === 2);
    for (const [at, available] of [true, false].entries()) {
      const { timestamp, ...rest } = (await reported())[at] ?? {};
      assert.deepEqual([rest, typeof timestamp], [{ agent_id: id, available }, "number"]);
    }
    assert.equal((await client.availability({ id })).commander_available, false);
  });

  await t.test("Claude's own file shows a denial that fires no hook", async () => {
    const silent = await client.run({ argv: [program], cwd: "/tmp" });
    const sessions = join(folder, ".claude", "sessions");
    mkdirSync(sessions, { recursive: true });
    const file = join(sessions, `${process.pid}.json`);
    const write = (status: string) =>
      writeFileSync(
        file,
        JSON.stringify({
          status,
          sessionId: "s3",
          statusUpdatedAt: Date.now(),
          tmux: `${silent.session}:@1.${silent.pane}`,
        }),
      );
    const session = { session_id: "s3", cwd: "/tmp" };
    await fire(silent.id, { ...session, hook_event_name: "UserPromptSubmit", prompt: "go" });
    await fire(silent.id, {
      ...session,
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    });
    write("waiting");
    await client.wait({ ids: [silent.id], for: [{ kind: "needs_input" }], timeout: 30 });
    write("idle");
    await client.wait({ ids: [silent.id], for: [{ kind: "idle" }], timeout: 30 });
    await until("the question is gone", async () => (await client.questions({})).questions.length === 0);
    await inState(silent.id, "complete");
  });

  await t.test("over TCP a hook needs a token of the scope send", async () => {
    const agent = await client.run({ argv: [program], cwd: folder });
    const { id } = await client.agent({ id: agent.id });
    await fire(agent.id, { session_id: "tcp", hook_event_name: "SessionStart", source: "startup" });
    const tell = async (token: string | undefined, prompt: string) => {
      const answer = await fetch(`http://127.0.0.1:${daemon.port}/hook/user-prompt-submit`, {
        method: "POST",
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        body: JSON.stringify({ session_id: "tcp", prompt }),
      });
      return [answer.status, (await answer.json()) as Readonly<Record<string, unknown>>] as const;
    };
    const tokenFor = async (scope: "read" | "send") => (await client.token_create({ scope, name: scope })).token;
    const refused = [
      await tell(undefined, "nobody"),
      await tell("pw_x_y", "a stranger"),
      await tell(await tokenFor("read"), "a reader"),
    ];
    assert.deepEqual(
      refused.map(([status]) => status),
      [401, 401, 403],
    );
    assert.deepEqual(
      refused.map(([, body]) => [body.status, body.error_type, typeof body.message]),
      ["unauthorized", "unauthorized", "not_allowed"].map((type) => ["error", type, "string"]),
    );
    const [status, body] = await tell(await tokenFor("send"), "make it so");
    assert.deepEqual([status, body.status, body.agent_id, body.state], [200, "ok", id, "processing"]);
    const { turns } = await client.turns({ id: agent.id });
    assert.deepEqual(
      turns.filter(({ actor }) => actor === "user").map(({ text }) => text),
      ["make it so"],
    );
  });
});
