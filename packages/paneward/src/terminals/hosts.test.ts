import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../test/support/folder.ts";
import type { HostSettings } from "./host-connection.ts";
import { createHosts } from "./hosts.ts";

test("after stop, work does not connect to a host", async (t) => {
  const mark = join(await temporaryFolder(t), "connected");
  const settings = (name: string): HostSettings => ({
    ...{
      name,
      prefix: ["sh", "-c", `: > '${mark}'; exit 1`],
      quoting: "posix",
      env: {},
      journalSegments: 4,
      owner: "test",
    },
  });
  const stopped = createHosts(settings, () => ["box"]);
  await stopped.stop();
  await assert.rejects(
    stopped.on("box", async () => {}),
    { code: "unavailable" },
  );
  assert.equal(existsSync(mark), false);
  const running = createHosts(settings, () => ["box"]);
  await assert.rejects(running.on("box", async () => {}));
  assert.equal(existsSync(mark), true, "without stop it would have been");
  await running.stop();
});

test("a host that is not configured is not found", async () => {
  const hosts = createHosts(
    () => undefined,
    () => ["local", "box"],
  );
  await assert.rejects(
    hosts.on("bix", async () => {}),
    { code: "not_found", message: 'there is no host "bix"; known: local, box' },
  );
  await hosts.stop();
});
