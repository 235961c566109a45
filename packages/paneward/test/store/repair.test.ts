import assert from "node:assert/strict";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import type { TerminalRecord } from "../../src/model/records.ts";
import { backUp, backupsOf } from "../../src/store/backups.ts";
import { inspectDatabase } from "../../src/store/inspect.ts";
import { planRepair, repair } from "../../src/store/repair.ts";
import { openStore } from "../../src/store/store.ts";
import { type Cleanup, temporaryFolder } from "../support/folder.ts";

const clock = { now: () => 1_700_000_000_000 };

// A copy is made on a thread that keeps no process alive, and Node 22 does not keep its own tests alive.
const alive = setInterval(() => {}, 60_000);
after(() => clearInterval(alive));

async function stage(t: Cleanup) {
  const folder = await temporaryFolder(t);
  const path = join(folder, "paneward.db");
  const add = (count: number) => {
    const store = openStore(path, clock);
    for (let at = 0; at < count; at++) {
      store.write((writer) => writer.append("tasks_changed", { reason: "x".repeat(500) }));
    }
    const { newest } = store.eventRange();
    store.close();
    return newest;
  };
  /** Overwrites pages in the middle of the file. */
  const damage = (file = path) => {
    const handle = openSync(file, "r+");
    const { size } = statSync(file);
    writeSync(handle, Buffer.alloc(size - 8_192, 0xab), 0, size - 8_192, 8_192);
    closeSync(handle);
  };
  return { folder, path, add, damage };
}

test("three backups are kept, private and whole, the newest first", async (t) => {
  const { path, add, folder } = await stage(t);
  for (const count of [1, 1, 1, 1]) {
    add(count);
    await backUp(path);
  }
  const last = (file: string) => {
    const store = openStore(file, clock);
    const { newest } = store.eventRange();
    store.close();
    return newest;
  };
  const backups = backupsOf(path).map((backup) => backup.path);
  assert.deepEqual(readdirSync(join(folder, "backups")).sort(), ["paneward.db.1", "paneward.db.2", "paneward.db.3"]);
  assert.deepEqual(
    backups.map((file) => (statSync(file).mode & 0o777).toString(8)),
    ["600", "600", "600"],
  );
  assert.deepEqual(backups.map(last), [4, 3, 2]);
});

test("a backup of a damaged database fails, and displaces none", async (t) => {
  const { path, add, damage, folder } = await stage(t);
  add(100);
  await backUp(path);
  damage();
  await assert.rejects(backUp(path), /malformed|damaged|not a database/);
  assert.deepEqual(readdirSync(join(folder, "backups")), ["paneward.db.1"]);
});

test("a backup is made while the database is written", async (t) => {
  const { path, add } = await stage(t);
  add(10);
  const store = openStore(path, clock);
  t.after(() => store.close());
  const made = store.backUp();
  for (let at = 0; at < 50; at++) store.write((writer) => writer.append("tasks_changed", { reason: "y" }));
  await made;
  assert.equal(store.backups().length, 1);
});

test("a good database is left as it is", async (t) => {
  const { path, add } = await stage(t);
  add(1);
  await backUp(path);
  assert.equal(planRepair(path, Date.now()).problem, undefined);
});

test("a damaged database is replaced by the newest good backup; it is kept, and what is lost is said", async (t) => {
  const { path, add, damage } = await stage(t);
  add(50);
  await backUp(path);
  add(50);
  await backUp(path);
  damage(backupsOf(path)[0]?.path);
  const newest = add(7);
  damage();
  const plan = planRepair(path, Date.now());
  assert.match(plan.problem ?? "", /damaged/);
  assert.equal(plan.backup?.path, backupsOf(path)[1]?.path);
  assert.match(plan.lost, /everything since that backup/);
  repair(path, plan, Date.now());
  assert.ok(existsSync(plan.aside ?? ""));
  assert.equal(newest, 107);
  const store = openStore(path, clock);
  t.after(() => store.close());
  assert.deepEqual(store.eventRange(), { oldest: 1, newest: 50 });
  assert.ok(store.began().repaired > 0);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("a file that is no database, without any backup, is kept aside and the next begins empty", async (t) => {
  const { path } = await stage(t);
  writeFileSync(path, "this is not a database, and long enough to be read as one ".repeat(20));
  assert.throws(() => openStore(path, clock), { code: "storage_damaged", hint: /doctor --repair/ });
  const plan = planRepair(path, Date.now());
  assert.equal(plan.backup, undefined);
  repair(path, plan, Date.now());
  assert.ok(existsSync(plan.aside ?? ""));
  openStore(path, clock).close();
});

test("a database that began empty after its backup can be given up for the backup", async (t) => {
  const { path, add } = await stage(t);
  add(5);
  await backUp(path);
  rmSync(path);
  const later = { now: () => Date.now() + 3_600_000 };
  openStore(path, later).close();
  const plan = planRepair(path, Date.now());
  assert.match(plan.problem ?? "", /began empty/);
  repair(path, plan, Date.now());
  const store = openStore(path, clock);
  t.after(() => store.close());
  assert.equal(store.eventRange().newest, 5);
});

test("a database of a newer version is not touched", async (t) => {
  const { path, add } = await stage(t);
  add(1);
  await backUp(path);
  const newer = new DatabaseSync(path);
  newer.exec("PRAGMA user_version = 999");
  newer.close();
  assert.throws(() => planRepair(path, Date.now()), { code: "storage_newer" });
});

test("a file that was removed or replaced while in use is put back with everything", async (t) => {
  const { path, add, folder } = await stage(t);
  add(3);
  const store = openStore(path, clock);
  assert.equal(store.isInPlace(), true);
  for (const side of ["", "-wal", "-shm"]) rmSync(`${path}${side}`, { force: true });
  assert.equal(store.isInPlace(), false);
  store.write((writer) => writer.append("tasks_changed", { reason: "after" }));
  assert.equal(store.putBack(), undefined);
  assert.equal(store.isInPlace(), true);
  rmSync(path);
  writeFileSync(path, "something else");
  const aside = store.putBack();
  assert.ok(aside !== undefined && existsSync(aside));
  store.write((writer) => writer.append("tasks_changed", { reason: "at last" }));
  await store.settled();
  store.close();
  const again = openStore(path, clock);
  assert.equal(again.eventRange().newest, 5);
  again.close();
  assert.ok(!readdirSync(folder).some((name) => name.endsWith(".new")));
});

test("a file that was emptied in place while in use is put back, if what is open is whole", async (t) => {
  const { path } = await stage(t);
  const store = openStore(path, clock);
  for (let at = 0; at < 20; at++) store.write((writer) => writer.append("tasks_changed", { reason: "x".repeat(500) }));
  assert.deepEqual([store.isInPlace(), store.damage()], [true, undefined]);
  writeFileSync(path, "");
  assert.deepEqual([store.isInPlace(), store.damage()], [true, "its file is shorter than it was"]);
  assert.ok(store.putBack() !== undefined);
  assert.equal(store.damage(), undefined);
  store.close();
  const again = openStore(path, clock);
  t.after(() => again.close());
  assert.equal(again.events(0, 100).length, 20);
});

for (const written of [false, true]) {
  const when = written ? "after something was written" : "before anything is written";
  test(`a database that is emptied in place ${when} and has nothing left in memory says so`, async (t) => {
    const { path, add } = await stage(t);
    add(3_000);
    const store = openStore(path, clock);
    t.after(() => store.close());
    if (written) store.write((writer) => writer.append("tasks_changed", { reason: "x" }));
    writeFileSync(path, "");
    assert.match(store.damage() ?? "", /shorter/);
    assert.throws(() => store.putBack(), { code: "storage_damaged" });
    assert.notEqual(store.damage(), undefined);
    assert.equal(statSync(path).size, 0, "nothing is put there that is not whole");
  });
}

test("a log that is left beside an emptied file is not applied to the backup", async (t) => {
  const { path, add } = await stage(t);
  add(3);
  await backUp(path);
  const other = new DatabaseSync(path);
  other.exec("PRAGMA wal_autocheckpoint = 0; CREATE TABLE later (text TEXT); INSERT INTO later VALUES ('x')");
  const log = readFileSync(`${path}-wal`);
  other.close();
  writeFileSync(path, "");
  writeFileSync(`${path}-wal`, log);
  const plan = planRepair(path, clock.now());
  assert.match(plan.problem ?? "", /missing/);
  repair(path, plan, clock.now());
  assert.ok(existsSync(`${plan.aside}-wal`));
  const store = openStore(path, clock);
  t.after(() => store.close());
  assert.equal(store.eventRange().newest, 3);
  assert.equal(inspectDatabase(path).kind, "good");
});

const spoiled: readonly (readonly [what: string, sql: string, found: readonly string[]])[] = [
  ["a record that is cut", "UPDATE terminals SET record = substr(record, 1, 40) WHERE id = 't1'", ["terminals t1"]],
  ["a record that is null", "UPDATE terminals SET record = 'null' WHERE id = 't1'", ["terminals t1"]],
  ["a record that is bytes", "UPDATE terminals SET record = x'00ff' WHERE id = 't1'", ["terminals t1"]],
  [
    "a record without a field",
    "UPDATE terminals SET record = json_remove(record, '$.session')",
    ["terminals t1", "terminals t2"],
  ],
  ["a record with a field of another type", "UPDATE tokens SET record = json_set(record, '$.hash', 7)", ["tokens k"]],
  ["a counter that is no number", "UPDATE counters SET value = 'abc' WHERE name = 'event'", ["counter event"]],
  [
    "a counter that is behind",
    "UPDATE counters SET value = 0 WHERE name IN ('event', 'terminal')",
    ["counter event", "counter terminal"],
  ],
  ["a counter that is gone", "DELETE FROM counters WHERE name = 'event'", ["counter event"]],
];

for (const [what, sql, found] of spoiled) {
  test(`${what} keeps nothing else from being used: it is reported, and kept if it is a record`, async (t) => {
    const { path } = await stage(t);
    const first = openStore(path, clock);
    first.write((writer) => {
      for (const name of ["one", "two"]) writer.putTerminal({ ...terminal, id: writer.nextTerminalId(), name });
      writer.putToken({ id: "k", name: "k", scope: "read", hash: "h", createdAt: 1 });
      writer.append("tasks_changed", { reason: "before" });
    });
    first.close();
    const hand = new DatabaseSync(path);
    hand.exec(sql);
    hand.close();
    const plan = planRepair(path, clock.now());
    assert.deepEqual([plan.setsAside, plan.aside], [true, undefined]);
    assert.match(plan.problem ?? "", new RegExp(found.join(", ")));

    const store = openStore(path, clock);
    assert.deepEqual(store.unreadable, found);
    const records = found.filter((name) => !name.startsWith("counter"));
    assert.equal(store.setAside(), records.length);
    assert.equal(store.terminals().length, 2 - records.filter((name) => name.startsWith("terminals")).length);
    store.write((writer) => {
      writer.append("tasks_changed", { reason: "after" });
      assert.equal(writer.nextTerminalId(), "t3");
    });
    assert.deepEqual(
      store.events(0, 10).map(({ seq }) => seq),
      [1, 2],
    );
    store.close();
    assert.equal(planRepair(path, clock.now()).problem, undefined, "it is mended");
  });
}

test("doctor --repair sets a spoiled record aside and leaves the rest as it is", async (t) => {
  const { path, add } = await stage(t);
  add(3);
  const hand = new DatabaseSync(path);
  hand.exec("INSERT INTO tasks (id, record) VALUES (7, '{')");
  hand.close();
  repair(path, planRepair(path, clock.now()), clock.now());
  const store = openStore(path, clock);
  t.after(() => store.close());
  assert.deepEqual([store.unreadable, store.setAside(), store.eventRange().newest], [[], 1, 3]);
  store.write((writer) => assert.equal(writer.nextTaskId(), 8, "its number is not given again"));
});

test("an event that cannot be read is left out, however many there are", async (t) => {
  const { path, add } = await stage(t);
  add(300);
  const hand = new DatabaseSync(path);
  hand.exec("UPDATE events SET data = substr(data, 1, 20) WHERE seq BETWEEN 2 AND 299");
  hand.close();
  const store = openStore(path, clock);
  t.after(() => store.close());
  assert.deepEqual(
    store.events(0, 100).map(({ seq }) => seq),
    [1, 300],
  );
});

const terminal: TerminalRecord = {
  ...{ id: "t0", name: "x", host: "local", argv: ["sh"], cwd: "/", env: {}, keep: false, columns: 80, rows: 24 },
  ...{ session: "s", journal: "/j", phase: "ended", createdAt: 1 },
};
