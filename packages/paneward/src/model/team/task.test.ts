import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TeamTask } from "@paneward/sdk";
import { decideWrite } from "./can-write.ts";
import { TeamFailure } from "./failure.ts";
import { claimedTask, createdTask, finishedTask, renewedTask, unblockedTasks } from "./task.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const later = now + 60_000;
const after = now + 600_000;

function task(
  id: string,
  more: { deps?: readonly string[]; resources?: readonly string[] } = {},
  board: TeamTask[] = [],
) {
  const wanted = { id, teamId: "demo", title: id, description: "", deps: [], resources: [], ...more };
  return createdTask(wanted, board, "/repo", now);
}

const claim = (one: TeamTask, agent: string, board: readonly TeamTask[] = [one], at = now) =>
  claimedTask(one, board, { agent, ttlMs: 300_000 }, at);

function refused(code: string, work: () => unknown): void {
  assert.throws(work, (error) => error instanceof TeamFailure && error.code === code);
}

describe("a task of a team", () => {
  test("begins pending, or blocked by its dependencies until they are completed", () => {
    const first = task("task-0001");
    const second = task("task-0002", { deps: ["task-0001"] }, [first]);
    assert.deepEqual([first.status, second.status], ["pending", "blocked"]);
    refused("TASK_NOT_CLAIMABLE", () => claim(second, "ann", [first, second]));
    const done = finishedTask(claim(first, "ann"), { agent: "ann", epoch: 1 }, "completed", later);
    assert.deepEqual(
      unblockedTasks([done, second]).map(({ id, status }) => [id, status]),
      [["task-0002", "pending"]],
    );
    const failed = finishedTask(claim(first, "ann"), { agent: "ann", epoch: 1 }, "failed", later);
    assert.deepEqual(unblockedTasks([failed, second]), []);
  });

  test("cannot depend on a missing task, nor have a pattern or a path outside the root as a resource", () => {
    refused("INVALID_TASK", () => task("task-0002", { deps: ["task-0009"] }));
    for (const resource of ["../x", "src/*.ts", ""])
      refused("INVALID_TASK", () => task("t", { resources: [resource] }));
  });

  test("is claimed once; an expired lease frees it, with a new epoch", () => {
    const held = claim(task("task-0001"), "ann");
    assert.deepEqual(held.lease, { holder: "ann", epoch: 1, expiresAt: "2026-01-01T00:05:00.000Z" });
    refused("TASK_NOT_CLAIMABLE", () => claim(held, "bob", [held], later));
    refused("TASK_NOT_CLAIMABLE", () => claim(held, "ann", [held], later));
    assert.equal(claim(held, "bob", [held], after).epoch, 2);
  });

  test("checks a holder in teamd's order: in progress, expired, holder, epoch", () => {
    const held = claim(task("task-0001"), "ann");
    for (const [one, by, epoch, at, code] of [
      [task("task-0001"), "bob", 9, after, "TASK_NOT_IN_PROGRESS"],
      [held, "bob", 9, after, "LEASE_EXPIRED"],
      [held, "bob", 9, later, "LEASE_HOLDER_MISMATCH"],
      [held, "ann", 9, later, "EPOCH_MISMATCH"],
    ] as const) {
      refused(code, () => renewedTask(one, { agent: by, epoch }, 1_000, at));
      refused(code, () => finishedTask(one, { agent: by, epoch }, "completed", at));
      refused(code, () => finishedTask(one, { agent: by, epoch }, "failed", at));
    }
    const renewed = renewedTask(held, { agent: "ann", epoch: 1 }, 300_000, later);
    assert.equal(renewed.lease?.expiresAt, "2026-01-01T00:06:00.000Z");
    const done = finishedTask(renewed, { agent: "ann", epoch: 1 }, "completed", later);
    assert.deepEqual([done.status, done.lease, done.owner, done.epoch], ["completed", null, "ann", 1]);
    refused("TASK_NOT_CLAIMABLE", () => claim(done, "bob"));
  });

  test("overlapping resources can be claimed by one agent, not by two", () => {
    const src = claim(task("task-0001", { resources: ["src/"] }), "ann");
    const part = task("task-0002", { resources: ["/repo/src/a"] });
    const docs = task("task-0003", { resources: ["docs"] });
    const board = [src, part, docs];
    refused("TASK_NOT_CLAIMABLE", () => claim(part, "bob", board));
    assert.equal(claim(docs, "bob", board).owner, "bob");
    assert.equal(claim(part, "ann", board).owner, "ann");
    assert.equal(claim(part, "bob", board, after).owner, "bob");
  });

  test("in any order of claims, renewals, ends and pauses: one holder, and no epoch twice", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    let one: TeamTask = task("task-0001", { resources: ["src"] });
    let at = now;
    const epochs = new Map<number, string>();
    for (let step = 0; step < 20_000; step++) {
      const agent = ["ann", "bob", "cyd"][random(3)] ?? "";
      at += random(100_000);
      const before = one;
      try {
        if (random(3) > 0) one = claim(one, agent, [one], at);
        else one = renewedTask(one, { agent, epoch: random(5) ? one.epoch : one.epoch - 1 }, 200_000, at);
      } catch (error) {
        assert.ok(error instanceof TeamFailure);
        continue;
      }
      const { lease } = one;
      assert.ok(lease && lease.holder === agent && lease.epoch === one.epoch);
      if (before.lease && Date.parse(before.lease.expiresAt) > at) assert.equal(before.lease.holder, agent);
      if (one.epoch !== before.epoch) assert.ok(!epochs.has(one.epoch));
      assert.equal(epochs.get(one.epoch) ?? agent, agent);
      epochs.set(one.epoch, agent);
    }
    assert.ok(epochs.size > 1_000);
  });
});

describe("whether an agent may write to a path", () => {
  const board = [claim(task("task-0001", { resources: ["src/"] }), "ann")];
  const asks = { agent: "ann", action: "write", leads: false } as const;
  for (const [wanted, expected] of [
    [{ path: "src/a.ts" }, "lease_active_for_resource"],
    [{ path: "/repo/src/new/a.ts" }, "lease_active_for_resource"],
    [{ path: "docs/a.md" }, "no_active_lease_for_path"],
    [{ path: "." }, "no_active_lease_for_path"],
    [{ path: ".", action: "run" }, "lease_active_for_resource"],
    [{ path: "src/deep", action: "run" }, "lease_active_for_resource"],
    [{ path: "docs", action: "run" }, "no_active_lease_for_path"],
    [{ path: "/elsewhere", action: "run" }, "no_active_lease_for_path"],
    [{ path: "src/a.ts", agent: "bob" }, "no_active_lease_for_path"],
    [{ path: ".", agent: "bob", action: "start" }, "no_active_lease_for_path"],
    [{ path: ".", agent: "bob", action: "start", leads: true }, "leader_may_look_after_workers"],
    [{ path: "src/a.ts", agent: "bob", leads: true }, "no_active_lease_for_path"],
    [{ path: "src/../x" }, "path_traversal_denied"],
    [{ path: "" }, "invalid_path"],
  ] as const) {
    test(`${JSON.stringify(wanted)}: ${expected}`, () => {
      const { allow, reason } = decideWrite(board, { ...asks, ...wanted }, "/repo", later);
      assert.equal(reason, expected);
      assert.equal(allow, ["lease_active_for_resource", "leader_may_look_after_workers"].includes(expected));
    });
  }

  test("not with an expired lease", () => {
    const { allow } = decideWrite(board, { ...asks, path: "src/a.ts" }, "/repo", after);
    assert.equal(allow, false);
  });
});
