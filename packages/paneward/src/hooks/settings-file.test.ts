import assert from "node:assert/strict";
import { chmodSync, chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "../../test/support/folder.ts";
import { keptOwner, writeSettings } from "./settings-file.ts";

describe("settings of another user", () => {
  test("stay theirs when root writes them, and are left alone by everybody else", () => {
    const theirs = { uid: 1_000, gid: 100 };
    assert.deepEqual(keptOwner("/f", theirs, 1_000), {});
    assert.deepEqual(keptOwner("/f", theirs, 0), { owner: theirs });
    assert.throws(() => keptOwner("/f", theirs, 1_001), { code: "not_allowed" });
    assert.throws(() => keptOwner("/f", { uid: 0, gid: 0 }, 1_000), { code: "not_allowed" });
  });

  test("keep mode and owner through the one way in which they are written", async (t) => {
    const path = join(await temporaryFolder(t), "settings.json");
    writeFileSync(path, "{}");
    chmodSync(path, 0o640);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(path, 12_345, 54_321);
    await writeSettings(path, '{"hooks":{}}');
    const { mode, uid, gid } = statSync(path);
    assert.equal(mode & 0o777, 0o640);
    if (isRoot) assert.deepEqual([uid, gid], [12_345, 54_321]);
  });
});
