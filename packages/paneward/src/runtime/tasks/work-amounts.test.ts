import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkAmount } from "@paneward/sdk";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import type { TaskRecord } from "../../model/records.ts";
import type { World } from "../world.ts";
import { WorkAmounts } from "./work-amounts.ts";

const task = (id: number, hasWorktree = true) => ({ id, hasWorktree }) as TaskRecord;
const amount = (added: number) => ({ added }) as unknown as WorkAmount;

/** git takes as long as a test says. */
function counted(takesMs = 0) {
  const clock = new FakeClock();
  const asked: number[] = [];
  const git = { takesMs, fails: false };
  const work = async ({ id }: TaskRecord) => {
    asked.push(id);
    if (git.takesMs > 0) await clock.sleep(git.takesMs);
    if (git.fails) throw new Error("no git");
    return amount(asked.length);
  };
  const amounts = new WorkAmounts({ clock, worktrees: { work } } as unknown as World);
  const refresh = async (...ids: readonly number[]) => {
    const began = clock.monotonic();
    let over = false;
    void amounts.refresh(ids.map((id) => task(id))).then(() => {
      over = true;
    });
    await clock.until("refreshed", () => over);
    return clock.monotonic() - began;
  };
  return { clock, asked, git, amounts, refresh };
}

test("git is asked at most every five seconds per task, however the machine's clock is set", async () => {
  const { clock, asked, amounts, refresh } = counted();
  await refresh(1);
  clock.setWall(86_400_000);
  await clock.advance(5_000);
  await refresh(1);
  assert.deepEqual([asked, amounts.known(1)], [[1], amount(1)]);
  await clock.advance(1);
  await refresh(1);
  assert.deepEqual([asked, amounts.known(1)], [[1, 1], amount(2)]);
  amounts.forget(1);
  assert.equal(amounts.known(1), undefined);
  await refresh(1);
  assert.equal(asked.length, 3);
});

test("a list waits 40 ms for it and no longer; the answer is known when it comes, and nothing is asked twice", async () => {
  const { clock, asked, amounts, refresh } = counted(100);
  assert.equal(await refresh(1), 40);
  assert.equal(amounts.known(1), undefined);
  assert.equal(await refresh(1), 40);
  assert.deepEqual(asked, [1]);
  await clock.advance(20);
  assert.deepEqual(amounts.known(1), amount(1));
});

test("at most eight are asked at once, and none without a worktree", async () => {
  const { asked, amounts, refresh } = counted();
  await refresh(...Array.from({ length: 20 }, (_, at) => at + 1));
  assert.equal(asked.length, 8);
  await amounts.refresh([task(99, false)]);
  assert.equal(asked.length, 8);
});

test("a failure means that nothing is known", async () => {
  const { amounts, refresh, git } = counted();
  git.fails = true;
  await refresh(1);
  assert.equal(amounts.known(1), undefined);
  amounts.forget();
});
