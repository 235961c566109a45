import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { capture } from "../../src/capture.ts";
import { sendText } from "../../src/input.ts";
import { killPane, paneDetails, resizePane } from "../../src/pane.ts";
import { openPrivateServer } from "../../src/server.ts";
import { renameSession } from "../../src/session.ts";
import { openSession, openWindow, respawnPane, splitPane } from "../../src/terminal.ts";
import { killWindow, listWindows } from "../../src/window.ts";
import { privateServer } from "../support/place.ts";
import { type PlaceOf, sleeper } from "./fixture.ts";

/** An error has a type and says whether the command took effect. */
export function errorsContract(place: PlaceOf): void {
  test("a missing pane is pane_not_found for every command", async (t) => {
    const { server } = await privateServer(t, place());
    const gone = { type: "pane_not_found", delivered: "no" };
    await openSession(server, { name: "work", argv: sleeper });
    await assert.rejects(sendText(server, "%99", "x"), gone);
    await assert.rejects(capture(server, "%99"), gone);
    await assert.rejects(killPane(server, "%99"), gone);
    await assert.rejects(resizePane(server, "%99", 10, 10), gone);
    await assert.rejects(splitPane(server, { pane: "%99", direction: "vertical", argv: sleeper }), gone);
    await assert.rejects(respawnPane(server, "%99", { argv: sleeper }), { type: "pane_not_found" });
    assert.deepEqual(await paneDetails(server, ["%99"]), []);
  });

  test("a missing session or window is session_not_found", async (t) => {
    const { server } = await privateServer(t, place());
    const gone = { type: "session_not_found" };
    await assert.rejects(renameSession(server, "nobody", "x"), gone);
    await assert.rejects(openWindow(server, { session: "nobody", name: "x", argv: sleeper }), gone);
    await assert.rejects(listWindows(server, "=nobody"), gone);
    await assert.rejects(killWindow(server, "@99"), gone);
  });

  test("a name that is not allowed is name_invalid before tmux is asked", async (t) => {
    const { server } = await privateServer(t, place());
    const bad = { type: "name_invalid", delivered: "no" };
    await assert.rejects(openSession(server, { name: "a.b", argv: sleeper }), bad);
    await assert.rejects(openWindow(server, { session: "work", name: "a:b", argv: sleeper }), bad);
  });

  test("an error contains the command without values of the environment", async (t) => {
    const { server } = await privateServer(t, place());
    const spec = { name: "work", argv: sleeper, env: { TOKEN: "secret" } };
    await openSession(server, spec);
    await assert.rejects(openSession(server, spec), (error: Error & { argv: readonly string[] }) => {
      assert.ok(error.argv.includes("new-session") && error.argv.includes("TOKEN=…"));
      return !JSON.stringify(error).includes("secret") && !error.message.includes("secret");
    });
  });

  test("no answer in time is a timeout that may have been delivered, and later commands work", async (t) => {
    const { server } = await privateServer(t, place());
    const slow = server.run(
      [
        ["run-shell", "sleep 1"],
        ["display-message", "-p", "late"],
      ],
      { timeoutMs: 50 },
    );
    await assert.rejects(slow, { type: "timeout", delivered: "maybe" });
    assert.deepEqual(await server.run([["display-message", "-p", "fine"]]), ["fine"]);
  });

  test("a sequence that fails halfway may have been delivered", async (t) => {
    const { server } = await privateServer(t, place());
    const halfway = server.run([
      ["set-option", "-g", "@x", "1"],
      ["kill-session", "-t", "=nobody"],
    ]);
    await assert.rejects(halfway, { type: "session_not_found", delivered: "maybe" });
    assert.deepEqual(await server.run([["show-options", "-gv", "@x"]]), ["1"]);
  });

  test("a missing tmux is tmux_not_installed, an old one is version_unsupported", async (t) => {
    const { host, folder } = place();
    const temporary = await folder(t);
    const socketPath = join(temporary, "private", "s");
    const missing = openPrivateServer({ socketPath, host: { ...host, tmux: "/nowhere/my-tmux" } });
    await assert.rejects(missing, { type: "tmux_not_installed", delivered: "no" });
    const old = join(temporary, "tmux");
    await writeFile(old, "#!/bin/sh\necho tmux 2.9a\n");
    await chmod(old, 0o755);
    const outdated = openPrivateServer({ socketPath, host: { ...host, tmux: old } });
    await assert.rejects(outdated, { type: "version_unsupported", message: /2\.9a is too old/ });
  });
}
