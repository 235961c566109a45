import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { PanewardEvent } from "@paneward/sdk";
import type { DeliveryRecord, TerminalRecord } from "../../src/model/records.ts";
import { migrations } from "../../src/store/migrations.ts";
import { openStore, unfinishedSql } from "../../src/store/store.ts";

function temporary(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "pw-store-"));
  const path = join(folder, "paneward.db");
  const store = openStore(path, { now: () => 1_000 });
  t.after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return { store, path };
}

test("events are numbered without gaps, also after a failed write", (t) => {
  const { store } = temporary(t);
  const heard: PanewardEvent[] = [];
  store.onEvents((events) => heard.push(...events));
  store.write((writer) => writer.append("tasks_changed", { reason: "one" }));
  assert.throws(() =>
    store.write((writer) => {
      writer.append("tasks_changed", { reason: "never" });
      writer.putToken({ id: "x", name: "x", scope: "read", hash: "h", createdAt: 1 });
      throw new Error("changed my mind");
    }),
  );
  store.write((writer) => writer.append("tasks_changed", { reason: "two" }));
  assert.deepEqual(
    store.events(0, 10).map(({ seq, data }) => [seq, data]),
    [
      [1, { reason: "one" }],
      [2, { reason: "two" }],
    ],
  );
  assert.deepEqual(store.tokens(), []);
  assert.deepEqual(heard, store.events(0, 10));
});

test("while another process holds the lock, nothing waits long, and what happens is known at once and stored later", (t) => {
  const { store, path } = temporary(t);
  const heard: PanewardEvent[] = [];
  store.onEvents((events) => heard.push(...events));
  store.write((writer) => {
    writer.putTerminal(terminal(writer.nextTerminalId()));
    writer.append("tasks_changed", { reason: "before" });
    writer.putDelivery(record);
  });
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  const began = performance.now();
  for (let count = 0; count < 20; count++) {
    assert.throws(() => store.write((writer) => writer.nextTaskId()), { code: "storage_busy" });
    store.keep((writer) => {
      writer.putTerminal({ ...terminal("t1"), name: `name ${count}` });
      writer.putDelivery(record);
      writer.append("tasks_changed", { reason: "meanwhile" });
    });
  }
  const took = performance.now() - began;
  assert.ok(took < 1_000, `it took ${took} ms`);
  const seen = () => [store.terminal("t1")?.name, store.events(0, 100).map(({ seq }) => seq), store.eventRange()];
  const expected = ["name 19", Array.from({ length: 21 }, (_, at) => at + 1), { oldest: 1, newest: 21 }];
  assert.deepEqual(seen(), expected);
  assert.deepEqual(heard, store.events(0, 100));
  assert.equal(store.flush(), false);
  other.exec("ROLLBACK");
  assert.equal(store.flush(), true);
  assert.deepEqual(seen(), expected);
  const stored = () => other.prepare("SELECT count(*) AS events, max(seq) AS newest FROM events").get();
  assert.deepEqual({ ...stored() }, { events: 21, newest: 21 });
  store.write((writer) => writer.append("tasks_changed", { reason: "after" }));
  assert.deepEqual({ ...stored() }, { events: 22, newest: 22 }, "in the file, not in a copy");
  other.close();
  store.close();
});

test("a failed write leaves terminals unchanged; they are ordered by number", (t) => {
  const { store, path } = temporary(t);
  for (let at = 0; at < 11; at++) store.write((writer) => writer.putTerminal(terminal(writer.nextTerminalId())));
  assert.throws(() =>
    store.write((writer) => {
      writer.putTerminal({ ...terminal("t2"), name: "never" });
      writer.removeTerminal("t3");
      writer.putTerminal(terminal(writer.nextTerminalId()));
      assert.equal(store.terminal("t2")?.name, "never");
      assert.equal(store.terminals().length, 11);
      throw new Error("changed my mind");
    }),
  );
  const ids = Array.from({ length: 11 }, (_, at) => `t${at + 1}`);
  assert.deepEqual(store.terminals(), ids.map(terminal));
  store.write((writer) => writer.removeTerminal("t10"));
  store.write((writer) => writer.putTerminal(terminal("t10")));
  assert.deepEqual(store.terminals(), ids.map(terminal));
  const again = openStore(path, { now: () => 2_000 });
  t.after(() => again.close());
  assert.deepEqual(again.terminals(), store.terminals());
});

function terminal(id: string): TerminalRecord {
  return {
    ...{ id, name: "name", host: "local", session: `pw-${id}`, argv: ["true"], cwd: "/", env: {} },
    ...{ columns: 80, rows: 24, journal: `/j/${id}`, keep: false, phase: "running", createdAt: 1 },
  };
}

test("terminals of an earlier release keep the status that was reported last, under its new name", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pw-store-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "paneward.db");
  const old = new DatabaseSync(path);
  for (const sql of migrations.slice(0, 6)) old.exec(sql);
  const reported = { status: "Waiting", why: { source: "screen", rule: 'it asks "ä"', since: 1_700_000_000_123 } };
  const put = old.prepare("INSERT INTO terminals (id, record) VALUES (?, ?)");
  put.run("t1", JSON.stringify({ ...terminal("t1"), told: reported }));
  put.run("t2", JSON.stringify(terminal("t2")));
  old.exec("PRAGMA user_version = 6");
  old.close();
  const again = openStore(path, { now: () => 2_000 });
  t.after(() => again.close());
  assert.deepEqual(again.terminals(), [{ ...terminal("t1"), lastReported: reported }, terminal("t2")]);
});

test("numbering continues after all events were trimmed and the file was reopened", (t) => {
  const { store, path } = temporary(t);
  for (const reason of ["a", "b", "c"]) store.write((writer) => writer.append("tasks_changed", { reason }));
  assert.equal(store.trimEvents(1), 2);
  assert.deepEqual(store.eventRange(), { oldest: 3, newest: 3 });
  assert.equal(store.trimEvents(0), 1);
  const again = openStore(path, { now: () => 2_000 });
  t.after(() => again.close());
  assert.deepEqual(again.eventRange(), { oldest: 4, newest: 3 });
  again.write((writer) => writer.append("tasks_changed", { reason: "d" }));
  assert.deepEqual(again.eventRange(), { oldest: 4, newest: 4 });
});

test("events take no more than their share of bytes, and one of their texts no more than its own", (t) => {
  const { store, path } = temporary(t);
  store.close();
  const small = openStore(path, { now: () => 1_000 }, { maxEventBytes: 500_000 });
  t.after(() => small.close());
  const heard: number[] = [];
  small.onEvents((events) => heard.push(...events.map(({ data }) => JSON.stringify(data).length)));
  for (let count = 0; count < 100; count++) {
    small.write((writer) => writer.append("tasks_changed", { reason: "x".repeat(100_000) }));
  }
  const kept = small.events(0, 1_000);
  const bytes = kept.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
  assert.ok(kept.length > 0 && bytes <= 500_000 * 1.25, `${kept.length} events of ${bytes} bytes`);
  assert.equal(kept.at(-1)?.seq, 100);
  assert.match(JSON.stringify(kept.at(-1)), /x… \(34464 more characters\)/);
  assert.ok(Math.max(...heard) < 70_000, "a listener gets what is stored");
});

test("a database locked by another process is a clear error, and nothing is half written", {
  timeout: 20_000,
}, (t) => {
  const { store, path } = temporary(t);
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  assert.throws(() => store.write((writer) => writer.append("tasks_changed", { reason: "x" })), {
    code: "storage_busy",
  });
  other.exec("COMMIT");
  assert.deepEqual(store.eventRange(), { oldest: 1, newest: 0 });
  store.write((writer) => writer.append("tasks_changed", { reason: "y" }));
  assert.deepEqual(store.eventRange(), { oldest: 1, newest: 1 });
});

test("a full disk is a clear error, and nothing is half written", (t) => {
  const { store, path } = temporary(t);
  store.close();
  const small = openStore(path, { now: () => 1_000 }, { maxPages: 40 });
  const reason = "x".repeat(1_000);
  let kept = 0;
  assert.throws(
    () => {
      for (;;) {
        small.write((writer) => {
          writer.append("tasks_changed", { reason });
          writer.append("tasks_changed", { reason });
        });
        kept += 2;
      }
    },
    { code: "storage_full" },
  );
  assert.ok(kept > 0);
  assert.equal(small.events(0, 1_000).length, kept);
  assert.equal(small.trimEvents(2), kept - 2);
  small.write((writer) => writer.append("tasks_changed", { reason }));
  assert.equal(small.eventRange().newest, kept + 1);
  small.close();
});

test("a database of a newer version is refused before anything is changed", (t) => {
  const { store, path } = temporary(t);
  store.close();
  const newer = new DatabaseSync(path);
  newer.exec("PRAGMA user_version = 999");
  newer.close();
  assert.throws(() => openStore(path, { now: () => 1 }), { code: "storage_newer", message: /newer/ });
});

test("an unusable path is refused with a hint", () => {
  assert.throws(() => openStore("/", { now: () => 1 }), { code: "unavailable", hint: /doctor/ });
});

const record: DeliveryRecord = {
  id: "d1",
  terminal: "t1",
  state: "queued",
  createdAt: 1,
  updatedAt: 1,
  key: "k",
  number: 1,
  pid: 1,
  unfinished: true,
};

test("deliveries are found by terminal and key, and are removed with their terminal", (t) => {
  const { store } = temporary(t);
  store.write((writer) => writer.putDelivery(record));
  assert.deepEqual(store.delivery("t1", "k"), record);
  assert.equal(store.delivery("t2", "k"), undefined);
  assert.throws(() => store.write((writer) => writer.putDelivery({ ...record, id: "d2" })));
  store.write((writer) => writer.removeTerminal("t1"));
  assert.equal(store.delivery("t1", "k"), undefined);
});

test("unfinished deliveries are found by an index, however many are finished", (t) => {
  const { store, path } = temporary(t);
  const of = (number: number, unfinished: boolean): DeliveryRecord => ({
    ...{ id: `d${number}`, terminal: "t1", state: "queued", text: "x", by: "uid:1000", createdAt: 1, updatedAt: 1 },
    ...{ number, pid: 1, unfinished },
  });
  store.write((writer) => {
    for (const number of [3, 1, 2]) writer.putDelivery(of(number, true));
    writer.putDelivery(of(2, false));
    writer.putDelivery(of(4, false));
  });
  assert.deepEqual(
    store.unfinishedDeliveries().map(({ id }) => id),
    ["d1", "d3"],
  );
  const database = new DatabaseSync(path, { readOnly: true });
  t.after(() => database.close());
  const [plan] = database.prepare(`EXPLAIN QUERY PLAN ${unfinishedSql}`).all();
  assert.match(String(plan?.detail), /USING INDEX deliveries_unfinished/);
});
