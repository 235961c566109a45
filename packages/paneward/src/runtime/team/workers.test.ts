import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Cleanup } from "../../../test/support/folder.ts";
import { teamStage } from "../../../test/support/team-stage.ts";
import { WorkerWatch } from "./worker-watch.ts";
import { waitUntilNotWorking } from "./workers.ts";

describe("a wait for a worker", () => {
  const never = new AbortController().signal;

  function begin(t: Cleanup, ms: number, signal = never) {
    const stage = teamStage(t);
    const watch = new WorkerWatch(stage);
    stage.addWorker();
    const began = stage.clock.monotonic();
    const result = { state: "", after: -1 };
    const waiting = waitUntilNotWorking(stage, stage.team, "worker1", ms, signal).then((worker) => {
      result.state = worker.state;
      result.after = stage.clock.monotonic() - began;
    });
    return { stage, watch, waiting, result };
  }

  test("ends when the worker has ended, and not before", async (t) => {
    const { stage, watch, waiting, result } = begin(t, 60_000);
    stage.turn("idle");
    await stage.clock.advance(5_000);
    assert.equal(result.after, -1);
    stage.ends(0);
    await waiting;
    assert.deepEqual(result, { state: "ended", after: 5_000 });
    watch.close();
    assert.equal(stage.clock.waiting, 0);
  });

  test("ends after its time, also when the machine's clock is set", async (t) => {
    const { stage, watch, result } = begin(t, 60_000);
    stage.clock.setWall(-3_600_000);
    await stage.clock.advance(59_999);
    assert.equal(result.after, -1);
    await stage.clock.advance(1);
    assert.deepEqual(result, { state: "working", after: 60_000 });
    watch.close();
  });

  test("ends when the caller leaves", async (t) => {
    const caller = new AbortController();
    const { stage, watch, waiting, result } = begin(t, 60_000, caller.signal);
    await stage.clock.advance(1_000);
    caller.abort();
    await waiting;
    assert.deepEqual(result, { state: "working", after: 1_000 });
    assert.equal(stage.clock.waiting, 0);
    watch.close();
  });

  test("does not begin without time, or for a worker that rests", async (t) => {
    const { stage, watch, waiting, result } = begin(t, 0);
    await waiting;
    assert.deepEqual(result, { state: "working", after: 0 });
    stage.ends(1);
    await stage.clock.advance(0);
    assert.equal((await waitUntilNotWorking(stage, stage.team, "worker1", 60_000, never)).state, "ended");
    watch.close();
  });

  test("for an unknown worker is refused", async (t) => {
    const stage = teamStage(t);
    await assert.rejects(waitUntilNotWorking(stage, stage.team, "nobody", 60_000, never), { code: "WORKER_NOT_FOUND" });
  });
});
