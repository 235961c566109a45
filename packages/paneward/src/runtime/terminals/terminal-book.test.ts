import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Cleanup } from "../../../test/support/folder.ts";
import { memoryWorld, putTask, runSpec } from "../../../test/support/memory-world.ts";
import type { TaskRecord, TerminalRecord } from "../../model/records.ts";
import { planTerminal } from "./plan-terminal.ts";
import { TerminalBook } from "./terminal-book.ts";

const place = { server: "server-1", pane: "%1", pid: 101, session: "$1" };

async function opened(t: Cleanup) {
  const world = await memoryWorld(t);
  const book = new TerminalBook(world.deps);
  const started = (more: Partial<TerminalRecord> = {}) =>
    book.started(planTerminal(world.deps, { ...runSpec, ...more }), place, false);
  const statuses = (type: "task_status_changed" | "terminal_status_changed") =>
    world.dataOf(type).map((data) => {
      const { status, before } = data as { readonly status: string; readonly before: string };
      return `${before} > ${status}`;
    });
  return { ...world, book, started, statuses };
}

describe("the book of terminals", () => {
  test("reports the start of a task's agent, its first prompt, and takes back that the task was complete", async (t) => {
    const world = await opened(t);
    putTask(world, { completedAt: 5, draft: true });
    world.started({ task: 1 });
    const { completedAt, draft, terminal } = world.store.task(1) ?? {};
    assert.deepEqual([completedAt, draft, terminal], [undefined, false, "t1"]);
    assert.deepEqual(world.events(), ["task_started 1", "session_created 1", "turn_created", "state_changed 1"]);
    assert.deepEqual(
      world.store.turns("a1", 9).map(({ text }) => text),
      ["fix it"],
    );
  });

  test("reports that a task is complete together with its status, once, and nothing more of it later", async (t) => {
    const world = await opened(t);
    putTask(world, { draft: false });
    world.started({ task: 1 });
    world.attention.says("t1", "working");
    const before = world.events().length;
    world.book.completed(world.store.task(1) as TaskRecord, "uid:7");
    assert.deepEqual(world.events().slice(before), ["task_completed 1", "task_status_changed 1"]);
    assert.deepEqual(world.statuses("task_status_changed").at(-1), "Running > Completed");
    world.attention.says("t1", "idle");
    world.attention.says("t1", "working");
    new TerminalBook(world.deps).found(world.store.terminal("t1") as TerminalRecord, place);
    assert.equal(world.events().filter((event) => event.startsWith("task_status_changed")).length, 1);

    putTask(world, { id: 2, slug: "never-started", draft: true, hasWorktree: false });
    world.book.completed(world.store.task(2) as TaskRecord, "uid:7");
    assert.deepEqual(world.statuses("task_status_changed").at(-1), "Draft > Completed");
  });

  test("reports an end once; a different end only when it is said to be one", async (t) => {
    const { book, started, store, events, attention } = await opened(t);
    started();
    book.ended("t1", { kind: "exited", code: 1 });
    book.ended("t1", { kind: "killed", signal: 9 });
    book.disappeared("t1", "tmux");
    assert.deepEqual(store.terminal("t1")?.end, { kind: "exited", code: 1 });
    book.ended("t1", { kind: "stopped", by: "uid:7" }, true);
    assert.deepEqual(store.terminal("t1")?.end, { kind: "stopped", by: "uid:7" });
    assert.deepEqual(events(), ["terminal_opened t1", "terminal_closed t1", "terminal_closed t1"]);
    assert.deepEqual(attention.log, ["started t1", "forget t1", "forget t1"]);
    book.ended("t9", { kind: "unknown" });
  });

  test("reports a status when it changes, and a new reason for it", async (t) => {
    const { started, attention, statuses, store } = await opened(t);
    started();
    for (const word of ["working", "idle", "idle", "needs_input", "working"] as const) attention.says("t1", word);
    attention.says("t1", "working", "stuck");
    attention.says("t1", "working", "stuck");
    attention.says("t1", "working");
    attention.says("t1", "working", "background_work");
    assert.deepEqual(statuses("terminal_status_changed"), [
      ...["Running > Idle", "Idle > Waiting", "Waiting > Running"],
      ...["Running > Running", "Running > Running", "Running > Running"],
    ]);
    assert.equal(store.terminal("t1")?.lastReported?.status, "Running");
  });

  test("reports a task's status under the task, and none of a program that has ended", async (t) => {
    const world = await opened(t);
    putTask(world);
    world.started({ task: 1 });
    world.attention.says("t1", "idle");
    world.book.ended("t1", { kind: "exited", code: 0 });
    world.attention.says("t1", "working");
    assert.deepEqual(world.statuses("task_status_changed"), ["Running > Idle"]);
    assert.deepEqual(world.statuses("terminal_status_changed"), []);
  });

  test("reports of a program that it finds again only what changed meanwhile", async (t) => {
    const { book, started, attention, events, statuses, deps } = await opened(t);
    const record = started();
    attention.says("t1", "idle");
    const before = events().length;
    const next = new TerminalBook(deps);
    const lastReported = { status: "Idle", why: { source: "test", rule: "idle", since: 0 } } as const;
    next.found({ ...record, lastReported }, place);
    assert.equal(events().length, before);
    next.found({ ...record, lastReported: { ...lastReported, status: "Running" } }, place);
    assert.deepEqual(statuses("terminal_status_changed"), ["Running > Idle", "Running > Idle"]);
    assert.equal(deps.terminalPlaces.runningAt(place), "t1");
    book.forget(record);
  });

  test("ends the agent and closes its question with the program, and resumes an agent that is started again", async (t) => {
    const world = await opened(t);
    const { book, agents, questions, store } = world;
    putTask(world);
    const record = world.started({ task: 1 });
    const asked = { kind: "choice", text: "Go on?", options: [], freeText: true, hash: "h" } as never;
    questions.asked(record, asked, "screen", "a1");
    book.ended("t1", { kind: "exited", code: 0 });
    assert.deepEqual([questions.open(), typeof agents.of("t1")?.endedAt], [[], "number"]);
    const agent = agents.of("t1");
    book.started(store.terminal("t1") ?? record, { ...place, pid: 102 }, true, agent);
    assert.deepEqual([agents.of("t1")?.id, agents.of("t1")?.endedAt], ["a1", undefined]);
    book.started(store.terminal("t1") ?? record, { ...place, pid: 103 }, true);
    assert.equal(agents.of("t1")?.id, "a2");
  });
});

describe("a place", () => {
  test("leads to the terminal of the same server and pane until it is removed", async (t) => {
    const { book, started, deps } = await opened(t);
    const record = started();
    const table = [
      ["the same program", place, "t1", "t1"],
      ["the next program in the pane", { ...place, pid: 102 }, undefined, "t1"],
      ["the same pane id on another server", { ...place, server: "server-2" }, undefined, undefined],
      ["another pane", { ...place, pane: "%2" }, undefined, undefined],
    ] as const;
    for (const [what, at, running, terminal] of table) {
      assert.deepEqual(
        [deps.terminalPlaces.runningAt(at), deps.terminalPlaces.terminalAt(at)],
        [running, terminal],
        what,
      );
    }
    book.ended("t1", { kind: "exited", code: 0 });
    assert.deepEqual(
      [deps.terminalPlaces.runningAt(place), deps.terminalPlaces.terminalAt(place)],
      [undefined, "t1"],
      "a child may still print",
    );
    book.forget(record);
    assert.equal(deps.terminalPlaces.terminalAt(place), undefined);
  });
});
