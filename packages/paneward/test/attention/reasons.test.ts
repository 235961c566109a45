import assert from "node:assert/strict";
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PanewardEvent } from "@paneward/sdk";
import { type Recorded, recordedOf } from "../screens/recorded.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { makeRepository, scriptedAgent } from "../support/repository.ts";
import { until } from "../support/until.ts";

test("statuses that have a reason of their own, seen by a daemon", async (t) => {
  // It rings on command, and never asks.
  const daemon = await startDaemon(
    t,
    scriptedAgent("while ! [ -e \"$HOME/ring\" ]; do sleep 0.05; done; printf 'I am done\\n\\007'; exec cat"),
  );
  const { client } = daemon;
  const seen = (id: string, what: string, isSo: (now: Awaited<ReturnType<typeof client.explain>>) => boolean) =>
    until(`${id} is ${what}`, async () => {
      const now = await client.explain({ id });
      return isSo(now) ? now : undefined;
    });

  for (const kind of ["claude", "codex", "gemini", "opencode", "pi"]) {
    const dead = recordedOf(kind).filter(({ expected }) => expected.says === "idle" && expected.detail !== undefined);
    await t.test(`${kind}: a screen that says that it can go no further is a status with that reason`, async () => {
      assert.ok(new Set(dead.map(({ expected }) => expected.detail)).size > 0, "some were recorded");
      await Promise.all(
        dead.map(async (recorded) => {
          const { id } = await shown(daemon, kind, recorded);
          const { status, why } = await seen(id, recorded.name, (now) => now.why.detail !== undefined);
          assert.deepEqual([status, why.detail], ["Idle", recorded.expected.detail], recorded.name);
          const { terminals } = await client.ps({});
          assert.equal(terminals.find((one) => one.id === id)?.why.detail, recorded.expected.detail);
          await client.stop({ id });
        }),
      );
    });
  }

  const titles = {
    codex: { working: "⠋ shop", needs_input: "[ ! ] Action Required | shop", idle: "shop" },
    gemini: { working: "✦  Working… (shop)", needs_input: "✋  Action Required (shop)", idle: "◇  Ready (shop)" },
  };
  for (const [kind, words] of Object.entries(titles)) {
    await t.test(`${kind}: its title counts when its screen says nothing`, async () => {
      const next = join(daemon.folder, `title-${kind}`);
      // The title is what stands in the file; it prints nothing else.
      const taken = `mv ${next} ${next}.taken 2>/dev/null`;
      const titles = `if ${taken}; then printf '\\033]2;%s\\007' "$(cat ${next}.taken)"; fi`;
      const program = programOf(daemon, kind, [`while :; do ${titles}; sleep 0.05; done`]);
      const { id } = await client.run({ argv: [program] });
      for (const [says, title] of Object.entries(words)) {
        writeFileSync(`${next}.new`, title);
        renameSync(`${next}.new`, next);
        const status = { working: "Running", needs_input: "Waiting", idle: "Idle" }[says];
        const { why } = await seen(id, says, (now) => now.status === status && now.why.source === "title");
        assert.match(why.rule, /title/);
      }
    });
  }

  await t.test("a bell of a task is reported once per ring, with its task", async () => {
    const { root } = makeRepository(daemon);
    const task = await client.new({ root, text: "Ring when you are done" });
    await until("it runs", async () => (await client.ps({})).tasks.find(({ id }) => id === task.id)?.terminal);
    writeFileSync(join(daemon.folder, "ring"), "");
    const reported = await until("it is reported", async () => {
      const { events } = await client.events({ limit: 10_000, types: "task_notified" });
      return events.length > 0 ? (events as PanewardEvent[]) : undefined;
    });
    assert.deepEqual(
      reported.map(({ data }) => data),
      [{ task: task.id, slug: task.slug, count: 1 }],
    );
    const rang = await seen(String(task.id), "waiting", (now) => now.status === "Waiting");
    assert.equal(rang.why.source, "bell");
    assert.deepEqual(
      (await client.questions({})).questions.filter((one) => one.task === task.id),
      [],
    );
  });
});

/** A recorded screen of a real agent, as its program draws it. */
async function shown(daemon: TestDaemon, kind: string, { name, view }: Recorded) {
  const file = join(daemon.folder, `${kind}-${name}.txt`);
  const { row = view.lines.length - 1, column = 0 } = view.cursor ?? {};
  writeFileSync(
    file,
    `\u001b]2;${view.title}\u0007\u001b[?25l${view.lines.join("\r\n")}\u001b[${row + 1};${column + 1}H`,
  );
  const program = programOf(daemon, kind, [`cat ${file}`, "exec sleep 1000"], name);
  return daemon.client.run({ argv: [program], columns: view.columns, rows: view.lines.length });
}

function programOf(daemon: TestDaemon, kind: string, steps: readonly string[], name = "title"): string {
  const folder = join(daemon.folder, `programs-${kind}-${name}`);
  mkdirSync(folder);
  const program = join(folder, kind);
  writeFileSync(program, `#!/bin/sh\n${steps.join("\n")}\n`);
  chmodSync(program, 0o755);
  return program;
}
