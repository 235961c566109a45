import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { bootId } from "../../src/system/boot.ts";
import { leftOf } from "../../src/system/processes.ts";
import { temporaryFolder } from "../support/folder.ts";

test("what is left of a program has its session and its terminal's variable, and is no zombie", async (t) => {
  const proc = await temporaryFolder(t);
  const process = (pid: number, state: string, session: number, terminal: string) => {
    mkdirSync(`${proc}/${pid}`);
    writeFileSync(`${proc}/${pid}/stat`, `${pid} (my (odd) name) ${state} 1 ${session} ${session} 0 -1\n`);
    writeFileSync(`${proc}/${pid}/environ`, `PATH=/bin\0PANEWARD_TERMINAL=${terminal}\0HOME=/\0`);
  };
  process(10, "S", 10, "t3");
  process(11, "R", 10, "t3");
  process(12, "Z", 10, "t3");
  process(13, "S", 10, "t33");
  process(14, "S", 14, "t3");
  mkdirSync(`${proc}/15`);
  mkdirSync(`${proc}/sys`);
  assert.deepEqual(leftOf("t3", 10, proc), [10, 11]);
  assert.deepEqual(leftOf("t3", 99, proc), []);
  assert.deepEqual(leftOf("t3", 10, `${proc}/none`), []);
});

test("a boot has an id where the kernel gives one", async (t) => {
  const file = `${await temporaryFolder(t)}/boot_id`;
  assert.equal(bootId(file), undefined);
  writeFileSync(file, "0f1e\n");
  assert.equal(bootId(file), "0f1e");
});
