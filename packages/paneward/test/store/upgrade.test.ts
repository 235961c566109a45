import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { backUp } from "../../src/store/backups.ts";
import { migrations } from "../../src/store/migrations.ts";
import { planRepair, repair } from "../../src/store/repair.ts";
import { openStore } from "../../src/store/store.ts";
import { type Cleanup, temporaryFolder } from "../support/folder.ts";

const clock = { now: () => 1_700_000_000_000 };
const known = migrations.length;

// A copy is made on a thread that keeps no process alive, and Node 22 does not keep its own tests alive.
const alive = setInterval(() => {}, 60_000);
after(() => clearInterval(alive));

async function stage(t: Cleanup) {
  const folder = await temporaryFolder(t);
  const path = join(folder, "paneward.db");
  const schema = (file = path) => {
    const database = new DatabaseSync(file, { readOnly: true });
    const { user_version: found } = database.prepare("PRAGMA user_version").get() as { user_version: number };
    database.close();
    return found;
  };
  /** As the version that knew so many migrations wrote it. */
  const writtenBy = (count: number, reason = "before") => {
    const database = new DatabaseSync(path);
    for (const sql of migrations.slice(schema(), count)) database.exec(sql);
    const add = "INSERT INTO events (at, type, data) VALUES (1, 'tasks_changed', json_object('reason', ?))";
    database.prepare(add).run(reason);
    database.exec("INSERT OR REPLACE INTO counters SELECT 'event', max(seq) FROM events");
    database.exec(`PRAGMA user_version = ${count}`);
    database.close();
  };
  /** Opens it with this version, which adds an event. */
  const opened = (reason: string) => {
    const store = openStore(path, clock);
    store.write((writer) => writer.append("tasks_changed", { reason }));
    const reasons = store.events(0, 100).map(({ data }) => Reflect.get(data, "reason"));
    store.close();
    return reasons;
  };
  /** As a version after this one leaves it. */
  const becomesNewer = () => {
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${known + 1}`);
    database.close();
  };
  new DatabaseSync(path).close();
  return { path, backups: join(folder, "backups"), schema, writtenBy, opened, becomesNewer };
}

test("before a database is migrated a copy is kept, whole and private, which no daily backup displaces", async (t) => {
  const { path, backups, schema, writtenBy, opened } = await stage(t);
  writtenBy(known - 1);
  assert.deepEqual(opened("after"), ["before", "after"]);
  const copy = join(backups, `paneward.db.schema-${known - 1}`);
  assert.deepEqual([schema(), schema(copy)], [known, known - 1]);
  assert.equal((statSync(copy).mode & 0o777).toString(8), "600");
  for (let day = 0; day < 4; day++) await backUp(path);
  assert.ok(existsSync(copy));
  assert.equal(planRepair(path, clock.now()).problem, undefined);
});

test("a new database, and one of this version, are not copied", async (t) => {
  const { backups, opened } = await stage(t);
  opened("first");
  opened("second");
  assert.equal(existsSync(backups), false);
});

test("of the copies the three newest schemas are kept", async (t) => {
  const { backups, writtenBy, opened, path } = await stage(t);
  for (const count of [known - 4, known - 3, known - 2, known - 1]) {
    writtenBy(count);
    opened("x");
    // The next round begins with what a version before this one left.
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = 0`);
    for (const { name } of database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all())
      if (!String(name).startsWith("sqlite_")) database.exec(`DROP TABLE ${name}`);
    database.close();
  }
  assert.deepEqual(readdirSync(backups).sort(), [3, 2, 1].map((less) => `paneward.db.schema-${known - less}`).sort());
});

test("a database that cannot be copied first is not migrated", async (t) => {
  const { backups, schema, writtenBy, opened } = await stage(t);
  writtenBy(known - 1);
  writeFileSync(backups, "a file where the folder should be");
  assert.throws(() => opened("after"), /EEXIST|ENOTDIR|backups/);
  assert.equal(schema(), known - 1);
});

test("the refusal of a newer database names the backup that fits, the daily ones of the newer version do not", async (t) => {
  const { path, backups, opened, writtenBy, becomesNewer } = await stage(t);
  writtenBy(known - 1);
  opened("ours");
  becomesNewer();
  await backUp(path);
  const copy = join(backups, `paneward.db.schema-${known - 1}`);
  const hint = new RegExp(`install that version again, or go back to ${copy}, of .*doctor --repair --downgrade`);
  assert.throws(() => opened("never"), { code: "storage_newer", hint });
  assert.throws(() => planRepair(path, clock.now()), { code: "storage_newer", hint });
});

test("going back restores the newest copy that this version can read, and keeps the newer database beside it", async (t) => {
  const { path, schema, opened, writtenBy, becomesNewer } = await stage(t);
  writtenBy(known - 1);
  opened("with this version");
  await backUp(path);
  opened("after the backup");
  becomesNewer();
  const plan = planRepair(path, clock.now(), { downgrade: true });
  assert.match(plan.problem ?? "", new RegExp(`newer Paneward \\(schema ${known + 1}\\)`));
  assert.match(plan.backup?.path ?? "", /paneward\.db\.1$/);
  assert.equal(plan.lost, "everything since that backup: 1 events");
  repair(path, plan, clock.now());
  assert.equal(schema(plan.aside), known + 1);
  assert.deepEqual(opened("again"), ["before", "with this version", "again"]);
});

test("without a copy that fits, a newer database stays as it is", async (t) => {
  const { path, schema, opened, becomesNewer } = await stage(t);
  opened("ours");
  becomesNewer();
  assert.throws(() => planRepair(path, clock.now(), { downgrade: true }), {
    code: "storage_newer",
    hint: /no backup that this version can read/,
  });
  assert.equal(schema(), known + 1);
});
