import assert from "node:assert/strict";
import { test } from "node:test";
import { sendText } from "../src/input.ts";
import { snapshot } from "../src/pane.ts";
import { openSession } from "../src/terminal.ts";
import { shell } from "./contract/fixture.ts";
import { watched } from "./support/events.ts";
import { isAlive, privateServer } from "./support/place.ts";
import { until } from "./support/until.ts";

test("a dead pane without a status is not an exit: the exit is reported once it is known", async (t) => {
  const { server } = await privateServer(t);
  const { events, of, first } = await watched(t, server, 20);
  // It closes its terminal and keeps running: to tmux that looks like an exit it missed.
  const argv = shell('trap "" HUP; exec </dev/null >/dev/null 2>&1; while :; do sleep 0.05; done');
  const { pane, pid } = await openSession(server, { name: "work", argv });
  await until("tmux calls it dead", async () => (await snapshot(server))[0]?.dead);
  assert.equal((await snapshot(server))[0]?.exit, undefined);
  await assert.rejects(sendText(server, pane, "x"), { type: "send_failed" });
  // Twenty listings later, each shown by a session of its own, it has not ended.
  for (let look = 0; look < 20; look++) {
    await openSession(server, { name: `look${look}`, argv: ["sleep", "1000"] });
    await first("session_opened", (event) => event.name === `look${look}`);
  }
  assert.equal(isAlive(pid), true);
  assert.deepEqual(of("pane_died"), [], JSON.stringify(events));
  process.kill(pid, "SIGKILL");
  assert.deepEqual((await first("pane_died")).exit, { kind: "killed", signal: 9 });
});
