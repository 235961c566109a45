import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { request } from "node:http";
import { test } from "node:test";
import type { Question } from "@paneward/sdk";
import { paneward } from "../cli/support/cli.ts";
import { ask, json } from "../http/support/ask.ts";
import { overHttp } from "../mcp/support/doors.ts";
import { call } from "../mcp/support/tool-calls.ts";
import { startDaemon } from "../support/daemon.ts";
import { direct } from "../support/direct.ts";
import { until } from "../support/until.ts";

test("an answer reaches the request that was shown, or none", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder, env } = daemon;
  const socket = env.PANEWARD_SOCKET_PATH ?? "";
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-S", env.PANEWARD_TMUX_SOCKET_PATH ?? "", ...args], { encoding: "utf8" }).trim();
  const metrics = async () => (await ask(socket, { path: "/metrics" })).text;
  const waiting = (amount: number) =>
    until(`${amount} hooks wait`, async () => (await metrics()).includes(`\npaneward_hooks_waiting ${amount}\n`));

  /** An agent whose screen shows nothing: whatever it asks is known from its hooks alone. */
  async function blindAgent(name: string) {
    const { id, pane = "" } = await client.run({ argv: ["cat"], name, cwd: folder });
    const origin = { session_id: name, tmux_pane: pane, tmux: `x,${tmux("display-message", "-p", "#{pid}")},0` };
    const query = (wait: number) => `agent=claude&format=agent&wait=${wait}`;
    /** A hook of its own connection; `hangUp` closes that. */
    const asks = (toolInput: object, { tool = "Bash", wait = 100, agentId = "" } = {}) => {
      const payload = { ...origin, hook_event_name: "PermissionRequest", tool_name: tool, tool_input: toolInput };
      const body = JSON.stringify({ ...payload, ...(agentId && { agent_id: agentId }) });
      const { promise: printed, resolve } = Promise.withResolvers<string>();
      const path = `/hook/permission-request?${query(wait)}`;
      const outgoing = request(
        { socketPath: socket, path, method: "POST", headers: direct(), agent: false },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk;
          });
          answer.on("end", () => resolve(text));
        },
      );
      outgoing.on("error", () => resolve("the connection is closed"));
      outgoing.end(body);
      return { printed, hangUp: () => outgoing.destroy() };
    };
    const tells = (event: string, more: object) =>
      ask(socket, json("POST", "/hook/event?agent=claude", { ...origin, hook_event_name: event, ...more }));
    const open = async () => (await client.questions({})).questions.find(({ terminal }) => terminal === id);
    const shows = (command: string, not?: string) =>
      until(`${name} asks for ${command}`, async () => {
        const question = await open();
        return question?.proposal?.command === command && question.id !== not ? question : undefined;
      });
    return { id, asks, tells, open, shows };
  }
  const decision = (printed: string) => (printed === "" ? "" : JSON.parse(printed).hookSpecificOutput.decision);
  const refused = (id: string, question: Question) =>
    assert.rejects(client.respond({ id, option: 1, question: question.id }), { code: "conflict" });

  await t.test("a hook that hung up closes its question, and its answer reaches no other hook", async () => {
    const agent = await blindAgent("hung-up");
    const first = agent.asks({ command: "make" });
    const shown = await agent.shows("make");
    first.hangUp();
    await until("its question is closed", async () => (await agent.open())?.id !== shown.id);
    const second = agent.asks({ command: "make install" });
    const next = await agent.shows("make install");
    await refused(agent.id, shown);
    await client.respond({ id: agent.id, option: 1, question: next.id });
    assert.deepEqual(decision(await second.printed), { behavior: "allow" });
  });

  await t.test("a hook whose time is over does the same, also for tools without a command", async () => {
    const agent = await blindAgent("timed-out");
    const first = agent.asks({ part: "wheel" }, { tool: "mcp__depot__order", wait: 1 });
    const shown = await until("it asks", agent.open);
    assert.equal(await first.printed, "");
    await until("its question is closed", async () => (await agent.open())?.id !== shown.id);
    const second = agent.asks({ part: "everything" }, { tool: "mcp__depot__remove" });
    const next = await until("it asks for the other", async () => {
      const question = await agent.open();
      return question?.proposal?.tool === "mcp__depot__remove" ? question : undefined;
    });
    assert.match(next.proposal?.more ?? "", /everything/);
    await refused(agent.id, shown);
    await client.respond({ id: agent.id, option: 0, question: next.id });
    assert.equal(decision(await second.printed).behavior, "deny");
  });

  await t.test("two identical commands at the same time are two requests with two answers", async () => {
    const agent = await blindAgent("twins");
    const hooks = [agent.asks({ command: "deploy" })];
    const first = await agent.shows("deploy");
    hooks.push(agent.asks({ command: "deploy" }));
    await waiting(2);
    await client.respond({ id: agent.id, option: 1, question: first.id });
    assert.deepEqual(decision((await hooks[0]?.printed) ?? ""), { behavior: "allow" });
    const second = await agent.shows("deploy", first.id);
    // The end of the first one says nothing about the second.
    await agent.tells("PostToolUse", { tool_name: "Bash", tool_input: { command: "deploy" }, tool_use_id: "one" });
    assert.equal((await agent.open())?.id, second.id);
    await client.respond({ id: agent.id, deny: "once is enough", question: second.id });
    assert.deepEqual(decision((await hooks[1]?.printed) ?? ""), { behavior: "deny", message: "once is enough" });
  });

  await t.test("requests of a conversation and its subagents are asked one after the other", async () => {
    const agent = await blindAgent("several");
    const hooks = new Map<string, ReturnType<typeof agent.asks>>();
    for (const [at, command] of ["one", "two", "three"].entries()) {
      hooks.set(command, agent.asks({ command }, { agentId: at === 0 ? "" : `sub-${at}` }));
      await waiting(at + 1);
    }
    for (const command of ["one", "two", "three"]) {
      const question = await agent.shows(command);
      await agent.tells("PreToolUse", { tool_name: "Read", tool_input: { file_path: "/x" }, agent_id: "another" });
      await agent.tells("Stop", {});
      await client.respond({ id: agent.id, deny: `not ${command}`, question: question.id });
      assert.equal(decision((await hooks.get(command)?.printed) ?? "").message, `not ${command}`);
    }
    await until("nothing is open", async () => (await agent.open()) === undefined);
  });

  const mcp = await overHttp(t, daemon, "approve");
  const doors: Readonly<Record<string, (id: string, answer: "approve" | "deny" | "because") => Promise<unknown>>> = {
    "an option's number": (id, answer) =>
      client.respond({
        id,
        ...(answer === "because" ? { deny: "because" } : { option: answer === "approve" ? 1 : 0 }),
      }),
    "words on the command line": async (id, answer) => {
      const words = { approve: ["yes"], deny: ["No"], because: ["--deny", "because"] }[answer];
      assert.equal((await paneward(["respond", id, ...words], { env })).code, 0);
    },
    HTTP: async (id, answer) => {
      const body = { approve: { text: "approve" }, deny: { text: "deny" }, because: { deny: "because" } }[answer];
      assert.equal((await ask(socket, json("POST", `/api/respond/${id}`, body))).status, 200);
    },
    MCP: async (id, answer) => {
      const given = { approve: { option: 1 }, deny: { text: "n" }, because: { deny: "because" } }[answer];
      assert.equal((await call(mcp, "agent_respond", { id, ...given })).data.status, "ok");
    },
  };
  for (const [door, answer] of Object.entries(doors)) {
    await t.test(
      `a permission that only its hook knows is approved, denied and denied with words by ${door}`,
      async () => {
        const agent = await blindAgent(`by-${door.replace(/\W/g, "-")}`);
        for (const [way, expected] of [
          ["approve", { behavior: "allow" }],
          ["deny", { behavior: "deny", message: "the person said no" }],
          ["because", { behavior: "deny", message: "because" }],
        ] as const) {
          const hook = agent.asks({ command: `touch ${way}` });
          await agent.shows(`touch ${way}`);
          await answer(agent.id, way);
          assert.deepEqual(decision(await hook.printed), expected);
        }
      },
    );
  }

  await t.test("other words answer no permission, and the refusal lists the options", async () => {
    const agent = await blindAgent("words");
    const hook = agent.asks({ command: "rm -rf build" });
    const { id: question } = await agent.shows("rm -rf build");
    for (const text of ["yes please", "sure", "1", "yes\nno", "nope", "use rg instead"]) {
      await assert.rejects(client.respond({ id: agent.id, text, question }), {
        code: "bad_input",
        hint: /1 Yes.*0 No.*deny/s,
      });
    }
    await client.respond({ id: agent.id, text: "YES ", question });
    assert.deepEqual(decision(await hook.printed), { behavior: "allow" });
  });

  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await t.test(`a daemon that ended by ${signal} took the hooks with it: their questions are closed`, async () => {
      const agent = await blindAgent(signal);
      const hooks = ["make", "make test"].map((command) => agent.asks({ command }));
      const shown = await agent.shows("make");
      await waiting(2);
      await daemon.kill(signal);
      await Promise.all(hooks.map(({ printed }) => printed));
      await daemon.start();
      await refused(agent.id, shown);
      await until("it is known that it waits", async () => (await agent.open())?.kind === "text");
      const hook = agent.asks({ command: "make test" });
      const { id: question } = await agent.shows("make test");
      await client.respond({ id: agent.id, option: 1, question });
      assert.deepEqual(decision(await hook.printed), { behavior: "allow" });
    });
  }
});
