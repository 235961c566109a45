import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LogTail } from "./log-tail.ts";

function place(t: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), "pw-tail-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "daemon.log");
}

test("the last lines of a log; none of a log that is not there", (t) => {
  const path = place(t);
  assert.equal(new LogTail(path).last(5), undefined);
  writeFileSync(path, "one\ntwo\nthree\nhalf");
  assert.deepEqual(new LogTail(path).last(2), ["two", "three"]);
  assert.deepEqual(new LogTail(path).last(50), ["one", "two", "three"]);
  assert.deepEqual(new LogTail(path).last(0), []);
});

test("new lines follow, whole, also after the log was restarted", async (t) => {
  const path = place(t);
  writeFileSync(path, "one\nha");
  const tail = new LogTail(path);
  assert.deepEqual(tail.last(50), ["one"]);
  const lines = tail.following();
  const next = async () => (await lines.next()).value;
  const first = next();
  appendFileSync(path, "lf\n");
  assert.equal(await first, "half");
  const second = next();
  renameSync(path, `${path}.1`);
  writeFileSync(path, "anew\n");
  assert.equal(await second, "anew");
  await lines.return(undefined);
});
