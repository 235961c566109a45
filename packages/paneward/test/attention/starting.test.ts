import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PanewardEvent } from "@paneward/sdk";
import { recordedOf } from "../screens/recorded.ts";
import { startDaemon } from "../support/daemon.ts";
import { makeRepository } from "../support/repository.ts";
import { until } from "../support/until.ts";

const kinds = ["claude", "codex", "gemini", "opencode", "pi"] as const;

test("an agent that has drawn nothing yet is starting, and idle only when its input line is drawn", async (t) => {
  // Each draws what the real one draws at first, once the test lets it.
  const daemon = await startDaemon(
    t,
    kinds.map((kind) => `[agents.${kind}]\ncmd = ["sh", "-c", ". $HOME/${kind}.sh"]`).join("\n"),
  );
  const { client, folder } = daemon;
  const { root } = makeRepository(daemon);
  for (const kind of kinds) writeFileSync(join(folder, `${kind}.sh`), drawsLater(folder, kind));

  async function beginsLate(kind: string): Promise<void> {
    const { id } = await client.new({ root, text: `Begin ${kind}`, agent: kind });
    const idle = client.wait({ ids: [String(id)], for: [{ kind: "idle" }], timeout: 60 });
    const { status, why } = await until("it has been silent for a second", async () => {
      const now = await client.explain({ id: String(id) });
      return now.witnesses.some(({ witness }) => witness === "silence") ? now : undefined;
    });
    assert.deepEqual([status, why.source], ["Running", "start"]);
    assert.match(why.rule, /^it is starting/);
    const drawnAt = Date.now();
    writeFileSync(join(folder, `${kind}.go`), "");
    assert.equal((await idle).results[0]?.kind, "idle");
    const { events } = await client.events({ limit: 10_000, types: "task_status_changed" });
    const reported = (events as PanewardEvent[]).filter(({ data }) => "task" in data && data.task === id);
    assert.deepEqual(
      reported.map(({ data, at }) => "status" in data && [data.status, at >= drawnAt]),
      [["Idle", true]],
    );
    const { turns } = await client.turns({ id: String(id) });
    assert.deepEqual(
      turns.map(({ actor, intent }) => `${actor}:${intent}`),
      ["user:command"],
    );
    await client.stop({ id: String(id) });
  }

  await t.test("every agent, and nothing is taken for the end of what it was given", async () => {
    await Promise.all(kinds.map(beginsLate));
  });

  await t.test("a restarted agent is starting again; a program that is not an agent is idle as before", async () => {
    const program = join(folder, "again", "claude");
    mkdirSync(join(folder, "again"));
    writeFileSync(program, `#!/bin/sh\n. ${folder}/claude.sh\n`);
    chmodSync(program, 0o755);
    const { id } = await client.run({ argv: [program] });
    await client.wait({ ids: [id], for: [{ kind: "idle" }], timeout: 60 });
    writeFileSync(join(folder, "claude.sh"), "clear; exec sleep 1000");
    await client.restart({ id });
    const { status, why } = await until("it has been silent for a second", async () => {
      const now = await client.explain({ id });
      return now.witnesses.some(({ witness }) => witness === "silence") ? now : undefined;
    });
    assert.deepEqual([status, why.source], ["Running", "start"]);
    const plain = await client.run({ argv: ["sleep", "1000"] });
    await client.wait({ ids: [plain.id], for: [{ kind: "idle" }], timeout: 60 });
    assert.equal((await client.explain({ id: plain.id })).why.source, "silence");
  });
});

function drawsLater(folder: string, kind: string): string {
  const recorded = recordedOf(kind).find(({ name }) => name === "idle-fresh");
  assert.ok(recorded);
  const screen = join(folder, `${kind}.txt`);
  writeFileSync(screen, recorded.view.lines.join("\r\n"));
  return `while ! [ -e ${folder}/${kind}.go ]; do sleep 0.05; done; cat ${screen}; exec sleep 1000\n`;
}
