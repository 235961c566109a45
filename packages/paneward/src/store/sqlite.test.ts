import assert from "node:assert/strict";
import { test } from "node:test";
import { openSqlite, refusesAnother } from "./sqlite.ts";

test("SQLite says whether a transaction is open, and the question changes nothing", () => {
  const database = openSqlite(":memory:", 1_234);
  assert.deepEqual({ ...database.prepare("PRAGMA busy_timeout").get() }, { timeout: 1_234 });
  database.exec("CREATE TABLE facts (fact)");
  assert.equal(refusesAnother(database), false);
  database.exec("SAVEPOINT work; INSERT INTO facts VALUES ('kept')");
  assert.equal(refusesAnother(database), true);
  database.exec("RELEASE work");
  assert.equal(refusesAnother(database), false);
  assert.equal(database.prepare("SELECT fact FROM facts").all().length, 1);
  database.close();
});
