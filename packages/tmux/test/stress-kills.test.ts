import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openJournal } from "../src/journal.ts";
import { TmuxError } from "../src/protocol/errors.ts";
import { killSession } from "../src/session.ts";
import { openSession } from "../src/terminal.ts";
import type { LinkStatus } from "../src/transport/link.ts";
import { shell } from "./contract/fixture.ts";
import { amount } from "./support/amount.ts";
import { watched } from "./support/events.ts";
import { here, privateServer } from "./support/place.ts";
import { until } from "./support/until.ts";

const kills = amount(10, 50);

test("killing the control process during a stream of commands: each is answered, failed or of unknown outcome", async (t) => {
  const statuses: LinkStatus[] = [];
  const { server } = await privateServer(t, here, { onStatus: (status) => statuses.push(status) });
  const outcomes: Promise<"answered" | "unknown">[] = [];
  const reads: Promise<readonly string[]>[] = [];
  const command = (at: number) =>
    server.run([["set-option", "-g", `@n${at}`, "set"]]).then(
      () => "answered" as const,
      (error: unknown) => {
        assert.ok(error instanceof TmuxError && error.type === "unknown" && error.delivered === "maybe", String(error));
        return "unknown" as const;
      },
    );
  for (let kill = 0; kill < kills; kill++) {
    const pid = await until(
      "control mode is back",
      () => server.status().transport === "control" && server.controlPid(),
    );
    for (let burst = 0; burst < 20; burst++) {
      for (let more = 0; more < 10; more++) outcomes.push(command(outcomes.length));
      reads.push(server.run([["display-message", "-p", String(reads.length)]], { readOnly: true }));
      if (burst === 10) process.kill(pid, "SIGKILL");
      await new Promise(setImmediate);
    }
    await until("the link noticed", () => server.controlPid() !== pid);
  }
  const results = await Promise.all(outcomes);
  const answers = await Promise.all(reads);
  assert.deepEqual(
    answers.map(([line]) => line),
    answers.map((_, at) => String(at)),
  );
  const set = new Set(
    (await server.run([["show-options", "-g"]])).flatMap((line) => /^(@n\d+) /.exec(line)?.[1] ?? []),
  );
  for (const [at, outcome] of results.entries()) {
    if (outcome === "answered") assert.ok(set.has(`@n${at}`), `command ${at} was answered but had no effect`);
  }
  await until("control mode is back for good", () => server.status().transport === "control");
  const spawnStatuses = statuses.filter((status) => status.transport === "spawn");
  assert.equal(spawnStatuses.length, kills);
  for (const { reason } of spawnStatuses) assert.match(reason, /SIGKILL|ended|exited/);
});

test("killing the listening process during a stream of events loses and repeats none", async (t) => {
  const { server, folder } = await privateServer(t);
  const { watcher, of, first } = await watched(t, server, 1_000);
  const opened: { readonly name: string; readonly pid: number; readonly code: number }[] = [];
  const program = async (kill: number, at: number) => {
    const name = `k${kill}-${at}`;
    const code = (kill * 4 + at) % 250;
    const journal = at % 2 === 0 ? await openJournal(server.files, join(folder, name)) : undefined;
    // Without the wrapper tmux may lose output printed right before the exit, including the bell.
    const argv = shell(journal ? `printf 'ding\\a'; exit ${code}` : `exit ${code}`);
    const { pane, pid } = await openSession(server, { name, argv, ...(journal ? { journal } : {}) });
    if (journal) watcher.addJournal(pane, journal);
    opened.push({ name, pid, code });
  };
  for (let kill = 0; kill < kills; kill++) {
    const pid = await until("the watcher listens", () => watcher.connectionPid);
    const programs = [0, 1, 2, 3].map((at) => program(kill, at));
    process.kill(pid, "SIGKILL");
    await Promise.all(programs);
    await until("it listens again", () => watcher.connectionPid !== undefined && watcher.connectionPid !== pid);
  }
  for (const { name, pid } of opened) {
    await first("pane_died", (event) => event.pid === pid);
    await killSession(server, name);
    await first("session_closed", (event) => event.name === name);
  }
  assert.deepEqual(
    of("pane_died")
      .map(({ pid, exit }) => [pid, exit.kind === "exited" && exit.code])
      .sort(byPid),
    opened.map(({ pid, code }) => [pid, code]).sort(byPid),
  );
  const names = opened.map(({ name }) => name).sort();
  assert.deepEqual(
    of("session_opened")
      .map(({ name }) => name)
      .sort(),
    names,
  );
  assert.deepEqual(
    of("session_closed")
      .map(({ name }) => name)
      .sort(),
    names,
  );
  assert.equal(new Set(of("bell").map(({ window }) => window)).size, names.length / 2);
  assert.equal(of("bell").length, names.length / 2);
  assert.equal(new Set(of("window_opened").map(({ window }) => window)).size, of("window_opened").length);
  assert.equal(of("window_opened").length, names.length);
  assert.equal(of("window_closed").length, names.length);
});

function byPid([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return Number(a) - Number(b);
}
