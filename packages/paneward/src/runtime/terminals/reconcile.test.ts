import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { End } from "@paneward/sdk";
import { memoryWorld, putTask, runSpec } from "../../../test/support/memory-world.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { foreignHost } from "./foreign-host.ts";
import { planTerminal } from "./plan-terminal.ts";
import { reconcile } from "./reconcile.ts";
import { TerminalBook } from "./terminal-book.ts";

const place = { server: "server-1", pane: "%1", pid: 101, session: "$1" };
const exited: End = { kind: "exited", code: 6 };

async function away(t: Parameters<typeof memoryWorld>[0], host = "local") {
  const world = await memoryWorld(t);
  const { deps, store } = world;
  putTask(world, { terminal: "t1" });
  const planned = planTerminal(deps, { ...runSpec, host, task: 1, session: "paneward-1-fix" });
  const record: TerminalRecord = { ...planned, place, phase: "running", startedAt: 1 };
  store.write((writer) => writer.putTerminal(record));
  const abandoned: string[] = [];
  const book = new TerminalBook(deps);
  const compare = () =>
    reconcile(deps, book, {
      abandon: async ({ id }) => void abandoned.push(id),
      again: (lost, there, resumed) => book.started(lost, there, true, resumed),
    });
  return { ...world, record, compare, abandoned };
}

type Away = Awaited<ReturnType<typeof away>>;

describe("after the daemon was away, a task's program", () => {
  const table: readonly (readonly [string, (world: Away) => void, End | undefined, readonly string[]])[] = [
    ["that still runs is followed", ({ terminals }) => terminals.has(place, "paneward-1-fix"), undefined, []],
    [
      "that tmux saw exit has ended so",
      ({ terminals }) => terminals.has(place, "paneward-1-fix", "local", exited),
      exited,
      ["task_exited 1"],
    ],
    [
      "whose end only the journal knows has ended so",
      ({ terminals, record }) => {
        terminals.has(place, "paneward-1-fix", "local", { kind: "unknown" });
        terminals.mark(record.journal, exited);
      },
      exited,
      ["task_exited 1"],
    ],
    [
      "whose dead pane says nothing was stopped by tmux",
      ({ terminals }) => terminals.has(place, "paneward-1-fix", "local", { kind: "unknown" }),
      { kind: "stopped", by: "tmux while the daemon was away" },
      ["task_stopped 1"],
    ],
    [
      "whose pane is gone disappeared",
      ({ terminals }) => terminals.has({ pane: "%5" }, "other"),
      { kind: "stopped", by: "tmux while the daemon was away" },
      ["task_disappeared 1", "task_stopped 1"],
    ],
    [
      "whose pane runs another process disappeared",
      ({ terminals }) => terminals.has({ ...place, pid: 500 }, "paneward-1-fix"),
      { kind: "stopped", by: "tmux while the daemon was away" },
      ["task_disappeared 1", "task_stopped 1"],
    ],
    [
      "whose tmux server is gone is lost",
      ({ terminals }) => terminals.has({ ...place, server: "server-2" }, "paneward-1-fix"),
      { kind: "lost", reason: "the tmux server ended while the daemon was away" },
      ["task_lost 1"],
    ],
    [
      "whose tmux server is gone, but which had exited, has exited",
      ({ terminals, record }) => terminals.mark(record.journal, exited),
      exited,
      ["task_exited 1"],
    ],
  ];
  for (const [what, happened, end, reported] of table) {
    test(what, async (t) => {
      const world = await away(t);
      happened(world);
      await world.compare();
      assert.deepEqual(world.store.terminal("t1")?.end, end);
      assert.deepEqual(world.events("task_"), reported);
      assert.equal(world.terminals.log.includes("follow %1 on local"), end === undefined);
      await world.compare();
      assert.deepEqual(world.events("task_"), reported, "a second time nothing is new");
    });
  }
});

test("a start that was cut off is abandoned", async (t) => {
  const world = await away(t);
  planTerminal(world.deps, runSpec);
  await world.compare();
  assert.deepEqual(world.abandoned, ["t2"]);
});

test("a program of ours that no record knows becomes a terminal again, with its id; other sessions are left alone", async (t) => {
  const world = await away(t);
  const { terminals, compare, record, store } = world;
  for (const name of ["theirs", "artie", record.session]) terminals.has({}, name);
  terminals.has({ pane: "%9", pid: 909 }, "paneward-t99-orphan");
  terminals.print(`${world.deps.places.journals}/t99`, place, "printed before");
  assert.equal(await compare(), 1);
  assert.deepEqual(terminals.log, ["follow %9 on local"]);
  const { id, name, session, journal, phase, found } = store.terminal("t99") ?? ({} as TerminalRecord);
  assert.deepEqual(
    { id, name, session, journal, phase, found },
    {
      ...{ id: "t99", name: "orphan", session: "paneward-t99-orphan", phase: "running", found: true },
      journal: `${world.deps.places.journals}/t99`,
    },
  );
  assert.deepEqual(world.events("terminal_"), ["terminal_opened t99"]);
  assert.equal(
    store.write((writer) => writer.nextTerminalId()),
    "t100",
  );
  assert.equal(await compare(), 0, "the second time it is known");
});

test("a task's program that no record knows is found by the variable that it was started with", async (t) => {
  const { terminals, compare, store } = await away(t);
  terminals.has({ pane: "%9", pid: 909 }, "paneward-7-fix-it");
  terminals.variables.set("paneward-7-fix-it", "t12");
  await compare();
  assert.equal(store.terminal("t12")?.name, "fix-it");
  assert.equal(
    store.write((writer) => writer.nextTaskId()),
    8,
  );
  assert.ok(terminals.log.includes("reopen journal of %9"), "its journal was lost too");
});

test("a variable that names another terminal, or none, gives a new id", async (t) => {
  const { terminals, compare, store, record } = await away(t);
  terminals.has({}, record.session);
  terminals.has({ pane: "%8", pid: 808 }, "paneward-7-a");
  terminals.has({ pane: "%9", pid: 909 }, "paneward-8-b");
  terminals.variables.set("paneward-7-a", record.id);
  terminals.variables.set("paneward-8-b", "../../etc");
  await compare();
  assert.deepEqual(
    store.terminals().map(({ id, name }) => `${id} ${name}`),
    ["t1 job", "t2 a", "t3 b"],
  );
});

test("an unknown session in which nothing runs is closed", async (t) => {
  const { terminals, compare } = await away(t);
  terminals.has({}, "paneward-t99-orphan", "local", exited);
  assert.equal(await compare(), 0);
  assert.deepEqual(terminals.log, ["close paneward-t99-orphan"]);
});

test("in the user's own tmux no session is closed", async (t) => {
  const host = foreignHost("/tmp/tmux-0/default");
  const { terminals, compare } = await away(t, host);
  terminals.has(place, "paneward-t99-orphan", host);
  await compare();
  assert.deepEqual(terminals.log, [`follow %1 on ${host}`]);
});

test("a host that does not answer keeps its terminals as they were; without the local one nothing works", async (t) => {
  const { terminals, compare, store, warnings } = await away(t, "box");
  const fails = (down: string) => {
    terminals.connect = async (host) => {
      if (host === down) throw new Error("no route");
      return [];
    };
  };
  fails("box");
  await compare();
  assert.equal(store.terminal("t1")?.phase, "running");
  assert.deepEqual(warnings, ["a host does not answer; its terminals keep their last status"]);
  fails("local");
  await assert.rejects(compare(), /no route/);
});
