import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import type { Cleanup } from "../../../test/support/folder.ts";
import { memoryWorld, runSpec } from "../../../test/support/memory-world.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { Supervisor } from "./supervisor.ts";

/** A program whose tmux server is gone, and how often it was opened since. */
async function lost(t: Cleanup) {
  const world = await memoryWorld(t);
  const { deps, store, terminals, clock } = world;
  const first = new Supervisor(deps);
  const { id, place, session } = await first.run(runSpec);
  terminals.newServer("server-2");
  terminals.tell({ kind: "host_lost", host: "local", reason: "" });
  await clock.until("it is lost", () => store.terminal(id)?.end?.kind === "lost");
  terminals.log.length = 0;
  terminals.variables.set(session, id);
  const record = () => store.terminal(id) as TerminalRecord;
  /** The daemon is killed when tmux has opened the session: it never hears of it. */
  const killedAfterOpen = () => {
    terminals.afterOpen = () => {
      first.close();
      throw new PanewardError("outcome_unknown", "the daemon was killed");
    };
    return assert.rejects(first.restore(record()));
  };
  const nextDaemon = async () => {
    terminals.afterOpen = () => {};
    const next = new Supervisor(deps);
    await next.reconcile();
    return next;
  };
  const opened = () => terminals.log.filter((line) => line.startsWith("open "));
  return { ...world, id, place, session, record, first, killedAfterOpen, nextDaemon, opened };
}

describe("a lost program", () => {
  test("runs again in its terminal, and keeps nothing of the loss", async (t) => {
    const { first, record, opened, id } = await lost(t);
    const running = await first.restore(record());
    assert.deepEqual(
      [running.id, running.phase, running.end, running.restoring],
      [id, "running", undefined, undefined],
    );
    assert.deepEqual(opened(), [`open ${running.session} make all`]);
  });

  test("that was opened when the daemon was killed is found by the next, and not opened again", async (t) => {
    const { killedAfterOpen, nextDaemon, record, opened } = await lost(t);
    await killedAfterOpen();
    const next = await nextDaemon();
    assert.deepEqual([record().phase, record().restoring], ["running", undefined]);
    assert.equal(opened().length, 1);
    assert.equal(record().place?.server, "server-2");
    next.close();
  });

  test("that had ended by then has ended so", async (t) => {
    const { killedAfterOpen, nextDaemon, record, opened, terminals } = await lost(t);
    await killedAfterOpen();
    const [pane] = await terminals.panes("local");
    terminals.end(pane?.place as never, { kind: "exited", code: 4 });
    await nextDaemon();
    assert.deepEqual([record().phase, record().end], ["ended", { kind: "exited", code: 4 }]);
    assert.equal(opened().length, 1);
  });

  test("that is in a session of somebody else's is not taken for it", async (t) => {
    const { first, record, terminals, session } = await lost(t);
    terminals.has({}, session);
    terminals.variables.delete(session);
    await first.restore(record());
    assert.notEqual(record().place?.pane, "%99");
  });

  test("that never stopped, as its server only looked gone, is taken back", async (t) => {
    const { first, record, terminals, place, opened, session } = await lost(t);
    terminals.has(place as never, session);
    const running = await first.restore(record());
    assert.deepEqual([running.phase, running.place, opened()], ["running", place, []]);
  });

  test("whose start fails says why, and can be tried again", async (t) => {
    const { first, record, terminals, opened } = await lost(t);
    terminals.beforeOpen = () => {
      throw new PanewardError("bad_input", "there is no program make");
    };
    await assert.rejects(first.restore(record()), /no program make/);
    assert.deepEqual([record().held, record().restoring], ["the last try failed: there is no program make", undefined]);
    terminals.beforeOpen = () => {};
    assert.equal((await first.restart(record())).phase, "running");
    assert.equal(record().held, undefined);
    assert.equal(opened().length, 2);
  });

  test("of which a process is left is not started beside it", async (t) => {
    const { first, record, deps, clock, opened, id, place } = await lost(t);
    let left = [4_711];
    const asked: unknown[] = [];
    deps.machine.leftOf = (...about) => {
      asked.push(about);
      return left;
    };
    const refused = assert.rejects(first.restore(record()), /still runs, outside of any terminal: process 4711/);
    await clock.advance(5_200);
    await refused;
    assert.deepEqual(asked[0], [id, place?.pid]);
    const started = first.restore(record());
    await clock.advance(1_000);
    left = [];
    await clock.advance(200);
    assert.equal((await started).phase, "running");
    assert.equal(opened().length, 1);
  });

  test("that a person stops is stopped, and is not lost any more", async (t) => {
    const { first, record } = await lost(t);
    assert.equal(await first.stop(record(), "ann"), true);
    assert.deepEqual(record().end, { kind: "stopped", by: "ann" });
  });
});

test("one that was being stopped when its server was lost was stopped, and after a reboot that is the reason", async (t) => {
  const { deps, store, terminals } = await memoryWorld(t);
  const first = new Supervisor(deps);
  const [one, two] = [await first.run(runSpec), await first.run(runSpec)];
  store.write((writer) => writer.putTerminal({ ...one, stopAskedBy: "ann" }));
  first.close();
  terminals.newServer("server-2");
  Object.assign(deps.machine, { boot: "boot-2" });
  await new Supervisor(deps).reconcile();
  assert.deepEqual(store.terminal(one.id)?.end, { kind: "stopped", by: "ann" });
  assert.deepEqual(store.terminal(two.id)?.end, { kind: "lost", reason: "the machine was started anew" });
});
