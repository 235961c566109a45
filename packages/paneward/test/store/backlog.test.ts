import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { Backlog } from "../../src/store/backlog.ts";
import { dropShadow, putShadow } from "../../src/store/shadow.ts";

/** A database in memory whose disk a test fills, and whose lock it takes: what fails then is undone, as SQLite does it. */
function stage(maxWaiting?: number) {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE facts (text TEXT)");
  const disk = { isFull: false, isLocked: false };
  const connection = {
    exec(sql: string) {
      if (sql === "BEGIN IMMEDIATE" && disk.isLocked) throw new PanewardError("storage_busy", "locked");
      if (sql === "COMMIT" && disk.isFull) {
        database.exec("ROLLBACK");
        throw new PanewardError("storage_full", "no room");
      }
      database.exec(sql);
    },
    run: (sql: string, values: readonly (string | number | null)[]) => void database.prepare(sql).run(...values),
    get isTransaction() {
      return database.isTransaction;
    },
    putShadow: () => putShadow(database),
    dropShadow: () => dropShadow(database),
  };
  const backlog = new Backlog(connection as ConstructorParameters<typeof Backlog>[0], maxWaiting);
  return {
    ...{ backlog, disk, database },
    add: (text: string) => () => backlog.run("INSERT INTO facts (text) VALUES (?)", [text]),
    texts: () =>
      database
        .prepare("SELECT text FROM facts ORDER BY rowid")
        .all()
        .map((row) => row.text),
  };
}

test("what happened while the disk was full is seen at once, and stored in order when there is room", () => {
  const { backlog, disk, add, texts, database } = stage();
  backlog.write(add("a"));
  disk.isFull = true;
  backlog.keep(add("b"));
  backlog.keep(add("c"));
  assert.deepEqual(texts(), ["a", "b", "c"]);
  assert.deepEqual(backlog.room, { full: "no room", isBusy: false, waiting: 2 });
  assert.equal(backlog.flush(), false);
  assert.deepEqual(texts(), ["a", "b", "c"]);
  disk.isFull = false;
  assert.equal(backlog.flush(), true);
  assert.equal(database.isTransaction, false);
  assert.deepEqual(texts(), ["a", "b", "c"]);
  assert.deepEqual(backlog.room, { full: undefined, isBusy: false, waiting: 0 });
});

test("what is asked for is refused while the disk is full, and while something waits", () => {
  const { backlog, disk, add, texts } = stage();
  disk.isFull = true;
  assert.throws(() => backlog.write(add("a")), { code: "storage_full" });
  assert.deepEqual(backlog.room, { full: "no room", isBusy: false, waiting: 0 });
  backlog.keep(add("b"));
  disk.isFull = false;
  assert.throws(() => backlog.write(add("c")), { code: "storage_full", message: "no room" });
  assert.equal(backlog.flush(), true);
  backlog.write(add("d"));
  assert.deepEqual(texts(), ["b", "d"]);
});

test("work that fails while others wait changes nothing, and loses nothing of theirs", () => {
  const { backlog, disk, add, texts } = stage();
  disk.isFull = true;
  backlog.keep(add("a"));
  const failing = () => {
    add("b")();
    throw new Error("a bug");
  };
  assert.throws(() => backlog.keep(failing), /a bug/);
  assert.deepEqual(texts(), ["a"]);
  assert.equal(backlog.flush(), false);
  disk.isFull = false;
  assert.equal(backlog.flush(), true);
  assert.deepEqual(texts(), ["a"]);
});

test("what waits is bounded", () => {
  const { backlog, disk, add } = stage(3);
  disk.isFull = true;
  for (const text of ["a", "b", "c", "d"]) backlog.keep(add(text));
  assert.throws(() => backlog.keep(add("e")), { code: "storage_full" });
  disk.isFull = false;
  assert.equal(backlog.flush(), true);
  backlog.keep(add("f"));
});

test("what happened while another process held the lock is seen at once, and stored in order when it is free", () => {
  const { backlog, disk, add, texts, database } = stage();
  backlog.write(add("a"));
  disk.isLocked = true;
  backlog.keep(add("b"));
  backlog.keep(add("c"));
  assert.deepEqual(texts(), ["a", "b", "c"]);
  assert.deepEqual(backlog.room, { full: "locked", isBusy: true, waiting: 2 });
  assert.throws(() => backlog.write(add("d")), { code: "storage_busy" });
  assert.equal(backlog.flush(), false);
  disk.isLocked = false;
  assert.equal(backlog.flush(), true);
  assert.equal(database.isTransaction, false);
  assert.deepEqual(texts(), ["a", "b", "c"]);
  assert.deepEqual(backlog.room, { full: undefined, isBusy: false, waiting: 0 });
  backlog.write(add("e"));
  assert.deepEqual(texts(), ["a", "b", "c", "e"], "in the table itself, not in a copy");
});

test("nothing that waits is lost, in whatever order the disk is full and the lock is taken", () =>
  fuzz(
    ({ below, pick }) => {
      const { backlog, disk, add, texts } = stage();
      const expected: string[] = [];
      for (let step = 0; step < 30; step++) {
        const text = String(step);
        const kept = () => {
          backlog.keep(add(text));
          expected.push(text);
        };
        const written = () => {
          backlog.write(add(text));
          expected.push(text);
        };
        const act = pick<() => void>([
          () => Object.assign(disk, { isFull: below(2) === 0 }),
          () => Object.assign(disk, { isLocked: below(2) === 0 }),
          () => backlog.flush(),
          kept,
          () => {
            if (backlog.room.waiting > 0) assert.throws(written, { name: "PanewardError" });
            else if (!disk.isFull && !disk.isLocked) written();
          },
        ]);
        act();
        assert.deepEqual(texts(), expected, `step ${step}`);
      }
      Object.assign(disk, { isFull: false, isLocked: false });
      assert.equal(backlog.flush(), true);
      assert.deepEqual([texts(), backlog.room.waiting], [expected, 0]);
    },
    amount(300, 20_000),
  ));
