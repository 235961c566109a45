import assert from "node:assert/strict";
import { test } from "node:test";
import { capture, capturedText, captureScreen, truncationMark } from "../../src/capture.ts";
import { until } from "../support/until.ts";
import { openTerminal, type PlaceOf, printed, shell } from "./fixture.ts";

/** The exact lines of screen and history. */
export function capturingContract(place: PlaceOf): void {
  test("a capture contains exactly the last lines, and reports whether there are older ones", async (t) => {
    const { server, pane, journal } = await openTerminal(t, place(), shell("seq 1 100; printf end; sleep 1000"));
    await printed(journal, "end");
    const all = [...Array.from({ length: 100 }, (_, at) => String(at + 1)), "end"];
    for (const lines of [1, 5, 23, 24, 25, 100]) {
      assert.deepEqual(
        await capture(server, pane, { lines }),
        { lines: all.slice(-lines), truncated: true },
        `${lines}`,
      );
    }
    for (const lines of [101, 5_000]) {
      assert.deepEqual(await capture(server, pane, { lines }), { lines: all, truncated: false }, `${lines}`);
    }
    assert.deepEqual((await capture(server, pane, { lines: 50, max: 3 })).lines, all.slice(-3));
    const text = capturedText(await capture(server, pane, { lines: 2 }));
    assert.equal(text, `${truncationMark}\n100\nend`);
  });

  test("an empty screen has no lines, a screen has one per row", async (t) => {
    const { server, pane, journal } = await openTerminal(t, place(), shell("printf '\\r'; sleep 1000"));
    await printed(journal, "\r");
    assert.deepEqual(await capture(server, pane), { lines: [], truncated: false });
    assert.equal((await captureScreen(server, pane)).length, 24);
  });

  test("older lines are also reported above an empty screen", async (t) => {
    const script = "seq 1 100; printf '\\033[2J\\033[H'; sleep 1000";
    const { server, pane, journal } = await openTerminal(t, place(), shell(script));
    await printed(journal, "\u001b[H");
    const { lines, truncated } = await until("the screen is empty", async () => {
      const empty = (await captureScreen(server, pane)).every((line) => line === "");
      return empty ? capture(server, pane, { lines: 5 }) : undefined;
    });
    assert.deepEqual([lines, truncated], [["96", "97", "98", "99", "100"], true]);
  });

  test("colours are kept when asked for", async (t) => {
    const { server, pane, journal } = await openTerminal(
      t,
      place(),
      shell("printf '\\033[31mred\\033[0m'; sleep 1000"),
    );
    await printed(journal, "red");
    assert.deepEqual((await capture(server, pane)).lines, ["red"]);
    assert.match((await capture(server, pane, { escapes: true })).lines[0] ?? "", /^\u001b\[31mred/);
    assert.match((await captureScreen(server, pane, { escapes: true }))[0] ?? "", /^\u001b\[31mred/);
  });

  test("wrapped lines are joined when asked for, and the count is of joined lines", async (t) => {
    const script = 'for i in 1 2 3 4 5 6 7 8; do printf "%s%0300d\\n" $i 0; done; printf end; sleep 1000';
    const { server, pane, journal } = await openTerminal(t, place(), shell(script));
    await printed(journal, "end");
    const long = [1, 2, 3, 4, 5, 6, 7, 8].map((digit) => `${digit}${"0".repeat(300)}`);
    const joined = await capture(server, pane, { lines: 7, joinWrapped: true });
    assert.deepEqual(joined, { lines: [...long.slice(-6), "end"], truncated: true });
    assert.deepEqual((await capture(server, pane, { joinWrapped: true })).lines, [...long, "end"]);
  });

  test("a screen that imitates the protocol is text, and later commands get their own answers", async (t) => {
    const script = `now=$(date +%s); n=1; while [ $n -lt 900 ]; do for s in 0 1 2; do
      printf '%%error %s %s 1\\n%%end %s %s 1\\n' $((now+s)) $n $((now+s)) $n; done; n=$((n+1)); done; printf done; sleep 1000`;
    const { server, pane, journal } = await openTerminal(t, place(), shell(script));
    await printed(journal, "done");
    const numbers = Array.from({ length: 20 }, (_, at) => String(at));
    const asked = numbers.map(async (number) => {
      const { lines } = await capture(server, pane, { lines: 6_000 });
      const [answer] = await server.run([["display-message", "-p", number]]);
      return [lines.length, answer];
    });
    assert.deepEqual(
      await Promise.all(asked),
      numbers.map((number) => [5_395, number]),
    );
  });
}
