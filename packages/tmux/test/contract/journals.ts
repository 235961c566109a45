import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sendText } from "../../src/input.ts";
import { followJournal, journalEnd, openJournal, readJournal } from "../../src/journal.ts";
import { journalTimes } from "../../src/journal-tail.ts";
import { formatCursor, parseCursor } from "../../src/protocol/cursor.ts";
import { openSession } from "../../src/terminal.ts";
import { runChild } from "../../src/transport/child.ts";
import { watched } from "../support/events.ts";
import { privateServer } from "../support/place.ts";
import { until } from "../support/until.ts";
import { openTerminal, type PlaceOf, printed, shell, wholeJournal } from "./fixture.ts";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\r\n`).join("");

/** Every byte a terminal printed, at any reading pace. */
export function journalsContract(place: PlaceOf): void {
  test("a journal is read in pieces of any size, across segments, without the wrapper's marks", async (t) => {
    const { server, folder } = await privateServer(t, place());
    const journal = await openJournal(server.files, join(folder, "it's a #S %Y journal"), { segmentBytes: 1_024 });
    await openSession(server, { name: "work", argv: shell("seq 1 1000; printf end"), journal });
    const whole = await printed(journal, "end");
    assert.equal(whole.text, `${numbers(1, 1_000)}end`);
    await until(
      "the pane is dead",
      async () => (await server.run([["list-panes", "-t", "=work:", "-F", "#{pane_dead}"]]))[0] === "1",
    );
    for (const max of [1_024, 1_000]) assert.equal((await wholeJournal(journal, undefined, max)).text, whole.text);
    const near = { epoch: whole.cursor.epoch, offset: whole.cursor.offset - 40 };
    const all = await readJournal(journal, near, 4_096);
    assert.equal(all.atEnd, true);
    assert.deepEqual(all.cursor, await journalEnd(journal));
    for (const max of [1, 7, 30]) {
      assert.equal((await wholeJournal(journal, near, max)).text, all.bytes.toString(), `in pieces of ${max}`);
    }
  });

  test("a cursor continues where it stopped, also after the journal was reopened", async (t) => {
    const terminal = await openTerminal(t, place(), shell("echo one; read x; echo $x; sleep 1000"));
    const first = await printed(terminal.journal, "one\r\n");
    const cursor = parseCursor(formatCursor(first.cursor));
    await sendText(terminal.server, terminal.pane, "two", { enter: true });
    await printed(terminal.journal, "two\r\ntwo");
    const again = await openJournal(terminal.server.files, terminal.journal.folder);
    assert.deepEqual([again.markHashes, again.markHashes.size], [terminal.journal.markHashes, 1]);
    assert.equal((await wholeJournal(again, cursor)).text.trim(), "two\r\ntwo");
    await assert.rejects(readJournal(again, { ...cursor, offset: 10_000 }, 10), { type: "cursor_invalid" });
  });

  test("a follower gets everything as it arrives, and ends with its signal", async (t) => {
    const { server, folder } = await privateServer(t, place());
    const journal = await openJournal(server.files, join(folder, "journal"), { segmentBytes: 4_096 });
    const stop = new AbortController();
    const followed = (async () => {
      let text = "";
      for await (const chunk of followJournal(journal, undefined, stop.signal)) {
        text += chunk.bytes.toString("latin1");
        if (text.includes("end")) stop.abort();
      }
      return text;
    })();
    await openSession(server, { name: "work", argv: shell("seq 1 3000; sleep 0.2; printf end; sleep 1000"), journal });
    assert.equal(await followed, `${numbers(1, 3_000)}end`);
  });

  test("bytes dropped over the cap are counted exactly as missed", async (t) => {
    const { server, folder } = await privateServer(t, place());
    const journal = await openJournal(server.files, join(folder, "journal"), { segmentBytes: 1_024, maxSegments: 3 });
    const { watcher } = await watched(t, server);
    const script = "printf 'first '; read x; seq 1 2000; printf end; read x; printf more; sleep 1000";
    const { pane } = await openSession(server, { name: "work", argv: shell(script), journal });
    watcher.addJournal(pane, journal);
    const { cursor } = await printed(journal, "first");
    await sendText(server, pane, "", { enter: true });
    await printed(journal, "end");
    await sendText(server, pane, "", { enter: true });
    await printed(journal, "more");
    const segments = async () =>
      (await journal.files.list(journal.folder)).filter(({ name }) => /-[a-z]{4}$/.test(name));
    await until("old segments are dropped", async () => (await segments()).length <= 3);
    const rest = await wholeJournal(journal, cursor);
    const expected = `\r\n${numbers(1, 2_000)}end\r\nmore`;
    assert.ok(rest.missed > 0);
    assert.equal(rest.missed + rest.bytes.length, expected.length);
    assert.equal(rest.text, expected.slice(rest.missed));
  });

  test("the follower writes an index of the journal's length over time", async (t) => {
    const before = Date.now();
    const { server, pane, journal } = await openTerminal(t, place(), shell("echo one; read x; sleep 1000"));
    const { watcher } = await watched(t, server);
    watcher.addJournal(pane, journal);
    const { cursor } = await printed(journal, "one");
    await until("the first length is indexed", async () => (await journalTimes(journal, cursor.epoch)).length > 0);
    await sendText(server, pane, "", { enter: true });
    const end = await until("the journal grew", async () => {
      const now = await journalEnd(journal);
      return now && now.offset > cursor.offset ? now : undefined;
    });
    const times = await until("the new length is indexed", async () => {
      const found = await journalTimes(journal, cursor.epoch);
      return found.at(-1)?.[0] === end.offset ? found : undefined;
    });
    assert.equal(times[0]?.[0], cursor.offset);
    for (const [, ms] of times) assert.ok(ms >= before && ms <= Date.now() + 1_000);
  });

  test("a killed reader is replaced, and the hole is reported", async (t) => {
    const { server, pane, journal } = await openTerminal(t, place(), shell('while read x; do echo "got $x"; done'));
    const { watcher, first } = await watched(t, server);
    watcher.addJournal(pane, journal);
    await sendText(server, pane, "one", { enter: true, delayMs: 1 });
    const { cursor } = await printed(journal, "got one\r\n");
    const find = 'for p in $(pgrep -x split); do tr "\\0" " " </proc/$p/cmdline | grep -qF -- "$1" && kill -9 $p; done';
    await runChild(server.host, shell(find, journal.folder), { timeoutMs: 10_000 });
    // tmux notices a dead reader only at the next output, which is lost.
    await sendText(server, pane, "lost", { enter: true, delayMs: 1 });
    await first("journal_reopened", (event) => event.pane === pane);
    await sendText(server, pane, "two", { enter: true, delayMs: 1 });
    const rest = await until("the new reader writes", async () => {
      const found = await wholeJournal(journal, cursor);
      return found.text.includes("got two") ? found : undefined;
    });
    assert.equal(rest.holes, 1);
    assert.notEqual(rest.cursor.epoch, cursor.epoch);
  });
}
