import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openIdentity } from "../../src/system/identity.ts";
import { openLog, rotatingFile } from "../../src/system/log.ts";
import { privateFiles } from "../../src/system/private-files.ts";

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

const others: Readonly<Record<string, (path: string) => unknown>> = {
  "a FIFO": (path) => execFileSync("mkfifo", [path]),
  "a folder": (path) => mkdirSync(path),
  "a link": (path) => symlinkSync("/dev/null", path),
};
for (const [what, put] of Object.entries(others)) {
  test(`${what} at the log's place stops nothing, and the lines are counted as dropped`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), "pw-log-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "daemon.log");
    put(path);
    const file = rotatingFile(path);
    for (const line of ["one\n", "two\n"]) file.write(line);
    rmSync(path, { recursive: true });
    file.write("three\n");
    const [dropped, written] = readFileSync(path, "utf8").split("\n");
    assert.deepEqual([JSON.parse(dropped ?? "").lines, written], [2, "three"]);
  });
}

test("a FIFO at the place of the daemon's key is refused with a hint, and one at the place of a private file does not block", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pw-key-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "identity.key");
  execFileSync("mkfifo", [path]);
  await assert.rejects(openIdentity(path, privateFiles), { code: "unavailable", message: /FIFO/, hint: /remove it/ });
  await assert.rejects(privateFiles.text(path), /FIFO/);
  await assert.rejects(privateFiles.writePrivate(path, "text"), /ENXIO/);
});
