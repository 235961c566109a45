import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession } from "../src/terminal.ts";
import { watched } from "./support/events.ts";
import { privateServer } from "./support/place.ts";
import { until } from "./support/until.ts";

const panes = 20;
const repairMs = 10;

test("panes that are well are listed the less often, the more there are; the keeper's, which has no pipe, is well", async (t) => {
  const { server } = await privateServer(t);
  const count = "set-option -gF @listed '#{e|+|:0#{@listed},1}'";
  await server.run([["set-hook", "-g", "after-list-panes", count]]);
  for (let at = 0; at < panes; at++) await openSession(server, { name: `t${at}`, argv: ["sleep", "1000"] });
  const listed = async () =>
    Number((await server.run([["show-options", "-gqv", "@listed"]], { readOnly: true }))[0] ?? 0);
  const { watcher } = await watched(t, server, repairMs);
  await until("it has listed once", listed);
  // A connection that a busy machine does not answer for 60 ms is made anew, and begins with a listing.
  const ms = await until("it has listed thrice more over one connection", async () => {
    const connection = watcher.connectionPid;
    // Before the count is read: what is listed while a busy machine reads it is one of the three.
    const began = performance.now();
    const before = await listed();
    await until("it has listed thrice more", async () => (await listed()) >= before + 3);
    return connection !== undefined && watcher.connectionPid === connection && performance.now() - began;
  });
  // 10 ms of pause for each pane; the wakes between come every 10 ms.
  assert.ok(ms > 2 * panes * repairMs, `${ms} ms for three listings`);
});
