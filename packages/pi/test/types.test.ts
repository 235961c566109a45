import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { repository } from "./support/pi-home.ts";

test("our extensions compile against pi's own types", () => {
  const script = join(repository, "scripts/typecheck-pi.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  assert.equal(status, 0, `${stdout}${stderr}`);
});
