import assert from "node:assert/strict";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { paneDetails, snapshot } from "../../src/pane.ts";
import { listSessions } from "../../src/session.ts";
import { openSession, openWindow, respawnPane, splitPane } from "../../src/terminal.ts";
import { listWindows } from "../../src/window.ts";
import { privateServer } from "../support/place.ts";
import { until } from "../support/until.ts";
import { ended, openTerminal, type PlaceOf, printed, shell, sleeper } from "./fixture.ts";

/** Opening, splitting and respawning terminals. */
export function openingContract(place: PlaceOf): void {
  test("a session opens with the requested size and window name, and the keeper stays hidden", async (t) => {
    const { server } = await privateServer(t, place());
    const size = { columns: 101, rows: 33 };
    const opened = await openSession(server, { name: "work", windowName: "a.b #(id)", argv: sleeper, size });
    assert.deepEqual(
      (await listSessions(server)).map(({ session, name, windows }) => [session, name, windows]),
      [[opened.session, "work", 1]],
    );
    const [window] = await listWindows(server, "=work");
    assert.equal(window?.name, "a.b #(id)");
    const [details] = await paneDetails(server, [opened.pane]);
    assert.deepEqual([details?.columns, details?.rows, details?.pid], [101, 33, opened.pid]);
    const rows = await snapshot(server);
    assert.deepEqual(
      rows.map(({ pane, dead, exit, sessionName }) => ({ pane, dead, exit, sessionName })),
      [{ pane: opened.pane, dead: false, exit: undefined, sessionName: "work" }],
    );
  });

  test("options of a session apply before its first pane is created, and to no other session", async (t) => {
    const { server } = await privateServer(t, place());
    const options = { "history-limit": "123", "status-style": "bg=blue,fg=white" };
    const opened = await openSession(server, { name: "own", windowName: "first", argv: sleeper, options });
    await openSession(server, { name: "plain", argv: sleeper });
    const shown = await server.run([["list-panes", "-a", "-F", "#{session_name} #{pane_id} #{history_limit}"]]);
    assert.ok(shown.includes(`own ${opened.pane} 123`), shown.join("\n"));
    assert.equal(shown.filter((line) => line.endsWith(" 123")).length, 1);
    const [window] = await listWindows(server, "=own");
    assert.deepEqual([window?.name, window?.panes], ["first", 1]);
  });

  test("opening an existing session is refused and leaves its pane, journal and program alone", async (t) => {
    const terminal = await openTerminal(t, place(), shell("echo first; read x; echo got $x; sleep 1000"));
    await printed(terminal.journal, "first");
    const again = openSession(terminal.server, { name: "work", argv: sleeper, journal: terminal.journal });
    await assert.rejects(again, { type: "subprocess_failed", stderr: /duplicate session/ });
    await terminal.server.run([["send-keys", "-t", terminal.pane, "more", "Enter"]]);
    assert.equal((await printed(terminal.journal, "got more")).holes, 0);
  });

  test("a window opens in the background, with its own name", async (t) => {
    const { server, session, journal, window } = await openTerminal(t, place(), sleeper);
    const opened = await openWindow(server, {
      session: "work",
      name: "b.c %Y",
      argv: shell("echo hi; sleep 1000"),
      journal,
    });
    assert.equal(opened.session, session);
    const windows = await listWindows(server, session);
    assert.deepEqual(
      windows.map((row) => [row.window, row.active]),
      [
        [window, true],
        [opened.window, false],
      ],
    );
    assert.equal(windows[1]?.name, "b.c %Y");
    await printed(journal, "hi");
  });

  test("a pane splits both ways with title, folder and journal, and the active pane stays active", async (t) => {
    const { server, folder, pane, window, journal } = await openTerminal(t, place(), sleeper);
    const cwd = join(folder, "sub #S");
    await mkdir(cwd);
    const beside = await splitPane(server, { pane, direction: "horizontal", argv: sleeper, title: "-#{pane_id}", cwd });
    const argv = shell("echo below; pwd; sleep 1000");
    const below = await splitPane(server, { pane, direction: "vertical", argv, journal, cwd });
    assert.deepEqual([beside.window, below.window], [window, window]);
    const details = await paneDetails(server, [pane, beside.pane, below.pane]);
    assert.equal(details[1]?.title, "-#{pane_id}");
    assert.ok((details[0]?.columns ?? 80) < 80 && (details[0]?.rows ?? 24) < 24);
    const [active] = await server.run([["list-panes", "-t", window, "-f", "#{pane_active}", "-F", "#{pane_id}"]]);
    assert.equal(active, pane);
    assert.match((await printed(journal, "sub #S")).text, /below/);
    // tmux asks the kernel, which knows the folder once the program has started.
    const there = await realpath(cwd);
    await until("the program is in its folder", async () => {
      const [now] = await paneDetails(server, [beside.pane]);
      return now?.currentPath === there;
    });
  });

  test("a pane whose program ended can run another at once, in the same journal", async (t) => {
    const { server, pane, journal, pid } = await openTerminal(t, place(), shell("echo one; exit 4"));
    await ended(server, pane);
    const again = await respawnPane(server, pane, { argv: shell("echo two; sleep 1000"), journal });
    assert.equal(again.pane, pane);
    assert.notEqual(again.pid, pid);
    const { text, holes } = await printed(journal, "two");
    assert.equal(text, "one\r\ntwo\r\n");
    assert.equal(holes, 0);
  });

  test("a running program is replaced only on request", async (t) => {
    const { server, pane, journal } = await openTerminal(t, place(), shell("echo one; sleep 1000"));
    await printed(journal, "one");
    const refused = respawnPane(server, pane, { argv: sleeper, journal });
    await assert.rejects(refused, { type: "subprocess_failed", stderr: /still active/ });
    await respawnPane(server, pane, { argv: shell("echo two; sleep 1000"), journal, kill: true });
    await printed(journal, "two");
  });

  test("a missing folder or program is an error before tmux is asked", async (t) => {
    const { server } = await privateServer(t, place());
    const open = (spec: { argv: readonly string[]; cwd?: string }) => openSession(server, { name: "work", ...spec });
    const missing = { type: "subprocess_failed", delivered: "no" };
    await assert.rejects(open({ argv: sleeper, cwd: "/nowhere/at all" }), { ...missing, message: /\/nowhere\/at all/ });
    await assert.rejects(open({ argv: ["no-such-program", "x"] }), { ...missing, message: /no-such-program/ });
    await assert.rejects(open({ argv: ["/no/such/program"] }), missing);
    await assert.rejects(open({ argv: [] }), missing);
    assert.deepEqual(await listSessions(server), []);
  });
}
