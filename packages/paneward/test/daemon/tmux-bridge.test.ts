import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { defaultConfig } from "@paneward/sdk";
import type { TerminalRecord } from "../../src/model/records.ts";
import { AgentBook } from "../../src/runtime/agents/agent-book.ts";
import { Availability } from "../../src/runtime/agents/availability.ts";
import { Attention } from "../../src/runtime/attention/attention.ts";
import { Courier, type CourierDeps } from "../../src/runtime/courier/courier.ts";
import { Prompts } from "../../src/runtime/courier/prompts.ts";
import { Typist } from "../../src/runtime/courier/typist.ts";
import { TmuxBridge } from "../../src/runtime/operations/tmux-bridge.ts";
import { QuestionBook } from "../../src/runtime/questions/question-book.ts";
import { openStore } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createHosts } from "../../src/terminals/hosts.ts";
import { createPaneInput } from "../../src/terminals/pane-input.ts";
import { createTerminals } from "../../src/terminals/terminals.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

test("the bridge of the older dashboard, on real panes", async (t) => {
  const folder = await temporaryFolder(t);
  const socketPath = join(folder, "tmux.sock");
  const env = { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8" };
  const tmux = (...args: readonly string[]) => execFileSync("tmux", ["-S", socketPath, ...args], { encoding: "utf8" });
  const clock = systemClock();
  const log = { info() {}, warn() {}, error() {} };
  const store = openStore(join(folder, "paneward.db"), clock);
  const hosts = createHosts(
    (name) => ({ ...{ name, prefix: [], quoting: "argv", socketPath, env }, journalSegments: 2, owner: folder }),
    () => ["local"],
  );
  const terminals = createTerminals(hosts);
  const [agents, questions, prompts] = [
    new AgentBook({ store, clock }),
    new QuestionBook({ store, clock }),
    new Prompts(clock),
  ];
  const attention = new Attention({ clock, log, terminals, cpuTime: () => undefined, stuckAfterMs: 600_000 });
  const configFor = async () => ({
    config: defaultConfig,
    files: [],
    warnings: [],
    project: { agents: {}, bootstrapCmd: undefined },
  });
  const typist = new Typist(createPaneInput(hosts), clock);
  const parts = { clock, log, store, terminals, attention, agents, questions, prompts, typist, configFor };
  const courier = new Courier(parts as unknown as CourierDeps);
  const caller = { who: "test", scope: "admin", door: "test" } as const;
  const bridge = new TmuxBridge(parts, (id, what) =>
    courier.send(
      { id, enter: what.keys === undefined, ack: 30, force: false, command: false, ...copied(what) },
      caller,
    ),
  );
  afterwards(t, async () => {
    courier.close();
    await terminals.stop();
    tmux("kill-server");
    store.close();
  });

  async function opened(id: string, argv: readonly string[]): Promise<string> {
    const spec = { host: "local", session: id, argv, cwd: folder, env, columns: 80, rows: 24 };
    const journal = join(folder, `journal-${id}`);
    const place = await terminals.open({ ...spec, journal });
    await terminals.follow(place, "local", journal);
    const record: TerminalRecord = {
      ...{ id, name: id, keep: true, phase: "running", place, createdAt: 1, startedAt: 1 },
      ...{ ...spec, journal },
    };
    store.write((writer) => writer.putTerminal(record));
    agents.began(record, "mine", false);
    return place.pane;
  }
  const mine = join(folder, "mine");
  const steps = ["#!/bin/sh", "echo up", 'while read line; do echo "got $line"; done', "while :; do sleep 1; done"];
  writeFileSync(mine, `${steps.join("\n")}\n`);
  chmodSync(mine, 0o755);
  const direct = await opened("direct", [mine]);
  // A shell in the foreground, with the agent two processes below it.
  const deep = await opened("deep", ["sh", "-c", `sh -c '${mine} & sleep 1000; true'; true`]);
  const other = await opened("other", ["sleep", "1000"]);

  await t.test("text and keys arrive, and the result says how long it took", async () => {
    const sent = await bridge.sendText(direct, "over the bridge");
    assert.deepEqual(
      { ...sent, latency_ms: 0 },
      { success: true, error_type: null, error_message: null, latency_ms: 0 },
    );
    assert.ok(sent.latency_ms >= 0);
    await until("it is read", async () => /^got over the bridge$/m.test((await bridge.capturePane(direct)).content));
    assert.equal((await bridge.sendKeys(direct, ["x", "Enter"])).success, true);
    await until("the keys are read", async () => /^got x$/m.test((await bridge.capturePane(direct)).content));
    assert.equal((await bridge.capturePane(direct, 1)).content, "got x");
  });

  await t.test("health has three levels", async () => {
    const seen = async (pane: string, level: "exists" | "command" | "process_tree") => {
      const { available, running, error_type, error_message } = await bridge.checkHealth(pane, level);
      return [available, running, error_type, error_message];
    };
    const [well, without] = [
      [true, true, null, null],
      [true, false, null, null],
    ];
    await until("the agent runs", async () => (await bridge.checkHealth(deep, "process_tree")).running);
    assert.deepEqual(await Promise.all([direct, deep, other].map((pane) => seen(pane, "exists"))), [well, well, well]);
    assert.deepEqual(await Promise.all([direct, other].map((pane) => seen(pane, "command"))), [well, without]);
    assert.deepEqual(await Promise.all([direct, deep, other].map((pane) => seen(pane, "process_tree"))), [
      well,
      well,
      without,
    ]);
    assert.equal(typeof (await bridge.checkHealth(direct)).pid, "number");
  });

  await t.test("an invalid pane id, an unknown pane and a pane that is gone each get their error type", async () => {
    for (const [pane, type] of [
      ["", "no_pane_id"],
      ["main:0.1", "no_pane_id"],
      ["%99", "pane_not_found"],
    ] as const) {
      assert.deepEqual(
        [(await bridge.sendText(pane, "x")).error_type, (await bridge.checkHealth(pane)).error_type],
        [type, type],
      );
      assert.equal((await bridge.capturePane(pane)).error_type, type);
    }
    tmux("kill-pane", "-t", other);
    assert.deepEqual(await bridge.checkHealth(other), {
      ...{ available: false, running: false, pid: null, error_type: "pane_not_found" },
      error_message: `pane ${other} cannot be looked at: pane_not_found`,
    });
    const sent = await bridge.sendText(other, "x");
    assert.deepEqual([sent.success, sent.error_type], [false, "pane_not_found"]);
  });

  await t.test("the tracker reports each change once, looking at every interval", async () => {
    let there = true;
    const looked = { health: async () => ({ available: there, running: there }) };
    const tracker = new Availability({ store, clock, agents, terminals: looked });
    const id = agents.of("direct")?.id ?? "";
    const told = () =>
      store
        .events(0, 10_000)
        .flatMap(({ type, data }) => (type === "commander_availability" ? [data as { agent_id: string }] : []))
        .filter(({ agent_id }) => agent_id === id);
    tracker.begin(0.02);
    afterwards(t, () => tracker.stop());
    await until("it is there", () => told().length === 1);
    there = false;
    await until("it is gone", () => told().length === 2);
    const [first, second] = told() as unknown as readonly Readonly<Record<string, unknown>>[];
    assert.deepEqual(Object.keys(first ?? {}).sort(), ["agent_id", "available", "timestamp"]);
    assert.deepEqual([first?.available, second?.available], [true, false]);
    const agent = store.agent(id);
    assert.ok(agent && !tracker.isAvailable(agent));
  });
});

function copied({ text, keys }: { readonly text?: string; readonly keys?: readonly string[] }) {
  return { ...(text === undefined ? {} : { text }), ...(keys === undefined ? {} : { keys: [...keys] }) };
}
