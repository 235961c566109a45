import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { keepLocks } from "../../src/daemon/kept-locks.ts";
import { takeDaemonLocks } from "../../src/daemon/locks.ts";
import { isInUse } from "../../src/store/in-use.ts";
import { openStore } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { takeLock } from "../../src/system/lock.ts";
import { FakeClock } from "../support/fake-clock.ts";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "pw-lock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function logged() {
  const lines: string[] = [];
  const note = (message: string) => lines.push(message);
  return { lines, log: { info: note, warn: note, error: note } };
}

const refusal = { code: "wrong_state", message: /another daemon is already running: process \d+ holds/ };

test("a lock has one holder, and is free again when that releases it", (t) => {
  const path = join(folderOf(t), "daemon.lock");
  const lock = takeLock(path);
  assert.throws(() => takeLock(path), refusal);
  lock.release();
  assert.equal(existsSync(`${path}.pid`), false, "a holder that ended by itself leaves no name");
  takeLock(path).release();
});

test("a lock says who held it before and did not release it", (t) => {
  const path = join(folderOf(t), "daemon.lock");
  writeFileSync(`${path}.pid`, "4711\n");
  const lock = takeLock(path);
  t.after(lock.release);
  assert.equal(lock.leftBy, "4711");
});

for (const [what, spoil] of [
  ["removed", (path: string) => rmSync(path)],
  [
    "replaced",
    (path: string) => {
      rmSync(path);
      writeFileSync(path, "");
    },
  ],
] as const) {
  test(`a lock whose file is ${what} is taken again, and keeps others out`, async (t) => {
    const path = join(folderOf(t), "daemon.lock");
    const clock = new FakeClock();
    const { lines, log } = logged();
    const lock = takeLock(path);
    t.after(lock.release);
    const kept = keepLocks([lock], { clock, log });
    t.after(kept.stop);
    await clock.advance(10_000);
    assert.deepEqual(lines, []);
    spoil(path);
    await clock.advance(10_000);
    assert.throws(() => takeLock(path), refusal);
    assert.deepEqual(lines, ["the lock's file was removed or replaced while in use, and was taken again"]);
  });
}

test("a lock that another process has taken meanwhile is reported once", async (t) => {
  const path = join(folderOf(t), "daemon.lock");
  const clock = new FakeClock();
  const { lines, log } = logged();
  const lock = takeLock(path);
  t.after(lock.release);
  t.after(keepLocks([lock], { clock, log }).stop);
  rmSync(path);
  const other = takeLock(path);
  await clock.advance(30_000);
  assert.deepEqual(lines, ["the lock's file was removed or replaced while in use, and cannot be taken again"]);
  other.release();
  await clock.advance(10_000);
  assert.equal(lines.length, 2);
});

test("a daemon whose locks were removed keeps others out by its database", (t) => {
  const home = folderOf(t);
  const places = { home, database: join(home, "paneward.db"), socket: join(home, "first.sock") };
  const first = takeDaemonLocks(places, isInUse);
  const store = openStore(places.database, systemClock());
  for (const path of [`${places.socket}.lock`, join(home, "daemon.lock")]) rmSync(path);
  const second = () => takeDaemonLocks({ ...places, socket: join(home, "second.sock") }, isInUse);
  assert.throws(second, { code: "wrong_state", message: /another process uses .*paneward\.db/ });
  store.close();
  for (const lock of first) lock.release();
  for (const lock of second()) lock.release();
});
