import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionLimits } from "./connection-limits.ts";

test("connections leave the daemon the files that it needs, and one caller leaves room for others", () => {
  const table = [
    [undefined, { maxConnections: 1_024, maxStrangers: 256, maxKept: 512 }],
    [20_000, { maxConnections: 1_024, maxStrangers: 256, maxKept: 512 }],
    [1_024, { maxConnections: 480, maxStrangers: 120, maxKept: 240 }],
    [128, { maxConnections: 32, maxStrangers: 8, maxKept: 16 }],
    [64, { maxConnections: 8, maxStrangers: 2, maxKept: 4 }],
    [16, { maxConnections: 8, maxStrangers: 2, maxKept: 4 }],
  ] as const;
  for (const [openFiles, limits] of table) assert.deepEqual(connectionLimits(openFiles), limits);
});
