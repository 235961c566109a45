import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hookCommand } from "../../src/agents/hook-script.ts";
import { paneward } from "../cli/support/cli.ts";
import { ask, json } from "../http/support/ask.ts";
import { overHttp } from "../mcp/support/doors.ts";
import { call } from "../mcp/support/tool-calls.ts";
import { startDaemon } from "../support/daemon.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

test("an agent that waits in its hook is answered there, and never blocked by it", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder, env } = daemon;
  const socket = env.PANEWARD_SOCKET_PATH ?? "";
  const script = join(folder, "state", "hooks", "hook.sh");
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-S", env.PANEWARD_TMUX_SOCKET_PATH ?? "", ...args], { encoding: "utf8" }).trim();
  const hooks = (mode: "tell" | "ask") => {
    const run = (command: string) => [{ hooks: [{ type: "command", command, timeout: 100 }] }];
    const tell = run(hookCommand(script, "tell", "claude"));
    const own = { SessionStart: tell, UserPromptSubmit: tell, PostToolUse: tell, Stop: tell };
    return JSON.stringify({ hooks: { ...own, PermissionRequest: run(hookCommand(script, mode, "claude")) } });
  };

  /** A claude that was given this prompt and asks; with `tell` its own hook does not wait. */
  async function asking(name: string, prompt: string, mode: "tell" | "ask" = "tell") {
    const scripted = scriptedAgent(folder, "claude", { name });
    const argv = [...scripted.argv, "--settings", hooks(mode), prompt];
    const { id, pane = "" } = await client.run({ argv, cwd: folder, columns: 100, rows: 30 });
    const question = await until(`${name} asks with its options`, async () =>
      (await client.questions({})).questions.find((one) => one.terminal === id && one.options.length > 0),
    );
    const agent = await client.agent({ id });
    const wasTyped = () => tmux("show-options", "-pqv", "-t", pane, "@paneward_delivery") !== "";
    return { ...scripted, id, pane, question, agent, wasTyped };
  }
  type Asking = Awaited<ReturnType<typeof asking>>;

  const waiting = (amount: number) =>
    until(`${amount} hooks wait`, async () =>
      (await ask(socket, { path: "/metrics" })).text.includes(`\npaneward_hooks_waiting ${amount}\n`),
    );

  /** What curl prints, as a hook of this agent that asks for leave to run a command. */
  function curl({ agent, pane }: Asking, command: string, query = "wait=100&format=agent", source = "") {
    const payload = {
      ...{ session_id: agent.session_id, tmux_pane: pane, tmux: `x,${tmux("display-message", "-p", "#{pid}")},0` },
      ...{ hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } },
    };
    const url = `http://paneward/hook/permission-request?${query}`;
    const marks = ["-H", "connection: paneward_direct", "-H", "paneward_direct: 1"];
    const args = [
      "-s",
      "--unix-socket",
      socket,
      ...marks,
      "-H",
      `x-paneward-hook: ${source}`,
      "--data-binary",
      "@-",
      url,
    ];
    const child = spawn("curl", args, { env });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    child.stdin.end(JSON.stringify(payload));
    return once(child, "close").then(() => printed);
  }

  const doors = {
    HTTP: async ({ agent }: Asking) => {
      const { status, text } = await ask(
        socket,
        json("POST", `/api/respond/${agent.id}`, { mode: "select", option_index: 0 }),
      );
      assert.deepEqual([status, JSON.parse(text).new_state], [200, "processing"]);
    },
    "the command line": async ({ id }: Asking) => {
      assert.equal((await paneward(["respond", id, "--option", "1"], { env })).code, 0);
    },
    MCP: async ({ id }: Asking) => {
      const mcp = await overHttp(t, daemon, "approve");
      assert.equal((await call(mcp, "agent_respond", { id, option: 1 })).data.status, "ok");
    },
  };
  for (const [door, answer] of Object.entries(doors)) {
    await t.test(`by ${door}, without a key`, async () => {
      const made = `by-${door.replaceAll(" ", "-")}`;
      const agent = await asking(made, `RUN: touch ${made}`, "ask");
      await waiting(1);
      await answer(agent);
      await agent.noted("ran");
      assert.equal(agent.wasTyped(), false);
      const { deliveries } = await client.deliveries({ id: agent.id });
      assert.deepEqual(
        deliveries.map(({ state, question }) => [state, question]),
        [["acknowledged", agent.question.id]],
      );
      await waiting(0);
    });
  }

  await t.test("a choice is answered in its whole words", async () => {
    const agent = await asking("choice", "ASK", "ask");
    await waiting(1);
    await client.respond({ id: agent.id, option: 2 });
    assert.deepEqual((await agent.noted("answered")).answer, { kind: "text", text: "Blue" });
    assert.equal(agent.wasTyped(), false);
  });

  await t.test(
    "hooks that are installed twice get one decision; an identical request and another tool get none",
    async () => {
      const agent = await asking("two", "RUN: touch two", "ask");
      await waiting(1);
      const query = "wait=100&format=agent";
      const plugin = curl(agent, "touch two", query, "plugin");
      await waiting(2);
      const twin = curl(agent, "touch two", query, "plugin");
      const other = curl(agent, "rm -rf something", query, "plugin");
      await waiting(4);
      await client.respond({ id: agent.id, option: 4, question: agent.question.id });
      await agent.noted("denied");
      assert.equal(existsSync(join(folder, "two")), false);
      // The agent asks neither of them: its screen shows that it waits for nothing.
      assert.deepEqual(await Promise.all([plugin, twin, other]), ["", "", ""]);
    },
  );

  await t.test("a hook that prints for no agent gets the decision as JSON", async () => {
    const agent = await asking("plain", "RUN: touch plain");
    const hook = curl(agent, "touch plain", "wait=100", "plugin");
    await waiting(1);
    const { request } = await until("the request is bound", async () =>
      (await client.questions({})).questions.find((one) => one.terminal === agent.id && one.request !== undefined),
    );
    assert.ok(request?.startsWith("hook-"));
    const answered = client.respond({ id: agent.id, deny: "use rg" }).catch((error: Error) => error);
    const { agent_id, decision } = JSON.parse(await hook);
    assert.deepEqual([agent_id, decision], [agent.agent.id, { behavior: "deny", message: "use rg" }]);
    // The scripted agent does not read that hook, so its dialog stays: no key follows.
    assert.match(String(await answered), /took the answer and the question is still there/);
    assert.equal(agent.wasTyped(), false);
  });

  await t.test("a question that is taken back lets its hook go", async () => {
    const agent = await asking("withdrawn", "RUN: touch withdrawn", "ask");
    await waiting(1);
    await client.send({ id: agent.id, keys: ["Escape"] });
    await agent.noted("denied");
    await waiting(0);
    await assert.rejects(client.respond({ id: agent.id, option: 1, question: agent.question.id }), {
      code: "conflict",
    });
    assert.equal(existsSync(join(folder, "withdrawn")), false);
  });

  await t.test("when the time is over, keys answer", async () => {
    const agent = await asking("late", "RUN: touch late");
    assert.equal(await curl(agent, "touch late", "wait=1&format=agent"), "");
    assert.equal((await client.respond({ id: agent.id, option: 1 })).status, "ok");
    await agent.noted("ran");
    assert.equal(agent.wasTyped(), true);
  });

  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await t.test(`a daemon that ends by ${signal} lets the hook go, and keys answer later`, async () => {
      const agent = await asking(signal, `RUN: touch ${signal}`, "ask");
      await waiting(1);
      await daemon.kill(signal);
      // The agent's own hook ended well and without a word: its dialog still stands.
      await until("no hook runs", () => !processes().some((line) => line.startsWith(`sh ${script} ask`)));
      assert.equal(
        agent.notes().some(({ kind }) => kind === "approved" || kind === "denied"),
        false,
      );
      await daemon.start();
      assert.equal((await client.respond({ id: agent.id, option: 1, question: agent.question.id })).status, "ok");
      await agent.noted("ran");
      assert.equal(agent.wasTyped(), true);
    });
  }
});

function processes(): readonly string[] {
  return execFileSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" }).split("\n");
}
