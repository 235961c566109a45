import assert from "node:assert/strict";
import { test } from "node:test";
import { checkHealth, foreground, paneProcesses } from "../../src/health.ts";
import { openSession } from "../../src/terminal.ts";
import { until } from "../support/until.ts";
import { openTerminal, type PlaceOf, printed, shell } from "./fixture.ts";

/** Whether the pane exists and the program runs in it. */
export function healthContract(place: PlaceOf): void {
  test("health has three levels, and never throws", async (t) => {
    const { server, pane, pid, journal } = await openTerminal(t, place(), shell("sleep 1000 & echo up; exec cat"));
    await printed(journal, "up");
    const cat = await until("cat runs", async () =>
      (await paneProcesses(server, pane)).find(({ name }) => name === "cat"),
    );
    assert.deepEqual(await checkHealth(server, pane, "exists"), {
      available: true,
      running: true,
      pid,
      errorType: undefined,
    });
    const command = await checkHealth(server, pane, "command", ["claude", "cat"]);
    assert.deepEqual(command, { available: true, running: true, pid: cat.pid, errorType: undefined });
    assert.equal((await checkHealth(server, pane, "command", ["claude"])).running, false);
    assert.equal((await checkHealth(server, pane, "process_tree", ["sleep"])).running, true);
    assert.equal((await checkHealth(server, pane, "process_tree", ["claude"])).running, false);
    assert.ok(foreground(await paneProcesses(server, pane)).some(({ name }) => name === "cat"));
    const missing = await checkHealth(server, "%99", "exists");
    assert.deepEqual(missing, { available: false, running: false, pid: undefined, errorType: "pane_not_found" });
  });

  test("a script is found by its name after its interpreter", async (t) => {
    const { server, folder, journal } = await openTerminal(t, place(), ["sleep", "1000"]);
    await journal.files.write(`${folder}/claude`, "sleep 1000; true");
    const { pane } = await openSession(server, { name: "agent", argv: ["sh", `${folder}/claude`] });
    await until("it is found", async () => (await checkHealth(server, pane, "command", ["claude"])).running);
  });
}
