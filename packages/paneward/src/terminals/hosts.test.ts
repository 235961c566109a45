import assert from "node:assert/strict";
import { test } from "node:test";
import { createHosts } from "./hosts.ts";

test("after stop, work does not connect to a host", async () => {
  const asked: string[] = [];
  const hosts = createHosts(
    (name) => {
      asked.push(name);
      return undefined;
    },
    () => [],
  );
  await assert.rejects(
    hosts.on("local", async () => {}),
    { code: "not_found" },
  );
  await hosts.stop();
  await assert.rejects(
    hosts.on("local", async () => {}),
    { code: "unavailable" },
  );
  assert.deepEqual(asked, ["local"]);
});
