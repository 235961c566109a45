import assert from "node:assert/strict";
import { test } from "node:test";
import type { PanewardEvent } from "@paneward/sdk";
import { type Random, random } from "../../../tmux/test/support/random.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

const kills = process.env.PANEWARD_SOAK ? 200 : 20;

test(`a daemon killed ${kills} times under load loses nothing that it acknowledged`, {
  timeout: 3_000_000,
}, async (t) => {
  const daemon = await startDaemon(t);
  const { id: listener } = await daemon.client.run({ argv: ["cat"], name: "listener" });
  const kept = { codes: new Map<string, number>(), deliveries: new Set<string>(), tokens: new Set<string>() };
  const chance = random(t);

  for (let kill = 0; kill < kills; kill++) {
    const load = new AbortController();
    const busy = [
      starting(daemon, kept.codes, load.signal, chance),
      sending(daemon, listener, kept.deliveries, load.signal),
      making(daemon, kept.tokens, load.signal),
    ];
    // Every second time something was acknowledged before; else the moment is random on purpose: that is being tested.
    const before = kept.codes.size;
    if (kill % 2 === 0) await until("a start is acknowledged", () => kept.codes.size > before);
    await new Promise((resolve) => setTimeout(resolve, 20 + chance.below(300)));
    await daemon.kill("SIGKILL");
    load.abort();
    await Promise.all(busy);
    await daemon.start();
  }

  const ids = [...kept.codes.keys()];
  assert.ok(ids.length >= kills / 2, `only ${ids.length} starts were acknowledged`);
  await until("all ends", async () => {
    const { terminals } = await daemon.client.ps({ all: "true" });
    return terminals.every(({ end, name }) => end !== undefined || name === "listener");
  });
  const { terminals } = await daemon.client.ps({ all: "true" });
  for (const [id, code] of kept.codes) {
    assert.deepEqual(terminals.find((terminal) => terminal.id === id)?.end, { kind: "exited", code }, id);
  }
  const events = await allEvents(daemon);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, at) => at + 1),
    "event numbers without gap or double",
  );
  for (const id of ids) {
    const closed = events.filter((event) => event.type === "terminal_closed" && event.data.terminal === id);
    assert.equal(closed.length, 1, `the end of ${id} was told ${closed.length} times`);
  }
  const told = new Set(events.flatMap((event) => (event.type === "delivery_updated" ? [event.data.delivery] : [])));
  assert.deepEqual(
    [...kept.deliveries].filter((id) => !told.has(id)),
    [],
  );
  const tokens = new Set((await daemon.client.token_list({})).tokens.map(({ id }) => id));
  assert.deepEqual(
    [...kept.tokens].filter((id) => !tokens.has(id)),
    [],
  );
  const sessions = (await daemon.client.sessions({})).sessions.map(({ name }) => name);
  const known = new Set(terminals.map(({ session }) => session));
  assert.deepEqual(
    sessions.filter((name) => !known.has(name)),
    [],
    "no orphan tmux session",
  );
});

async function starting(
  daemon: TestDaemon,
  codes: Map<string, number>,
  signal: AbortSignal,
  chance: Random,
): Promise<void> {
  while (!signal.aborted) {
    const code = chance.below(100);
    try {
      const { id } = await daemon.client.run({
        argv: ["sh", "-c", `echo working; sleep 0.0${code % 10}; exit ${code}`],
      });
      codes.set(id, code);
    } catch {
      return;
    }
  }
}

async function sending(daemon: TestDaemon, id: string, deliveries: Set<string>, signal: AbortSignal): Promise<void> {
  for (let at = 0; !signal.aborted; at++) {
    try {
      deliveries.add((await daemon.client.send({ id, text: `line ${at}` })).id);
    } catch {
      return;
    }
  }
}

async function making(daemon: TestDaemon, tokens: Set<string>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      tokens.add((await daemon.client.token_create({ scope: "read" })).id);
    } catch {
      return;
    }
  }
}

async function allEvents(daemon: TestDaemon): Promise<readonly PanewardEvent[]> {
  const all: PanewardEvent[] = [];
  for (;;) {
    const { events } = await daemon.client.events({ after: all.length, limit: 10_000 });
    if (events.length === 0) return all;
    all.push(...(events as PanewardEvent[]));
  }
}
