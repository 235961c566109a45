import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { agentKinds, scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

const amount = process.env.PANEWARD_SOAK ? 50 : 3;

test("deliveries reach an agent exactly once, and never what they must not touch", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;

  for (const kind of agentKinds) {
    await t.test(`${kind}: ${amount} prompts and one of 400 lines arrive byte for byte, each once`, async () => {
      const agent = scriptedAgent(folder, kind);
      const { id } = await client.run({ argv: [...agent.argv], cwd: folder, columns: 100, rows: 30 });
      await agent.noted("ready");
      const long = Array.from({ length: 400 }, (_, at) => `line ${at}; "quoted" $HOME`).join("\n");
      const texts = [...Array.from({ length: amount }, (_, at) => `prompt ${at}`), long];
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
});
