import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { temporaryFolder } from "../support/folder.ts";
import { makeRepository } from "../support/repository.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

test("an agent resumes its conversation", async (t) => {
  const agent = scriptedAgent(await temporaryFolder(t), "claude");
  const daemon = await startDaemon(t, `[agents.claude]\ncmd = ${JSON.stringify([agent.file])}\n`);
  const { client } = daemon;
  const { root } = makeRepository(daemon);
  const task = await client.new({ root, text: "SAY hello", agent: "claude" });
  const id = String(task.id);
  await agent.noted("stopped");
  const first = await until("its conversation is known", async () => {
    const { agents } = await client.agents({});
    return agents.find(({ state, session_id: session }) => state === "complete" && session !== undefined);
  });

  const goesOn = async (start: number) => {
    const { argv = [] } = await agent.noted("ready", start);
    assert.deepEqual(argv.slice(-2), ["--resume", first.session_id]);
    assert.ok(!argv.includes("SAY hello"));
    await until("the same agent lives", async () => {
      const again = await client.agent({ id });
      return again.id === first.id && again.endedAt === undefined;
    });
  };

  await t.test("when it is restarted", async () => {
    await client.restart({ id });
    await goesOn(2);
  });

  await t.test("when it is started after a reboot, and takes more prompts there", async () => {
    await daemon.kill("SIGKILL");
    spawnSync("tmux", ["-S", daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "", "kill-server"]);
    await daemon.start();
    await until("it is lost", async () => (await client.ps({})).tasks.some(({ status }) => status === "Lost"));
    await client.start({ id });
    await goesOn(3);
    await client.send({ id, text: "SAY again", ack: 0 });
    await until("the next prompt is a turn of the same agent", async () => {
      const { turns } = await client.turns({ id: first.id });
      return turns.some(({ actor, text }) => actor === "user" && text === "SAY again");
    });
    // The turn is known when it was typed, the note when the agent has read it.
    await agent.noted("prompt", 2);
    assert.deepEqual(agent.prompts(), ["SAY hello", "SAY again"]);
  });
});
