import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Config } from "@paneward/sdk";
import type { Cleanup } from "../../../test/support/folder.ts";
import { memoryTasks } from "../../../test/support/memory-tasks.ts";
import { runSpec } from "../../../test/support/memory-world.ts";
import { until } from "../../../test/support/until.ts";
import { keyedMutex } from "../../model/keyed-mutex.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { afterLossMs } from "../../model/timing.ts";
import { ComeBack, countLost } from "./come-back.ts";
import { restoreTerminal } from "./restore.ts";

/** A service and a job that run, with what brings them back. */
async function running(t: Cleanup, restore: Config["daemon"]["restore"]) {
  const world = await memoryTasks(t);
  const { deps, supervisor, store, terminals, clock } = world;
  const service = await supervisor.run({ ...runSpec, name: "service", keepRunning: true });
  const job = await supervisor.run({ ...runSpec, name: "job" });
  const all = { ...deps, restore, lock: keyedMutex() };
  const comeBack = new ComeBack(all);
  comeBack.begin();
  let servers = 1;
  const lose = async () => {
    terminals.newServer(`server-${++servers}`);
    terminals.tell({ kind: "host_lost", host: "local", reason: "" });
    await until("both are lost", () => [service, job].every((one) => statusOf(one) === "lost"));
    await clock.advance(afterLossMs);
  };
  /** What is to be on the disk first takes real time. */
  const are = (first: string, second: string) =>
    until(`service and job are ${first} and ${second}`, () => statusOf(service) === first && statusOf(job) === second);
  const opened = () => terminals.log.filter((line) => line.startsWith("open ")).length - 2;
  const statusOf = ({ id }: TerminalRecord) => store.terminal(id)?.end?.kind ?? store.terminal(id)?.phase;
  return { ...world, all, comeBack, service, lose, are, opened };
}

describe("after the tmux server was lost", () => {
  test("a service comes back, the rest is offered once", async (t) => {
    const { lose, are, opened, dataOf, all } = await running(t, "ask");
    await lose();
    await are("running", "lost");
    await until("it is offered", () => dataOf("restore_offered").length > 0);
    assert.deepEqual(dataOf("restore_offered"), [{ can: 1, cannot: 0 }]);
    assert.deepEqual([countLost(all), opened()], [{ can: 1, cannot: 0 }, 1]);
  });

  test("all comes back when that is wanted, and nothing is offered", async (t) => {
    const { lose, are, dataOf, comeBack } = await running(t, "always");
    await lose();
    await are("running", "running");
    await comeBack.stop();
    assert.deepEqual(dataOf("restore_offered"), []);
  });

  test("with never, only a service comes back, without a notice", async (t) => {
    const { lose, are, dataOf, all, comeBack } = await running(t, "never");
    await lose();
    await are("running", "lost");
    await comeBack.stop();
    assert.deepEqual(dataOf("restore_offered"), []);
    assert.equal(countLost(all), undefined);
  });

  test("what is lost again at once waits for a person, and is offered", async (t) => {
    const { lose, are, service, opened, dataOf, supervisor, store } = await running(t, "ask");
    await lose();
    await are("running", "lost");
    await lose();
    await until("it is offered", () => JSON.stringify(dataOf("restore_offered").at(-1)) === '{"can":2,"cannot":0}');
    assert.equal(opened(), 1);
    await supervisor.restart(store.terminal(service.id) as TerminalRecord);
    await lose();
    await are("running", "lost");
    assert.equal(opened(), 3, "a person's start begins a new count");
  });

  test("the next daemon reports nothing of what was lost before it", async (t) => {
    const { lose, are, dataOf, comeBack, all, clock } = await running(t, "ask");
    await lose();
    await are("running", "lost");
    await until("it is offered", () => dataOf("restore_offered").length > 0);
    await comeBack.stop();
    const next = new ComeBack({ ...all, startedAt: clock.now() + 1 });
    next.begin();
    await next.stop();
    assert.equal(dataOf("restore_offered").length, 1);
  });

  test("nothing is started while the daemon stops", async (t) => {
    const { lose, comeBack, opened } = await running(t, "always");
    await comeBack.stop();
    await lose();
    assert.equal(opened(), 0);
  });
});

test("a conversation that continues elsewhere is not opened again", async (t) => {
  const { deps, supervisor, agents, terminals, store } = await memoryTasks(t);
  const record = await supervisor.run({ ...runSpec, argv: ["claude"] });
  const agent = agents.of(record.id)?.id ?? "";
  agents.learned(agent, { session_id: "s1" });
  agents.said(agent, { actor: "user", intent: "command", text: "hello", way: "told" });
  terminals.newServer("server-2");
  terminals.tell({ kind: "host_lost", host: "local", reason: "" });
  await until("it is lost", () => store.terminal(record.id)?.end?.kind === "lost");
  const elsewhere = agents.beganOutside("claude", "/work");
  agents.learned(elsewhere.id, { session_id: "s1" });
  const lost = () => store.terminal(record.id) as TerminalRecord;
  const refused = await restoreTerminal(deps, lost(), {});
  assert.equal(refused.outcome, "cannot");
  assert.match(refused.reason ?? "", /its conversation continues elsewhere: agent a\d+, outside of tmux/);
  agents.ended(elsewhere, "it ended");
  assert.deepEqual(await restoreTerminal(deps, lost(), {}), {
    id: "t1",
    name: "job",
    outcome: "restored",
    as: "conversation",
  });
  assert.equal((await restoreTerminal(deps, lost(), {})).outcome, "runs");
});
