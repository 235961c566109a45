import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PanewardEvent } from "@paneward/sdk";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

test("an agent that claims to work, in silence and without CPU, is stuck until it prints", async (t) => {
  const { client, folder } = await startDaemon(t, "[attention]\nstuck_seconds = 2\n");
  const prompt = join(folder, "prompt.json");
  writeFileSync(prompt, JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: "s1", prompt: "go" }));
  const program = join(folder, "claude");
  writeFileSync(program, `#!/bin/sh\nsh ${folder}/state/hooks/hook.sh tell claude <${prompt}\nexec cat\n`);
  chmodSync(program, 0o755);
  const { id } = await client.run({ argv: [program], cwd: folder });
  // On a busy machine it can be stuck before its hook has reported; that is another reason.
  const details = async () => {
    const { events } = await client.events({ limit: 10_000, types: "terminal_status_changed" });
    const reasons = (events as PanewardEvent[]).flatMap(({ data }) => ("why" in data ? [data.why] : []));
    return reasons.slice(reasons.findIndex(({ source }) => source === "hook")).map(({ detail }) => detail);
  };

  if (process.platform !== "linux") return; // CPU time cannot be seen there: test/system/cpu.test.ts.
  await until("its hook has reported", async () => (await client.explain({ id })).why.source === "hook");
  await until("it is reported as stuck", async () => (await details()).includes("stuck"));
  const { status, why } = await client.explain({ id });
  assert.deepEqual([status, why.detail, why.source], ["Running", "stuck", "hook"]);
  assert.match(why.rule, /silent and without CPU/);
  assert.equal((await details()).filter((detail) => detail === "stuck").length, 1);

  await client.send({ id, text: "go on", ack: 0 });
  await until("its output ends that", async () => {
    const all = await details();
    return all.lastIndexOf(undefined) > all.indexOf("stuck");
  });
});
