import assert from "node:assert/strict";
import { test } from "node:test";
import { kernelsCount, threadCpuUs } from "./thread-cpu.ts";

test("Node and the kernel count the same processor time of a thread, where the kernel counts it", () => {
  const before = { node: threadCpuUs(), kernel: kernelsCount() };
  while (threadCpuUs() - before.node < 100_000) Math.hypot(1, 2);
  const after = kernelsCount();
  if (before.kernel === undefined || after === undefined) return assert.notEqual(process.platform, "linux");
  const counted = after - before.kernel;
  assert.ok(counted >= 80_000 && counted <= 120_000, `the kernel counted ${counted} us`);
});
