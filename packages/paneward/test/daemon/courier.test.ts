import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createAgentHttp } from "../../src/system/agent-http.ts";
import { startDaemon } from "../support/daemon.ts";
import { agentKinds, scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

/** What opencode's event stream needs. */
const port = ["--port", String(await createAgentHttp().freePort([]))];

const amount = process.env.PANEWARD_SOAK ? 50 : 3;

test("deliveries reach an agent exactly once, and never what they must not touch", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;

  for (const kind of agentKinds) {
    await t.test(`${kind}: ${amount} prompts and one of 400 lines arrive byte for byte, each once`, async () => {
      const agent = scriptedAgent(folder, kind);
      const argv = [...agent.argv, ...(kind === "opencode" ? port : [])];
      const { id } = await client.run({ argv, cwd: folder, columns: 100, rows: 30 });
      await agent.noted("ready");
      // Its events are the witness of its prompts.
      if (kind === "opencode") await agent.noted("followed");
      const long = Array.from({ length: 400 }, (_, at) => `line ${at}; "quoted" $HOME`).join("\n");
      const texts = [...Array.from({ length: amount }, (_, at) => `what? prompt ${at} !`), long];
      for (const text of texts) assert.equal((await client.send({ id, text, ack: 30 })).state, "acknowledged");
      assert.deepEqual(agent.prompts(), texts);
    });
  }

  await t.test(
    "a prompt is held by a permission, and delivered once when that was denied; nothing was approved",
    async () => {
      const agent = scriptedAgent(folder, "claude", { name: "held" });
      const { id } = await client.run({ argv: [...agent.argv], cwd: folder, columns: 100, rows: 30 });
      await agent.noted("ready");
      await client.send({ id, text: "RUN: touch never", ack: 30 });
      await agent.noted("asked");
      assert.match((await client.send({ id, text: "next", idempotency_key: "n" })).reason ?? "", /asks/);
      await client.send({ id, keys: ["Escape"] });
      await until("it was typed", () => agent.prompts().includes("next"));
      assert.equal(existsSync(join(folder, "never")), false);
      assert.deepEqual(agent.prompts(), ["RUN: touch never", "next"]);
    },
  );

  await t.test(
    "a plain program with an agent's name gets its text; receipt and explain say that its screen is not understood",
    async () => {
      const program = join(folder, "bin", "claude");
      mkdirSync(join(folder, "bin"));
      writeFileSync(
        program,
        '#!/bin/sh\necho "an assistant of another kind"\nwhile read -r line; do echo "got $line"; done\n',
        { mode: 0o755 },
      );
      const { id } = await client.run({ argv: [program], cwd: folder });
      await client.wait({ ids: [id], for: [{ kind: "output", pattern: "another kind" }], timeout: 60 });
      const { state, reason = "" } = await client.send({ id, text: "hello there", ack: 30 });
      assert.deepEqual([state, reason.includes("its screen is not understood")], ["acknowledged", true], reason);
      await client.wait({ ids: [id], for: [{ kind: "output", pattern: "^got hello there$" }], timeout: 60 });
      const { witnesses, why } = await client.explain({ id });
      assert.equal(why.rule, "it is starting: its screen is not understood");
      const screen = witnesses.find(({ witness }) => witness === "screen")?.says ?? "";
      assert.match(screen, /its screen is not understood/);
    },
  );

  const started = async (name: string) => {
    const agent = scriptedAgent(folder, "claude", { name });
    const { id } = await client.run({ argv: [...agent.argv], cwd: folder, columns: 100, rows: 30 });
    await agent.noted("ready");
    return { ...agent, id };
  };
  const received = (id: string, delivery: string) =>
    client.deliveries({ id }).then(({ deliveries }) => deliveries.find((one) => one.id === delivery));

  await t.test("a draft holds a prompt; those behind it say so at once, and all arrive in their order", async () => {
    const agent = await started("behind");
    await client.send({ id: agent.id, text: "half a thought", enter: false, ack: 30 });
    const [held, ...behind] = [
      await client.send({ id: agent.id, text: "first" }),
      await client.send({ id: agent.id, text: "second" }),
      await client.send({ id: agent.id, text: "third" }),
    ];
    assert.deepEqual(
      [held?.state, held?.release],
      ["held", "the draft is submitted or deleted, in the terminal or by `send --key`"],
    );
    for (const { state, reason } of behind) {
      assert.deepEqual([state, /earlier.*draft.*half a thought/.test(reason ?? "")], ["queued", true]);
    }
    await client.send({ id: agent.id, keys: ["Enter"] });
    await until(
      "all arrived",
      async () => (await received(agent.id, behind.at(-1)?.id ?? ""))?.state === "acknowledged",
    );
    assert.deepEqual(agent.prompts(), ["half a thought", "first", "second", "third"]);
    const { deliveries } = await client.deliveries({ id: agent.id });
    assert.ok(
      deliveries.every(({ reason = "" }) => !reason.includes("earlier")),
      "none waits any more",
    );
  });

  await t.test("a turn that left a shell running is told as that everywhere, and holds no prompt", async () => {
    const agent = scriptedAgent(folder, "claude", { name: "behind-it", hooks: daemon.env.PANEWARD_SOCKET_PATH ?? "" });
    const { id } = await client.run({ argv: [...agent.argv], cwd: folder, columns: 100, rows: 30 });
    await agent.noted("ready");
    await client.send({ id, text: "BACKGROUND and go on", ack: 30 });
    await agent.noted("stopped");
    const why = async () => (await client.ps({})).terminals.find((one) => one.id === id)?.why;
    await until("the reason is told", async () => (await why())?.detail === "background_work");
    assert.match((await why())?.rule ?? "", /background work continues/);
    assert.equal((await client.explain({ id })).why.detail, "background_work");
    const { events } = await client.events({ types: "terminal_status_changed", limit: 10_000 });
    const told = events.map(({ data }) => JSON.stringify(data)).filter((data) => data.includes(`"${id}"`));
    assert.match(told.at(-1) ?? "", /background_work/);
    assert.equal((await client.send({ id, text: "meanwhile", ack: 30 })).state, "acknowledged");
    assert.deepEqual(agent.prompts(), ["BACKGROUND and go on", "meanwhile"]);
  });

  await t.test("an invalid key name is refused before anything is typed, with the form of key names", async () => {
    const agent = await started("keys");
    for (const keys of [["Nope"], ["Escape", "Return"]]) {
      const refused = {
        code: "bad_input",
        message: /unknown key "(Nope|Return)"; (keys look like|did you mean Enter)/,
      };
      await assert.rejects(client.send({ id: agent.id, text: "words", keys }), refused);
    }
    assert.deepEqual((await client.deliveries({ id: agent.id })).deliveries, []);
    assert.deepEqual(agent.prompts(), []);
  });

  await t.test("copy mode holds a prompt and gets nothing of it; a program that ends lets it fail", async () => {
    const agent = await started("scrolled");
    const { tmux_pane_id: pane } = await client.agent({ id: agent.id });
    const tmux = (...args: readonly string[]) =>
      execFileSync("tmux", ["-S", daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "", ...args], { encoding: "utf8" });
    tmux("copy-mode", "-t", pane ?? "");
    const held = await client.send({ id: agent.id, text: "while you read" });
    assert.deepEqual([held.state, /copy mode/.test(held.reason ?? "")], ["held", true]);
    assert.equal(tmux("display-message", "-p", "-t", pane ?? "", "#{pane_in_mode}").trim(), "1");
    tmux("copy-mode", "-q", "-t", pane ?? "");
    await until("it arrived", async () => (await received(agent.id, held.id))?.state === "acknowledged");
    assert.deepEqual(agent.prompts(), ["while you read"]);
    tmux("copy-mode", "-t", pane ?? "");
    const late = await client.send({ id: agent.id, text: "never" });
    await client.stop({ id: agent.id });
    await until("it failed", async () => (await received(agent.id, late.id))?.state === "failed");
    await assert.rejects(client.send({ id: agent.id, text: "to the dead" }), { code: "wrong_state" });
    assert.deepEqual(agent.prompts(), ["while you read"]);
  });
});
