import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { followJournal, openJournal } from "../src/journal.ts";
import { openSession } from "../src/terminal.ts";
import { wholeJournal } from "./contract/fixture.ts";
import { amount } from "./support/amount.ts";
import { watched } from "./support/events.ts";
import { privateServer } from "./support/place.ts";

test("the journal loses none of hundreds of thousands of lines, followed and read afterwards", async (t) => {
  const count = amount(100_000, 1_000_000);
  const { server, folder } = await privateServer(t);
  const { watcher, first } = await watched(t, server);
  const journal = await openJournal(server.files, join(folder, "journal"));
  const stop = new AbortController();
  const followed = (async () => {
    const hash = createHash("sha256");
    for await (const { bytes, missed, hole } of followJournal(journal, undefined, stop.signal)) {
      assert.deepEqual([missed, hole], [0, false]);
      hash.update(bytes);
      if (bytes.includes("the end")) return hash.digest("hex");
    }
    return "stopped";
  })();
  t.after(() => stop.abort());
  const argv = ["sh", "-c", `seq 1 ${count}; printf 'the end'; exit 9`];
  const { pane } = await openSession(server, { name: "work", argv, journal });
  watcher.addJournal(pane, journal);
  const expected = createHash("sha256");
  for (let line = 1; line <= count; line++) expected.update(`${line}\r\n`);
  const digest = expected.update("the end").digest("hex");
  assert.deepEqual((await first("pane_died")).exit, { kind: "exited", code: 9 });
  const { bytes } = await wholeJournal(journal);
  assert.equal(createHash("sha256").update(bytes).digest("hex"), digest);
  assert.equal(await followed, digest);
});
