import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { cpuTimeOf } from "../../src/system/cpu.ts";
import { temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

test("CPU time covers the whole process tree, whatever the program names", async (t) => {
  const proc = await temporaryFolder(t);
  const process = (pid: number, name: string, ticks: string, children: string) => {
    mkdirSync(`${proc}/${pid}/task/${pid}`, { recursive: true });
    writeFileSync(`${proc}/${pid}/stat`, `${pid} (${name}) S 1 1 1 0 -1 4194560 9 9 9 9 ${ticks} 20 0 1 0 0\n`);
    writeFileSync(`${proc}/${pid}/task/${pid}/children`, children);
  };
  process(10, "sh", "1 2 3 4", "11 12 ");
  process(11, "my (odd) name", "10 0 0 0", "13 ");
  process(13, "x", "0 0 0 80", "");
  assert.equal(cpuTimeOf(10, proc), 1_000);
  assert.equal(cpuTimeOf(99, proc), undefined);
});

test("a busy process uses CPU time; without /proc it is undefined", async (t) => {
  if (process.platform !== "linux") return assert.equal(cpuTimeOf(process.pid), undefined);
  const child = spawn("sh", ["-c", "while :; do :; done & wait"], { stdio: "ignore", detached: true });
  t.after(() => process.kill(-(child.pid ?? 0), "SIGKILL"));
  await until("its child has used some", () => (cpuTimeOf(child.pid ?? 0) ?? 0) >= 50);
});
