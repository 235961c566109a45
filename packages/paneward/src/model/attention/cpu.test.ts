import assert from "node:assert/strict";
import { test } from "node:test";
import { type CpuUse, lookedAtCpu } from "./cpu.ts";

const looks = (...seen: readonly (readonly [at: number, usedMs: number])[]) =>
  seen.reduce<CpuUse | undefined>((before, [at, usedMs]) => lookedAtCpu(before, usedMs, at), undefined)?.idleSince;

test("processes are idle since the first of the looks between which they used next to nothing", () => {
  assert.equal(looks([0, 500]), undefined, "one look shows nothing");
  assert.equal(looks([0, 500], [60_000, 500]), 0);
  assert.equal(looks([0, 500], [60_000, 900], [120_000, 910]), 0, "a program that waits wakes now and then");
  assert.equal(looks([0, 500], [60_000, 2_500], [120_000, 2_500]), 60_000, "it worked until the second look");
  assert.equal(looks([0, 500], [60_000, 500], [120_000, 9_000]), undefined, "it works again");
  assert.equal(looks([0, 500], [60_000, 300]), undefined, "one of them ended meanwhile");
  assert.equal(looks([0, 500], [100, 520]), 0, "two steps of the kernel's clock are no work");
});
