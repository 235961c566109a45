import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Guards } from "../../../src/worktrees/guard.ts";

/** A folder for guards that is removed with the process. */
export function testGuards(filters: readonly string[] = []): Guards {
  const folder = mkdtempSync(join(tmpdir(), "paneward-guards-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return { folder, filters: async () => filters };
}
