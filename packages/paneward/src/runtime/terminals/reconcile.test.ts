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
  const compare = () => reconcile(deps, new TerminalBook(deps), async ({ id }) => void abandoned.push(id));
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

test("sessions of ours that no terminal has are closed; other sessions are left alone", async (t) => {
  const { terminals, compare, record } = await away(t);
  for (const name of ["paneward-t99-orphan", "theirs", "artie", record.session]) terminals.has({}, name);
  await compare();
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
