import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { killTmux, startDaemon, type TestDaemon } from "../support/daemon.ts";
import { temporaryFolder } from "../support/folder.ts";
import { loneSleep, running } from "../support/lone-sleep.ts";
import { makeRepository } from "../support/repository.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

const socketOf = ({ env }: TestDaemon) => env.PANEWARD_TMUX_SOCKET_PATH ?? "";

async function reboot(daemon: TestDaemon): Promise<void> {
  await daemon.kill("SIGKILL");
  killTmux(socketOf(daemon));
  await daemon.start();
}

/** One process of it, and not two: its terminal is known a moment before its program begins. */
async function runsOnce(program: ReturnType<typeof loneSleep>): Promise<number> {
  const pids = await until("it runs", () => {
    const found = running(program);
    return found.length > 0 && found;
  });
  assert.equal(pids.length, 1);
  return pids[0] ?? 0;
}

const isOver = (program: ReturnType<typeof loneSleep>) => until("it ended", () => running(program).length === 0);

async function statusOf({ client }: TestDaemon, id: string): Promise<string> {
  return (await client.explain({ id })).status;
}

test("after the loss of tmux server and daemon", async (t) => {
  const agent = scriptedAgent(await temporaryFolder(t), "claude");
  const daemon = await startDaemon(t, `[agents.claude]\ncmd = ${JSON.stringify([agent.file])}\n`);
  const { client } = daemon;
  const { root } = makeRepository(daemon);
  const gone = join(daemon.folder, "gone");
  mkdirSync(gone);
  const [service, job, stopped, homeless] = [loneSleep(t), loneSleep(t), loneSleep(t), loneSleep(t)];
  const one = await client.run({ argv: [...service], name: "service", keep_running: true });
  const two = await client.run({ argv: [...job], name: "job", env: { COLOUR: "green" } });
  const three = await client.run({ argv: [...stopped], name: "stopped" });
  const four = await client.run({ argv: ["sh", "-c", "exit 3"], name: "ended" });
  const five = await client.run({ argv: [...homeless], name: "homeless", cwd: gone });
  const printing = await client.run({
    argv: ["sh", "-c", "echo colour $COLOUR in $PWD; cat"],
    name: "printing",
    env: { COLOUR: "green" },
    cwd: root,
  });
  await client.stop({ id: three.id });
  await client.wait({ ids: [four.id], for: [{ kind: "exited" }] });
  await client.new({ root, text: "SAY hello", agent: "claude" });
  await agent.noted("stopped");
  const known = await until("the conversation is known", async () => {
    const { agents } = await client.agents({});
    return agents.find(({ state, session_id: session }) => state === "complete" && session !== undefined);
  });
  await client.wait({ ids: [printing.id], for: [{ kind: "output", pattern: "colour green" }] });
  rmSync(gone, { recursive: true });
  await reboot(daemon);

  await t.test("a service runs again by itself, once, in its terminal", async () => {
    await until("it runs", async () => (await statusOf(daemon, one.id)) !== "Lost");
    await runsOnce(service);
    const { keepRunning } = await client.explain({ id: one.id });
    assert.equal(keepRunning, true);
  });

  await t.test("the others are lost, and say what would bring them back", async () => {
    const { terminals, tasks, restore } = await client.ps({});
    const lost = new Map(terminals.map(({ id, status, why, restore }) => [id, { status, why, restore }]));
    assert.deepEqual(lost.get(two.id)?.restore, { can: true, command: `paneward restore ${two.id}` });
    assert.match(lost.get(two.id)?.why.rule ?? "", new RegExp(`; paneward restore ${two.id}$`));
    assert.match(lost.get(five.id)?.why.rule ?? "", /it cannot be restored: its folder .*gone is gone$/);
    assert.equal(lost.get(three.id)?.status, "Stopped");
    assert.equal(lost.get(four.id)?.status, "Exited");
    assert.deepEqual(tasks[0]?.restore, { can: true, command: "paneward restore 1" });
    assert.deepEqual(restore, { can: 3, cannot: 1 });
    const { events } = await client.events({ types: "restore_offered" });
    assert.deepEqual(events.at(-1)?.data, { can: 3, cannot: 1 });
  });

  await t.test("a dry run starts nothing, and says how each would come back", async () => {
    const { restored } = await client.restore({ dry_run: true });
    assert.deepEqual(
      restored.map(({ id, outcome, as }) => [id, outcome, as]),
      [
        [two.id, "would", "anew"],
        [five.id, "cannot", undefined],
        [printing.id, "would", "anew"],
        ["1", "would", "conversation"],
      ],
    );
    assert.equal(running(job).length, 0);
  });

  await t.test("called three times at once, each is started once, an agent with its conversation", async () => {
    const answers = await Promise.all([client.restore({}), client.restore({ ids: [two.id, "1"] }), client.restore({})]);
    const all = answers.flatMap(({ restored }) => restored);
    for (const id of [two.id, printing.id, "1"]) {
      const outcomes = all.filter((one) => one.id === id).map(({ outcome }) => outcome);
      assert.equal(outcomes.filter((one) => one === "restored").length, 1, id);
      assert.ok(outcomes.every((one) => one === "restored" || one === "runs"));
    }
    await runsOnce(job);
    assert.equal(all.find(({ id, outcome }) => id === "1" && outcome === "restored")?.as, "conversation");
    const { argv = [] } = await agent.noted("ready", 2);
    assert.deepEqual(argv.slice(-2), ["--resume", known.session_id]);
    const { events } = await client.events({ types: "restore_offered" });
    assert.deepEqual(events.at(-1)?.data, { can: 0, cannot: 1 });
  });

  await t.test("its folder and its variables are as they were, and its journal continues", async () => {
    await until("it printed twice", async () => {
      const { output } = await client.read({ id: printing.id, all: "true" });
      return output.split(`colour green in ${root}`).length === 3;
    });
  });

  await t.test("one that was stopped while it was lost stays stopped", async () => {
    await reboot(daemon);
    await until("it is lost", async () => (await statusOf(daemon, two.id)) === "Lost");
    await client.stop({ id: two.id });
    assert.equal(await statusOf(daemon, two.id), "Stopped");
    const { restored } = await client.restore({ ids: [two.id] });
    assert.deepEqual(restored[0]?.outcome, "cannot");
    await isOver(job);
  });

  await t.test("a service that was lost again soon waits for a person", async () => {
    const { status, restore } = await client.explain({ id: one.id });
    assert.equal(status, "Lost");
    assert.match(restore?.reason ?? "", /^it came back by itself and was lost again after \d+ s$/);
    await isOver(service);
    const { restored } = await client.restore({ ids: [one.id] });
    assert.equal(restored[0]?.outcome, "restored");
    await runsOnce(service);
  });

  await t.test("when only the tmux server is killed, a service comes back and nothing else", async () => {
    const before = await runsOnce(service);
    killTmux(socketOf(daemon));
    await until("another process of it runs", () => running(service).some((pid) => pid !== before));
    await until("it is known", async () => (await statusOf(daemon, one.id)) !== "Lost");
    await runsOnce(service);
    await client.keep_running({ id: one.id, on: false });
    assert.equal((await client.explain({ id: one.id })).keepRunning, undefined);
  });
});

test('with restore = "always" everything comes back, with "never" nobody is told', async (t) => {
  const always = await startDaemon(t, '[daemon]\nrestore = "always"\n');
  const never = await startDaemon(t, '[daemon]\nrestore = "never"\n');
  for (const [daemon, comesBack] of [
    [always, true],
    [never, false],
  ] as const) {
    const job = loneSleep(t);
    const { id } = await daemon.client.run({ argv: [...job] });
    await reboot(daemon);
    if (comesBack) await until("it runs", async () => (await statusOf(daemon, id)) !== "Lost");
    if (comesBack) await runsOnce(job);
    else await isOver(job);
    const { restore } = await daemon.client.ps({});
    assert.equal(restore, undefined);
    assert.deepEqual((await daemon.client.events({ types: "restore_offered" })).events, []);
  }
});

test("a program that outlives its terminal is not started beside itself", async (t) => {
  const daemon = await startDaemon(t);
  const job = loneSleep(t);
  // The hangup that comes with the loss is ignored by what it starts.
  const { id } = await daemon.client.run({ argv: ["sh", "-c", `trap "" HUP; ${job.join(" ")}`] });
  await runsOnce(job);
  killTmux(socketOf(daemon));
  await until("it is lost", async () => (await statusOf(daemon, id)) === "Lost");
  const [pid = 0] = running(job);
  try {
    const { restored } = await daemon.client.restore({ ids: [id] });
    assert.equal(restored[0]?.outcome, "cannot");
    assert.match(restored[0]?.reason ?? "", new RegExp(`still runs, outside of any terminal: process .*${pid}`));
    await runsOnce(job);
  } finally {
    process.kill(pid, "SIGKILL");
  }
  const { restored } = await daemon.client.restore({ ids: [id] });
  assert.equal(restored[0]?.outcome, "restored", String(restored[0]?.reason));
  await runsOnce(job);
});
