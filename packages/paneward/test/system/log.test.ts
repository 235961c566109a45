import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openLog, rotatingFile } from "../../src/system/log.ts";

test("a log is rotated by size, and the oldest part is dropped", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pw-log-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "daemon.log");
  const file = rotatingFile(path, 20);
  for (const line of ["one", "two", "three", "four", "five"]) file.write(`${line.padEnd(14)}\n`);
  assert.equal(readFileSync(path, "utf8").trim(), "five");
  assert.deepEqual(
    [1, 2, 3].map((at) => readFileSync(`${path}.${at}`, "utf8").trim()),
    ["four", "three", "two"],
  );
  assert.equal(existsSync(`${path}.4`), false);
});

test("a log line is JSON with a time, and only its owner can read it", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pw-log-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "daemon.log");
  openLog(path).warn("a host is away", { host: "box" });
  const line = JSON.parse(readFileSync(path, "utf8"));
  assert.deepEqual([line.msg, line.host, line.level], ["a host is away", "box", 40]);
  assert.match(line.time, /^\d{4}-\d\d-\d\dT/);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});
