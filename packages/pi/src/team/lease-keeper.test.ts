import assert from "node:assert/strict";
import { test } from "node:test";
import { LeaseKeeper } from "./lease-keeper.ts";

test("leases are renewed at half their time, only while the agent works", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 0 });
  const renewals: (readonly [string, number, number])[] = [];
  const lease = (epoch: number) => ({ epoch, expiresAt: new Date(Date.now() + 300_000).toISOString() });
  const keeper = new LeaseKeeper(async (task, epoch, ttlMs) => {
    renewals.push([task, Date.now(), ttlMs]);
    if (task === "lost") throw new Error("LEASE_EXPIRED");
    return lease(epoch);
  });
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  keeper.held("one", lease(1));
  await pass(140_000);
  keeper.works();
  assert.equal(renewals.length, 0);
  await pass(10_000);
  assert.deepEqual(renewals, [["one", 150_000, 300_000]]);
  await pass(150_000);
  assert.equal(renewals.length, 2);
  keeper.rests();
  await pass(200_000);
  assert.equal(renewals.length, 2);
  keeper.works();
  await pass(0);
  assert.equal(renewals.length, 3);
  keeper.gone("one");
  keeper.held("lost", lease(1));
  await pass(150_000);
  await pass(600_000);
  assert.deepEqual(
    renewals.slice(3).map(([task]) => task),
    ["lost"],
  );
});
