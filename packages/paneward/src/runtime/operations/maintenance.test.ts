import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Config } from "@paneward/sdk";
import { defaultConfig } from "@paneward/sdk/config";
import type { Cleanup } from "../../../test/support/folder.ts";
import { endTerminal, memoryWorld, putTask, putTerminal } from "../../../test/support/memory-world.ts";
import { isBackupDue, maintain } from "./maintenance.ts";

const hour = 3_600_000;
const day = 24 * hour;

async function kept(t: Cleanup, config: Partial<Config> = {}) {
  const world = await memoryWorld(t, { config });
  const folders: { path: string; changedAt: number }[] = [];
  const backups: number[] = [];
  const longAgo = world.clock.now() - 100 * day;
  const since = { began: longAgo, repaired: longAgo };
  Object.assign(world.store, {
    began: () => since,
    backups: () => backups.slice(-1).map((at) => ({ path: "1", at })),
    backUp: async () => void backups.push(world.clock.now()),
  });
  world.deps.files.folders = async () => folders;
  let running: { stop(): void } | undefined;
  t.after(() => running?.stop());
  /** What a daemon that starts now does. */
  const start = async () => {
    running?.stop();
    running = maintain(world.deps);
    await world.clock.advance(0);
  };
  return { ...world, folders, backups, since, start, stop: () => running?.stop() };
}

describe("maintenance", () => {
  test("runs at start and every hour, until it is stopped", async (t) => {
    const { start, stop, clock, folders, removed, deps } = await kept(t);
    await start();
    folders.push({ path: `${deps.places.journals}/t9`, changedAt: clock.now() - 2 * day });
    await clock.advance(hour - 1);
    assert.equal(removed.length, 0);
    await clock.advance(1);
    assert.equal(removed.length, 1);
    stop();
    await clock.advance(5 * hour);
    assert.deepEqual([removed.length, clock.waiting], [1, 0]);
  });

  test("forgets a plain terminal a day after its end; not one that is kept, runs, or belongs to a task", async (t) => {
    const world = await kept(t);
    putTask(world);
    const [plain, keep, ofTask, runs] = [{}, { keep: true }, { task: 1 }, {}].map((more) => putTerminal(world, more));
    for (const one of [plain, keep, ofTask]) endTerminal(world, one?.id ?? "");
    await world.clock.advance(day);
    await world.start();
    assert.equal(world.store.terminals().length, 4);
    await world.clock.advance(hour);
    const left = world.store.terminals().map(({ id }) => id);
    assert.deepEqual(
      left,
      [keep, ofTask, runs].map((one) => one?.id),
    );
    assert.deepEqual(world.events("terminal_removed"), ["terminal_removed t1"]);
    assert.deepEqual(world.terminals.log, ["close paneward-t1-job"]);
  });

  test("forgets a closed question after a day, and a conversation a week after its agent ended", async (t) => {
    const world = await kept(t);
    const { store, clock, agents, questions } = world;
    const terminal = putTerminal(world);
    const agent = agents.began(terminal, "claude", false, "hello");
    const asked = { kind: "choice", text: "Go on?", options: [], freeText: true, hash: "h" } as never;
    questions.asked(terminal, asked, "screen", agent.id);
    questions.close(terminal.id, "test");
    questions.asked(terminal, asked, "screen", agent.id);
    agents.ended(store.agent(agent.id) ?? agent, "test");
    const left = () => [store.questions().length, store.agents().length];
    const timeline: readonly (readonly [number, readonly number[]])[] = [
      [day, [2, 1]],
      [day + 1, [1, 1]],
      [7 * day, [1, 1]],
      [7 * day + 1, [1, 0]],
    ];
    const began = clock.now();
    for (const [at, expected] of timeline) {
      await clock.advance(began + at - clock.now());
      await world.start();
      world.stop();
      assert.deepEqual(left(), expected, `${at / day} days`);
    }
  });

  test("trims events to what is configured", async (t) => {
    const world = await kept(t, { daemon: { ...defaultConfig.daemon, event_retention: 3 } });
    for (let at = 0; at < 10; at++) world.store.write((writer) => writer.append("tasks_changed", { reason: `${at}` }));
    await world.start();
    assert.deepEqual(world.store.eventRange(), { oldest: 8, newest: 10 });
  });

  test("removes journals of no terminal a day after they last changed", async (t) => {
    const world = await kept(t);
    const { clock, folders, deps, removed } = world;
    const { journal } = putTerminal(world);
    const { journals } = deps.places;
    const at = clock.now();
    folders.push({ path: journal, changedAt: at - 9 * day });
    folders.push({ path: `${journals}/t8`, changedAt: at - day });
    folders.push({ path: `${journals}/t9`, changedAt: at - day - 1 });
    await world.start();
    assert.deepEqual(removed, [`${journals}/t9`]);
  });

  test("keeps journals for 30 days that are older than the records: these may have been lost", async (t) => {
    const world = await kept(t);
    const { clock, folders, deps, removed, since } = world;
    since.repaired = clock.now() - day;
    const at = (days: number) => ({
      path: `${deps.places.journals}/t${days}`,
      changedAt: clock.now() - days * day - 1,
    });
    folders.push(at(2), at(29), at(30));
    await world.start();
    assert.deepEqual(removed, [`${deps.places.journals}/t30`]);
  });

  for (const [what, by] of [
    ["forward", 3 * day],
    ["back", -3 * day],
  ] as const) {
    test(`drops nothing because the machine's clock was set ${what}`, async (t) => {
      const world = await kept(t);
      const { clock, folders, deps, removed, store, questions } = world;
      const [before, after] = [putTerminal(world), putTerminal(world)];
      const asked = { kind: "choice", text: "Go on?", options: [], freeText: true, hash: "h" } as never;
      questions.asked(before, asked, "screen", undefined);
      endTerminal(world, before.id);
      questions.close(before.id, "test");
      folders.push({ path: `${deps.places.journals}/t8`, changedAt: clock.now() });
      await world.start();
      clock.setWall(by);
      endTerminal(world, after.id);
      folders.push({ path: `${deps.places.journals}/t9`, changedAt: clock.now() });
      await clock.advance(5 * hour);
      assert.deepEqual([store.terminals().length, store.questions().length, removed], [2, 1, []]);
    });
  }

  test("makes a backup a day", async (t) => {
    const { start, clock, backups } = await kept(t);
    const began = clock.now();
    await start();
    await clock.advance(49 * hour);
    assert.deepEqual(
      backups.map((at) => Math.round((at - began) / hour)),
      [0, 24, 48],
    );
  });

  test("that fails is logged, and tried again an hour later", async (t) => {
    const world = await kept(t);
    let fails = true;
    world.deps.files.folders = async () => {
      if (fails) throw new Error("disk");
      return [{ path: "/j/t9", changedAt: 0 }];
    };
    await world.clock.advance(2 * day);
    await world.start();
    assert.deepEqual([world.warnings, world.removed], [["maintenance failed"], []]);
    fails = false;
    await world.clock.advance(hour);
    assert.deepEqual(world.removed, ["/j/t9"]);
  });
});

describe("a backup", () => {
  const now = 1_000 * day;
  const table: readonly (readonly [string, number, number | undefined, boolean])[] = [
    ["is made at once if there is none", now - 60_000, undefined, true],
    ["is not made of records that have just begun", now - 59_999, undefined, false],
    ["is not made again of records that have just begun", now - hour + 1, now - hour + 1, false],
    ["is made again of records an hour after they began", now - hour, now - hour + 1, true],
    ["is made only once of records an hour after they began", now - 2 * hour, now - hour, false],
    ["is not made twice a day", now - 100 * day, now - day + 1, false],
    ["is made a day after the last one", now - 100 * day, now - day, true],
    ["is made when the last one seems to come from the future", now - 100 * day, now + day, true],
    ["is made of records that seem to come from the future", now + hour, undefined, true],
    ["displaces none of lost records for a day", now - day + 1, now - 9 * day, false],
    ["is made of new records after a day", now - day, now - 9 * day, true],
  ];
  for (const [what, began, newest, due] of table) {
    test(what, () => assert.equal(isBackupDue(now, began, newest), due));
  }
});

describe("journals on other hosts", () => {
  const host = { prefix: ["ssh"], quoting: "posix" } as const;

  test("are removed when no terminal of that host has them", async (t) => {
    const world = await kept(t, { hosts: { box: host, other: host } });
    const { terminals, deps } = world;
    const { journal } = putTerminal(world, { host: "box" });
    const asked: (readonly unknown[])[] = [];
    const gone: string[] = [];
    Object.assign(terminals, {
      oldJournals: async (...given: readonly unknown[]) => {
        asked.push(given);
        return [journal, "/j/t9"];
      },
      removeJournal: async (name: string, path: string) => void gone.push(`${name} ${path}`),
    });
    await world.start();
    const { journals } = deps.places;
    assert.deepEqual(asked, [
      ["box", journals, 1],
      ["other", journals, 1],
    ]);
    assert.deepEqual(gone, ["box /j/t9", `other ${journal}`, "other /j/t9"]);
  });

  test("of a host that fails are left for another time, and the next host has its turn", async (t) => {
    const world = await kept(t, { hosts: { box: host, other: host } });
    const gone: string[] = [];
    Object.assign(world.terminals, {
      oldJournals: async (name: string) => (name === "box" ? Promise.reject(new Error("lost")) : ["/j/t9"]),
      removeJournal: async (name: string, path: string) => void gone.push(`${name} ${path}`),
    });
    await world.start();
    assert.deepEqual([gone, world.warnings], [["other /j/t9"], ["journals of a host could not be removed"]]);
  });
});
