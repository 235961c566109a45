import assert from "node:assert/strict";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { temporaryFolder } from "../support/folder.ts";
import { makeRepository } from "../support/repository.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";

test("a task's Codex gets hooks only when the configuration says so", async (t) => {
  const folder = await temporaryFolder(t);
  const wanted = scriptedAgent(folder, "codex", { name: "wanted" });
  const command = (argv: readonly string[]) => `[agents.codex]\ncmd = ${JSON.stringify(argv)}\n`;
  const daemon = await startDaemon(t, `${command(wanted.argv)}hooks = true\n`);
  const { root } = makeRepository(daemon);
  await daemon.client.new({ root, text: "SAY hello", agent: "codex" });
  const { argv: given = [] } = await wanted.noted("ready");
  const hooks = given[given.indexOf("-c") + 1] ?? "";
  assert.match(hooks, /^hooks=\{SessionStart=.*hook\.sh.* tell codex/);

  const plain = scriptedAgent(folder, "codex", { name: "plain" });
  const other = makeRepository(daemon, "other");
  other.write(".paneward/config.toml", `${command(plain.argv)}hooks = false\n`);
  await other.trust();
  await daemon.client.new({ root: other.root, text: "SAY hello", agent: "codex" });
  const { argv = [] } = await plain.noted("ready");
  assert.deepEqual([argv.includes("-c"), argv.includes("--no-daemon")], [false, true]);
});
