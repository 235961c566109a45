import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { type AgentKind, agentKinds, scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

test("scripted agents take keys as the real ones do", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const started = async (kind: AgentKind, name: string = kind) => {
    const agent = scriptedAgent(folder, kind, { name });
    const { id } = await client.run({ argv: [...agent.argv], cwd: folder, columns: 90, rows: 24 });
    await agent.noted("ready");
    const shows = (text: string) =>
      until(`${kind} shows ${text}`, async () => (await client.screen({ id })).lines.join("\n").includes(text));
    return { ...agent, id, shows, keys: (...keys: string[]) => client.send({ id, keys }) };
  };

  // Their screens prove no command whole: keys alone do not approve it.
  const confirmed = async (id: string) => {
    const asked = await until("it asks", async () =>
      (await client.questions({})).questions.find(({ terminal }) => terminal === id),
    );
    await client.respond({ id, option: 1, question: asked.id, seen_screen: asked.screenHash });
  };

  for (const kind of agentKinds) {
    await t.test(`${kind}: a prompt is noted once, a permission runs the command when approved`, async () => {
      const agent = await started(kind);
      await client.send({ id: agent.id, text: `RUN: touch made-by-${kind}` });
      if (kind !== "pi") {
        await agent.noted("asked");
        assert.equal(existsSync(join(folder, `made-by-${kind}`)), false);
        if (kind === "claude" || kind === "codex") await agent.keys("Enter");
        else await confirmed(agent.id);
      }
      await agent.noted("stopped");
      assert.deepEqual(agent.prompts(), [`RUN: touch made-by-${kind}`]);
      assert.equal(existsSync(join(folder, `made-by-${kind}`)), true);
    });
  }

  await t.test("claude: a digit that comes too early is dropped and lands in the input line", async () => {
    const agent = await started("claude", "early");
    await client.send({ id: agent.id, text: "RUN: touch early" });
    const { tmux_pane_id: pane } = await client.agent({ id: agent.id });
    const socket = daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "";
    // The courier would wait until the dialog takes keys.
    await until("a key was dropped", () => {
      execFileSync("tmux", ["-S", socket, "send-keys", "-t", pane ?? "", "4"]);
      return agent.notes().some(({ kind }) => kind === "dropped" || kind === "denied");
    });
    await agent.keys("Escape");
    await agent.noted("interrupted");
    assert.equal(existsSync(join(folder, "early")), false);
  });

  await t.test("Escape while it works interrupts", async () => {
    const agent = await started("gemini", "slow");
    await client.send({ id: agent.id, text: "SLOW 600" });
    await agent.shows("esc to cancel");
    await agent.keys("Escape");
    await agent.noted("interrupted");
  });
});
