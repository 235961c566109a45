import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openJournal } from "../src/journal.ts";
import type { Exit } from "../src/protocol/formats.ts";
import type { TmuxEvent } from "../src/protocol/ledger.ts";
import { killSession } from "../src/session.ts";
import { openSession } from "../src/terminal.ts";
import { watchServer } from "../src/watch.ts";
import { shell, wholeJournal } from "./contract/fixture.ts";
import { amount } from "./support/amount.ts";
import { watched } from "./support/events.ts";
import { afterwards, type Cleanup } from "./support/folder.ts";
import { here, privateServer } from "./support/place.ts";

const ends: readonly (readonly [string, Exit])[] = [
  ["exit 0", { kind: "exited", code: 0 }],
  ["exit 3", { kind: "exited", code: 3 }],
  ["kill -9 $$", { kind: "killed", signal: 9 }],
  ["kill -15 $$", { kind: "killed", signal: 15 }],
];
const output = Array.from({ length: 2_000 }, (_, at) => `${at + 1}\r\n`).join("");

test("programs that print and exit at once, one by one, keep their whole output and exit", async (t) => {
  const run = await runner(t);
  for (let at = 0; at < amount(60, 1_000); at++) await run(at);
});

test("programs that print and exit at once, 50 at a time, keep their whole output and exit", async (t) => {
  const run = await runner(t);
  for (let at = 0; at < amount(100, 1_000); at += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, more) => run(at + more)));
  }
});

test("exits of programs without a wrapper are reported with their status, though tmux misses some", async (t) => {
  const { server } = await privateServer(t);
  const { first, of } = await watched(t, server, 100);
  const count = amount(25, 400);
  for (let at = 0; at < count; at++) {
    const { pane } = await openSession(server, { name: `p${at}`, argv: shell(`exit ${at % 200}`) });
    const died = await first("pane_died", (event) => event.pane === pane);
    assert.deepEqual(died.exit, { kind: "exited", code: at % 200 });
  }
  assert.equal(of("pane_died").length, count);
});

// Runs one program; checks its journal at the moment its exit is reported.
async function runner(t: Cleanup): Promise<(at: number) => Promise<void>> {
  // 50 programs at a time on a busy machine: this test does not measure tmux's speed.
  const { server, folder } = await privateServer(t, { ...here, host: { ...here.host, patienceMs: 60_000 } });
  const watcher = await watchServer(server);
  const waiting = new Map<number, (event: TmuxEvent & { kind: "pane_died" }) => void>();
  const early = new Map<number, TmuxEvent & { kind: "pane_died" }>();
  const reading = (async () => {
    for await (const event of watcher) {
      if (event.kind !== "pane_died") continue;
      assert.ok(!early.has(event.pid), `the end of ${event.pid} was reported twice`);
      early.set(event.pid, event);
      waiting.get(event.pid)?.(event);
    }
  })();
  afterwards(t, async () => {
    await watcher.close();
    await reading;
  });
  return async (at) => {
    const [script, exit] = ends[at % ends.length] ?? ["", { kind: "unknown" }];
    const journal = await openJournal(server.files, join(folder, `j${at}`));
    const argv = shell(`seq 1 2000; ${script}`);
    const { pane, pid } = await openSession(server, { name: `p${at}`, argv, journal });
    watcher.addJournal(pane, journal);
    const died = early.get(pid) ?? (await new Promise((resolve) => waiting.set(pid, resolve)));
    assert.deepEqual(died, { kind: "pane_died", pane, pid, exit });
    const { text, holes, missed } = await wholeJournal(journal);
    assert.ok(text === output, `${pane} printed ${text.length} of ${output.length} bytes`);
    assert.deepEqual([holes, missed], [0, 0]);
    watcher.removeJournal(pane);
    await killSession(server, `p${at}`);
    await server.files.remove(journal.folder);
  };
}
