import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import type { Cleanup } from "../../../test/support/folder.ts";
import { memoryWorld, putTask, runSpec } from "../../../test/support/memory-world.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { Supervisor } from "./supervisor.ts";

async function supervised(t: Cleanup) {
  const world = await memoryWorld(t);
  const supervisor = new Supervisor(world.deps);
  const running = async (more: Partial<typeof runSpec & { task: number }> = {}) => {
    const record = await supervisor.run({ ...runSpec, ...more });
    return record as TerminalRecord & { readonly place: NonNullable<TerminalRecord["place"]> };
  };
  return { ...world, supervisor, running };
}

describe("a start", () => {
  test("records the terminal, then opens it, then reports it", async (t) => {
    const { terminals, store, running, events, clock } = await supervised(t);
    const seen: (string | undefined)[] = [];
    terminals.beforeOpen = () => void seen.push(store.terminal("t1")?.phase);
    const { phase, startedAt, place, env, session } = await running();
    assert.deepEqual(seen, ["starting"]);
    assert.deepEqual([phase, startedAt, place.pane, session], ["running", clock.now(), "%1", "paneward-t1-job"]);
    assert.deepEqual(env, { PANEWARD_TERMINAL: "t1" });
    assert.deepEqual(events(), ["terminal_opened t1"]);
  });

  test("gives a second program of the same name another name", async (t) => {
    const { running } = await supervised(t);
    assert.deepEqual([(await running()).name, (await running()).name], ["job", "job2"]);
  });

  test("whose end arrives before its record is reported as started and ended", async (t) => {
    const { terminals, running, events } = await supervised(t);
    terminals.afterOpen = (place) => terminals.end(place, { kind: "exited", code: 3 });
    const { phase, end } = await running();
    assert.deepEqual([phase, end], ["ended", { kind: "exited", code: 3 }]);
    assert.deepEqual(events(), ["terminal_opened t1", "terminal_closed t1"]);
  });

  test("of many at once is recorded with all others in two writes, before tmux is called and after", async (t) => {
    const { terminals, store, running, events } = await supervised(t);
    const atFirstOpen: string[] = [];
    const writes: number[] = [];
    store.onEvents((written) => writes.push(written.length));
    terminals.beforeOpen = () => {
      if (atFirstOpen.length === 0)
        atFirstOpen.push(...store.terminals().map(({ id, name, phase }) => `${id} ${name} ${phase}`));
    };
    const started = await Promise.all([running(), running(), running()]);
    assert.deepEqual(atFirstOpen, ["t1 job starting", "t2 job2 starting", "t3 job3 starting"]);
    assert.deepEqual(
      started.map(({ id, phase }) => `${id} ${phase}`),
      ["t1 running", "t2 running", "t3 running"],
    );
    assert.equal(new Set(started.map(({ place }) => place.pane)).size, 3);
    assert.deepEqual(events(), ["terminal_opened t1", "terminal_opened t2", "terminal_opened t3"]);
    assert.deepEqual(writes, [3]);
  });

  test("of many at once fails alone when tmux refuses it, or when it was stopped meanwhile", async (t) => {
    const { terminals, store, supervisor, running, events } = await supervised(t);
    terminals.beforeOpen = async ({ session }) => {
      const record = store.terminals().find((one) => one.session === session);
      if (record?.id === "t1") throw new PanewardError("bad_input", "no such program");
      if (record?.id === "t2") await supervisor.stop(record, "me");
    };
    const started = await Promise.allSettled([running(), running(), running()]);
    assert.deepEqual(
      started.map((one) => (one.status === "fulfilled" ? one.value.id : one.reason.code)),
      ["bad_input", "outcome_unknown", "t3"],
    );
    assert.deepEqual(events(), ["terminal_opened t3"]);
    assert.deepEqual(
      store.terminals().map(({ id }) => id),
      ["t3"],
    );
  });

  const failures: readonly (readonly [string, Error, readonly string[]])[] = [
    ["was refused closes no session", new PanewardError("bad_input", "no such program"), []],
    ["may have happened closes its session", new PanewardError("outcome_unknown", "?"), ["close paneward-t1-job"]],
    ["failed unexpectedly closes its session", new Error("?"), ["close paneward-t1-job"]],
  ];
  for (const [what, error, closed] of failures) {
    test(`that ${what} and leaves nothing behind`, async (t) => {
      const { terminals, running, events, store } = await supervised(t);
      terminals.beforeOpen = () => {
        throw error;
      };
      await assert.rejects(running(), error);
      assert.deepEqual(terminals.log.slice(1), closed);
      assert.deepEqual([store.terminals(), events()], [[], []]);
    });
  }
});

describe("a start while tmux does not answer", () => {
  const hung = async (t: Cleanup) => {
    const world = await supervised(t);
    const { terminals, running } = world;
    const { close } = terminals;
    const silent = () => Promise.reject(new PanewardError("outcome_unknown", "tmux did not answer"));
    Object.assign(terminals, { beforeOpen: silent, close: silent });
    await assert.rejects(running(), { code: "outcome_unknown", message: "tmux did not answer" });
    const answer = () => Object.assign(terminals, { beforeOpen: () => {}, close });
    return { ...world, answer };
  };

  test("leaves a record only until tmux answers again, and closes what it has opened meanwhile", async (t) => {
    const { store, terminals, clock, answer } = await hung(t);
    assert.deepEqual(
      store.terminals().map(({ id, phase }) => `${id} ${phase}`),
      ["t1 starting"],
    );
    await clock.advance(60_000);
    assert.equal(store.terminals().length, 1);
    answer();
    await clock.advance(10_000);
    assert.deepEqual([store.terminals(), terminals.log.at(-1)], [[], "close paneward-t1-job"]);
  });

  test("can be stopped as soon as tmux answers", async (t) => {
    const { store, supervisor, answer } = await hung(t);
    const [record] = store.terminals();
    assert.ok(record);
    await assert.rejects(supervisor.stop(record, "uid:7"), { code: "outcome_unknown" });
    answer();
    assert.equal(await supervisor.stop(record, "uid:7"), true);
    assert.deepEqual(store.terminals(), []);
  });

  test("that is stopped before it has opened does not run", async (t) => {
    const { store, supervisor, terminals, running, events } = await supervised(t);
    terminals.beforeOpen = async () => {
      const [record] = store.terminals();
      assert.ok(record);
      assert.equal(await supervisor.stop(record, "uid:7"), true);
    };
    await assert.rejects(running(), { message: /was stopped while it started/ });
    assert.deepEqual([store.terminals(), events(), terminals.log.at(-1)], [[], [], "close paneward-t1-job"]);
  });
});

describe("a stop", () => {
  const obeys: readonly (readonly [string, string | undefined, readonly string[], number])[] = [
    ["ends at TERM", "TERM", ["TERM"], 0],
    ["ignores TERM and ends at HUP, like a shell", "HUP", ["TERM", "HUP"], 1_500],
    ["ends only at KILL", "KILL", ["TERM", "HUP", "KILL"], 2_500],
    ["never ends", undefined, ["TERM", "HUP", "KILL"], 4_500],
  ];
  for (const [what, at, signals, ms] of obeys) {
    test(`of a program that ${what} takes ${ms} ms, and records who asked`, async (t) => {
      const { terminals, running, supervisor, clock, store, events } = await supervised(t);
      const record = await running();
      terminals.endsWith = (signal) => signal === at;
      let stopped: boolean | undefined;
      void supervisor.stop(record, "uid:7").then((answer) => {
        stopped = answer;
      });
      assert.equal(await clock.until("it is stopped", () => stopped !== undefined), ms);
      assert.equal(stopped, true);
      assert.deepEqual(terminals.log.slice(1), [...signals.map((one) => `signal 101 ${one}`), "close paneward-t1-job"]);
      const { phase, end, stopAskedBy } = store.terminal("t1") ?? {};
      assert.deepEqual([phase, end, stopAskedBy], ["ended", { kind: "stopped", by: "uid:7" }, undefined]);
      assert.deepEqual(events("terminal_closed"), ["terminal_closed t1"]);
      assert.equal(clock.waiting, 0);
    });
  }

  test("continues until nothing of a program is left that outlives its terminal", async (t) => {
    const { terminals, running, supervisor, clock } = await supervised(t);
    const record = await running();
    terminals.left.add(101);
    let stopped = false;
    void supervisor.stop(record, "uid:7").then(() => {
      stopped = true;
    });
    assert.equal(await clock.until("it is stopped", () => stopped), 2_500);
    const signals = ["TERM", "HUP", "KILL"].map((one) => `signal 101 ${one}`);
    assert.deepEqual(terminals.log.slice(1), [...signals, "close paneward-t1-job"]);
  });

  test("is not cut short when the machine's clock is set", async (t) => {
    const { terminals, running, supervisor, clock } = await supervised(t);
    const record = await running();
    terminals.endsWith = () => false;
    void supervisor.stop(record, "uid:7");
    await clock.advance(1_000);
    clock.setWall(3_600_000);
    await clock.advance(499);
    assert.deepEqual(terminals.log.slice(1), ["signal 101 TERM"]);
    await clock.advance(1);
    assert.deepEqual(terminals.log.slice(1), ["signal 101 TERM", "signal 101 HUP"]);
    await clock.advance(10_000);
  });

  test("of a program that has ended only closes its session; a task becomes Stopped by it", async (t) => {
    const world = await supervised(t);
    const { terminals, running, supervisor, store, events } = world;
    const plain = await running();
    putTask(world);
    const ofTask = await running({ task: 1 });
    for (const { place } of [plain, ofTask]) terminals.end(place);
    const ended = (id: string) => store.terminal(id) as TerminalRecord;
    assert.equal(await supervisor.stop(ended("t1"), "uid:7"), false);
    assert.equal(await supervisor.stop(ended("t2"), "uid:7"), true);
    assert.equal(await supervisor.stop(ended("t2"), "uid:8"), false);
    assert.deepEqual(ended("t2").end, { kind: "stopped", by: "uid:7" });
    assert.deepEqual(events("task_"), ["task_started 1", "task_exited 1", "task_stopped 1"]);
  });

  test("of a program in the user's own tmux is refused", async (t) => {
    const { supervisor, running, terminals } = await supervised(t);
    const record = { ...(await running()), adopted: true };
    await assert.rejects(supervisor.stop(record, "uid:7"), { code: "wrong_state" });
    await assert.rejects(supervisor.restart(record), { code: "wrong_state" });
    await supervisor.remove(record);
    assert.deepEqual(terminals.log.slice(1), []);
  });
});

describe("a restart", () => {
  test("uses the same pane, and no news of the old program is reported", async (t) => {
    const { terminals, running, supervisor, events, attention } = await supervised(t);
    const record = await running();
    terminals.afterOpen = () => terminals.end(record.place, { kind: "killed", signal: 9 });
    const again = await supervisor.restart(record);
    assert.deepEqual([again.id, again.phase, again.place?.pane, again.place?.pid], ["t1", "running", "%1", 1_101]);
    assert.deepEqual(terminals.log.slice(1), ["signal 101 HUP", "respawn %1 make all"]);
    assert.deepEqual(events(), ["terminal_opened t1", "terminal_opened t1"]);
    assert.deepEqual(attention.log, ["started t1", "restarts t1", "started t1"]);
  });

  test("opens a new session of the same name when the pane is gone", async (t) => {
    const { terminals, running, supervisor } = await supervised(t);
    const record = await running();
    terminals.vanish(record.place);
    const again = await supervisor.restart(record);
    assert.deepEqual([again.id, again.session, again.place?.pane], ["t1", "paneward-t1-job", "%2"]);
    assert.deepEqual(terminals.log.slice(1), [
      "signal 101 HUP",
      "respawn %1 make all",
      "close paneward-t1-job",
      "open paneward-t1-job make all",
    ]);
  });
});

describe("news", () => {
  test("of a lost host ends its terminals as their journals say, the others as lost", async (t) => {
    const { terminals, running, store, clock } = await supervised(t);
    const [known, other, elsewhere] = [await running(), await running(), await running({ host: "box" as "local" })];
    terminals.mark(known.journal, { kind: "exited", code: 4 });
    terminals.tell({ kind: "host_lost", host: "local", reason: "gone" });
    await clock.advance(0);
    assert.deepEqual(
      [known, other, elsewhere].map(({ id }) => store.terminal(id)?.end),
      [{ kind: "exited", code: 4 }, { kind: "lost", reason: "the tmux server is gone" }, undefined],
    );
    terminals.tell({ kind: "host_lost", host: "box", reason: "gone" });
    await clock.advance(0);
    const end = { kind: "lost", reason: "the tmux server of host box is gone" };
    assert.deepEqual(store.terminal(elsewhere.id)?.end, end);
  });

  test("of a lost host ends no program that was started again meanwhile", async (t) => {
    const { terminals, running, store, clock, supervisor } = await supervised(t);
    const [again, other] = [await running(), await running()];
    const reading = Promise.withResolvers<undefined>();
    const { lastEnd } = terminals;
    terminals.lastEnd = async (host, journal) =>
      journal === again.journal ? reading.promise : lastEnd.call(terminals, host, journal);
    terminals.tell({ kind: "host_lost", host: "local", reason: "gone" });
    await supervisor.restart(again);
    reading.resolve(undefined);
    await clock.advance(0);
    assert.equal(store.terminal(again.id)?.phase, "running");
    assert.equal(store.terminal(other.id)?.end?.kind, "lost");
  });

  test("of a session closed in tmux means stopped; a task has disappeared too", async (t) => {
    const world = await supervised(t);
    const { terminals, running, store, events } = world;
    putTask(world);
    for (const { place } of [await running(), await running({ task: 1 })]) terminals.vanish(place);
    assert.deepEqual(
      ["t1", "t2"].map((id) => store.terminal(id)?.end),
      [
        { kind: "stopped", by: "tmux" },
        { kind: "stopped", by: "tmux" },
      ],
    );
    assert.deepEqual(events(), [
      ...["terminal_opened t1", "task_started 1", "session_created 1", "turn_created", "state_changed 1"],
      ...["terminal_closed t1", "task_disappeared 1", "task_stopped 1", "session_ended 1"],
    ]);
  });

  test("of a closed session whose program had ended reports nothing more", async (t) => {
    const world = await supervised(t);
    const { terminals, running, events } = world;
    putTask(world);
    const { place } = await running({ task: 1 });
    terminals.end(place);
    terminals.vanish(place);
    assert.deepEqual(events("task_"), ["task_started 1", "task_exited 1"]);
  });

  test("reaches the terminal of its own server only", async (t) => {
    const { terminals, running, attention, deps } = await supervised(t);
    const { place } = await running();
    const twin = { ...place, server: "server-2" };
    terminals.tell({ kind: "output", place: twin, old: false });
    terminals.tell({ kind: "output", place, old: true });
    terminals.tell({ kind: "bell", place, count: 1 });
    assert.deepEqual(attention.log, ["started t1", "output ", "output t1 old", "bell t1"]);
    assert.deepEqual([deps.terminalPlaces.terminalAt(place), deps.terminalPlaces.terminalAt(twin)], ["t1", undefined]);
    terminals.end(place);
    assert.equal(deps.terminalPlaces.terminalAt(place), "t1");
  });

  test("about the connection to a host is an event", async (t) => {
    const { terminals, dataOf } = await supervised(t);
    terminals.tell({ kind: "host_status", host: "box", transport: "spawn", reason: "slow" });
    assert.deepEqual(dataOf("host_changed"), [{ host: "box", state: "spawn", reason: "slow" }]);
  });
});

test("a program that others started on our host becomes a terminal; if it has ended already, so has the terminal", async (t) => {
  const { terminals, supervisor, store } = await supervised(t);
  const place = terminals.has({ pane: "%7", pid: 77 }, "theirs", "local");
  const first = await supervisor.adopt(runSpec, { place, sessionName: "theirs", end: undefined });
  assert.deepEqual([first.phase, first.place, terminals.log], ["running", place, ["follow %7 on local"]]);
  const dead = terminals.has({ pane: "%8", pid: 88 }, "theirs", "local", { kind: "exited", code: 2 });
  const second = await supervisor.adopt(runSpec, { place: dead, sessionName: "theirs", end: undefined });
  assert.deepEqual([second.phase, store.terminal(second.id)?.end], ["ended", { kind: "exited", code: 2 }]);
});
