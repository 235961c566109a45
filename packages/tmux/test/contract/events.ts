import assert from "node:assert/strict";
import { test } from "node:test";
import { sendKeys } from "../../src/input.ts";
import { killPane, snapshot } from "../../src/pane.ts";
import { TmuxError } from "../../src/protocol/errors.ts";
import { isSameServer } from "../../src/server.ts";
import { killSession } from "../../src/session.ts";
import { openSession, openWindow } from "../../src/terminal.ts";
import { spawnTransport } from "../../src/transport/spawn.ts";
import { killWindow } from "../../src/window.ts";
import { watched } from "../support/events.ts";
import { privateServer } from "../support/place.ts";
import { until } from "../support/until.ts";
import { ended, openTerminal, type PlaceOf, printed, shell, sleeper } from "./fixture.ts";

/** Each change on the server is emitted once, in order. */
export function eventsContract(place: PlaceOf): void {
  test("sessions and windows open and close once each", async (t) => {
    const { server } = await privateServer(t, place());
    const { events, first } = await watched(t, server);
    const { session, window } = await openSession(server, { name: "work", argv: sleeper });
    await first("session_opened");
    const second = await openWindow(server, { session: "work", name: "x", argv: sleeper });
    await first("window_opened", (event) => event.window === second.window);
    await killWindow(server, second.window);
    await first("window_closed");
    await killSession(server, "work");
    await first("session_closed");
    await first("window_closed", (event) => event.window === window);
    const ofKind = (kind: string) => events.filter((event) => event.kind === kind);
    assert.deepEqual(ofKind("session_opened"), [{ kind: "session_opened", session, name: "work" }]);
    assert.deepEqual(ofKind("session_closed"), [{ kind: "session_closed", session, name: "work" }]);
    const windows = (kind: string) => ofKind(kind).map((event) => "window" in event && event.window);
    assert.deepEqual(windows("window_opened"), [window, second.window]);
    assert.deepEqual(windows("window_closed"), [second.window, window]);
  });

  test("every bell is counted", async (t) => {
    const { server, pane, window, journal } = await openTerminal(
      t,
      place(),
      shell("while read x; do printf 'ding\\a\\n'; done"),
    );
    const { of, first } = await watched(t, server);
    for (const count of [1, 2, 3]) {
      await sendKeys(server, pane, ["Enter"]);
      await first("bell", (event) => event.count === count);
    }
    await printed(journal, "ding");
    assert.deepEqual(
      of("bell"),
      [1, 2, 3].map((count) => ({ kind: "bell", window, count })),
    );
    assert.equal((await snapshot(server))[0]?.bells, 3);
  });

  test("what existed before is in the initial listing and not an event", async (t) => {
    const { server, pane } = await openTerminal(t, place(), shell("exit 2"));
    await ended(server, pane);
    const { watcher, events, first } = await watched(t, server);
    assert.deepEqual(
      watcher.initial.map((row) => [row.pane, row.exit]),
      [[pane, { kind: "exited", code: 2 }]],
    );
    await openSession(server, { name: "later", argv: sleeper });
    await first("session_opened");
    await first("window_opened");
    assert.equal(events.length, 2);
    await killPane(server, pane, { evenLast: true });
    await first("session_closed");
  });

  test("a lost server is reported once, ends the events, and fails commands", async (t) => {
    const { server } = await privateServer(t, place());
    const { events, first } = await watched(t, server);
    await openSession(server, { name: "work", argv: sleeper });
    await first("session_opened");
    await spawnTransport(server).run([["kill-server"]]);
    await first("server_lost");
    assert.equal(events.at(-1)?.kind, "server_lost");
    assert.equal(await isSameServer(server), false);
    await until("the link noticed too", () => server.status().transport === "spawn");
    // A server that is shutting down may still answer.
    await until("commands fail with server_lost", () => snapshot(server).then(() => false, isLost));
  });
}

function isLost(error: unknown): boolean {
  return error instanceof TmuxError && error.type === "server_lost" && error.delivered === "no";
}
