import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { desktop } from "../../src/notify/channels/desktop.ts";
import { sessionBus } from "../../src/notify/dbus/bus.ts";
import { until } from "../support/until.ts";
import { startDesktop } from "./support/desktop.ts";
import { asked, over, realTools } from "./support/tools.ts";

describe("the notifications of a desktop", async () => {
  test("are shown by its own daemon, answer when an action is clicked, and are closed when it is over", async (t) => {
    const place = await startDesktop(t);
    const tools = realTools({ env: place.env });
    const tapped: string[] = [];
    const stop = new AbortController();
    const listening = desktop.listen?.(
      { settings: {} },
      async (tap) => `${tapped.push(tap)}`,
      tools,
      stop.signal,
      () => {},
    );
    const first = await desktop.send(asked, { settings: {} }, tools);
    assert.ok(first.kind === "sent" && first.delivered && first.ref !== undefined, first.said);
    await until("it is displayed", () => place.displayed() === 1);
    place.choose("No", asked.title);
    await until("the click is reported", () => tapped.length > 0);
    assert.deepEqual(tapped, [asked.buttons[1]?.tap]);

    const second = await desktop.send({ ...asked, tag: "n2" }, { settings: {} }, tools);
    assert.ok(second.kind === "sent" && second.ref !== undefined);
    const to = { settings: {}, ref: second.ref };
    const changed = await desktop.change?.("update", { ...asked, title: "another" }, to, tools);
    assert.ok(changed?.kind === "sent" && changed.ref === second.ref, "it takes the other's place");
    assert.equal(place.displayed(), 1);
    await desktop.change?.("withdraw", over, to, tools);
    await until("it is closed", () => place.displayed() === 0);
    stop.abort();
    await listening;
    // The connection is kept for the next notice; the process of the sender ends with it.
    (await sessionBus(place.env)).close();
  });

  test("without a session bus, say so", async () => {
    const outcome = await desktop.send(
      asked,
      { settings: {} },
      realTools({ env: { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" } }),
    );
    assert.equal(outcome.kind, "refused");
    assert.match(outcome.said, /the session bus cannot be reached/);
  });
});
