import assert from "node:assert/strict";
import { test } from "node:test";
import { captureScreen } from "../../src/capture.ts";
import { sendText } from "../../src/input.ts";
import {
  killPane,
  paneDetails,
  paneOption,
  resizePane,
  setPaneOption,
  setPaneTitle,
  snapshot,
} from "../../src/pane.ts";
import { killSession, listSessions, renameSession } from "../../src/session.ts";
import { openSession, openWindow, splitPane } from "../../src/terminal.ts";
import {
  killWindow,
  listWindows,
  renameWindow,
  resizeWindow,
  selectLayout,
  selectWindow,
  synchronizePanes,
} from "../../src/window.ts";
import { privateServer } from "../support/place.ts";
import { until } from "../support/until.ts";
import { type PlaceOf, sleeper } from "./fixture.ts";

/** Naming, arranging, marking and killing what exists. */
export function managingContract(place: PlaceOf): void {
  test("sessions, windows and panes take any name as plain text", async (t) => {
    const { server } = await privateServer(t, place());
    const { session, window, pane } = await openSession(server, { name: "work", argv: sleeper });
    await renameSession(server, "work", "play");
    assert.equal((await listSessions(server))[0]?.name, "play");
    for (const name of ["-dash", "a;", "#(echo x) #{pane_id} ## #[bold]", "日本 🙂", "~ %Y {x} \"'"]) {
      await renameWindow(server, window, name);
      assert.equal((await listWindows(server, session))[0]?.name, name);
      await setPaneTitle(server, pane, name);
      assert.equal((await paneDetails(server, [pane]))[0]?.title, name);
    }
    await assert.rejects(renameSession(server, "play", "a.b"), { type: "name_invalid" });
    await assert.rejects(renameWindow(server, window, "a:b"), { type: "name_invalid" });
  });

  test("layouts and sizes are applied", async (t) => {
    const { server } = await privateServer(t, place());
    const size = { columns: 100, rows: 40 };
    const { session, window, pane } = await openSession(server, { name: "work", argv: sleeper, size });
    const below = await splitPane(server, { pane, direction: "vertical", argv: sleeper });
    const layout = (await listWindows(server, session))[0]?.layout ?? "";
    await selectLayout(server, window, "even-horizontal");
    assert.equal((await paneDetails(server, [pane]))[0]?.rows, 40);
    await selectLayout(server, window, layout);
    await resizePane(server, below.pane, 100, 10);
    assert.equal((await paneDetails(server, [below.pane]))[0]?.rows, 10);
    await resizeWindow(server, window, 60, 20);
    assert.equal((await paneDetails(server, [pane]))[0]?.columns, 60);
    await assert.rejects(selectLayout(server, window, "no-such-layout"), { type: "name_invalid" });
  });

  test("synchronized panes all get what is typed into one, until that is switched off", async (t) => {
    const { server } = await privateServer(t, place());
    const { window, pane } = await openSession(server, { name: "work", argv: ["cat", "-"] });
    const other = await splitPane(server, { pane, direction: "vertical", argv: ["cat", "-"] });
    const shows = async (text: string) => (await captureScreen(server, other.pane)).join().includes(text);
    await synchronizePanes(server, window, true);
    await sendText(server, pane, "both");
    await until("the other pane shows it", () => shows("both"));
    await synchronizePanes(server, window, false);
    await sendText(server, pane, "single");
    await sendText(server, other.pane, "last");
    await until("the other pane shows the last", () => shows("last"));
    assert.equal(await shows("single"), false);
  });

  test("the last pane and the last window are killed only on request", async (t) => {
    const { server } = await privateServer(t, place());
    const { window, pane } = await openSession(server, { name: "work", argv: sleeper });
    await assert.rejects(killPane(server, pane), { type: "send_failed", message: /last pane/ });
    await assert.rejects(killWindow(server, window), { type: "send_failed", message: /last window/ });
    const second = await splitPane(server, { pane, direction: "vertical", argv: sleeper });
    await killPane(server, pane);
    assert.deepEqual(
      (await snapshot(server)).map((row) => row.pane),
      [second.pane],
    );
    const other = await openWindow(server, { session: "work", name: "x", argv: sleeper });
    await selectWindow(server, other.window);
    await killWindow(server, window);
    await killPane(server, other.pane, { evenLast: true });
    assert.deepEqual(await listSessions(server), []);
  });

  test("a session is killed by its whole name, never by a prefix", async (t) => {
    const { server } = await privateServer(t, place());
    await openSession(server, { name: "task-1-foobar", argv: sleeper });
    await assert.rejects(killSession(server, "task-1-foo"), { type: "session_not_found" });
    await assert.rejects(killSession(server, server.keeper ?? ""), { type: "name_invalid" });
    await killSession(server, "task-1-foobar");
    assert.deepEqual(await listSessions(server), []);
  });

  test("user options of a pane store any text, and are absent when not set", async (t) => {
    const { server } = await privateServer(t, place());
    const { pane } = await openSession(server, { name: "work", argv: sleeper });
    assert.equal(await paneOption(server, pane, "@mark"), undefined);
    for (const value of ["plain", "-x", "a;", "#{pane_id}", "two\nlines\n%end 1 2 1", "$HOME\\ 🙂 \"'"]) {
      await setPaneOption(server, pane, "@mark", value);
      assert.equal(await paneOption(server, pane, "@mark"), value);
    }
    await setPaneOption(server, pane, "@mark", undefined);
    assert.equal(await paneOption(server, pane, "@mark"), undefined);
    await assert.rejects(setPaneOption(server, pane, "status", "off"), { type: "name_invalid" });
    await assert.rejects(paneOption(server, "%99", "@mark"), { type: "pane_not_found" });
  });
}
