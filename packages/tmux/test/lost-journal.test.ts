import assert from "node:assert/strict";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sendText } from "../src/input.ts";
import {
  isJournalLost,
  journalEnd,
  makeJournalAgain,
  openJournal,
  pipeAgainInto,
  readJournal,
} from "../src/journal.ts";
import { localFiles } from "../src/transport/files.ts";
import { openTerminal, shell, wholeJournal } from "./contract/fixture.ts";
import { watched } from "./support/events.ts";
import { type Cleanup, temporaryFolder } from "./support/folder.ts";
import { here } from "./support/place.ts";
import { until } from "./support/until.ts";

async function journalWithOutput(t: Cleanup) {
  const home = join(await temporaryFolder(t), "home");
  const folder = join(home, "journals", "t1");
  const journal = await openJournal(localFiles, folder);
  await writeFile(join(folder, "e1-aaaa"), "before");
  return { home, folder, journal, cursor: { epoch: "e1", offset: 6 } };
}

for (const [what, spoil] of [
  ["folder was removed", (folder: string) => rm(folder, { recursive: true })],
  ["folder above was removed", (folder: string) => rm(dirname(folder), { recursive: true })],
  [
    "folder was replaced by an empty one",
    async (folder: string) => {
      await rm(folder, { recursive: true });
      await mkdir(folder);
    },
  ],
] as const) {
  test(`a journal whose ${what} is made again, and every reader learns once that something is missing`, async (t) => {
    const { folder, journal, cursor } = await journalWithOutput(t);
    assert.equal(isJournalLost(journal), false);
    await spoil(folder);
    assert.equal(isJournalLost(journal), true);
    await makeJournalAgain(journal);
    assert.equal(isJournalLost(journal), false);
    assert.equal((await stat(folder)).mode & 0o077, what.includes("empty") ? 0o055 : 0);
    for (const one of [journal, await openJournal(localFiles, folder, { expected: true })]) {
      for (const from of [undefined, cursor]) {
        const first = await readJournal(one, from, 100);
        assert.deepEqual([first.bytes.length, first.hole, first.atEnd], [0, true, true]);
        assert.equal((await readJournal(one, first.cursor, 100)).hole, false);
        assert.deepEqual(await journalEnd(one), first.cursor);
      }
    }
  });
}

test("a journal that is gone when it is opened again is one that was lost", async (t) => {
  const { folder } = await journalWithOutput(t);
  await rm(folder, { recursive: true });
  const again = await openJournal(localFiles, folder, { expected: true });
  assert.deepEqual([again.place.lost, again.place.pipeIsOld, isJournalLost(again)], [true, true, false]);
});

test("a journal with a file in its place cannot be made, and the error names the folder", async (t) => {
  const { folder, journal } = await journalWithOutput(t);
  const missing = { type: "journal_missing", message: /the output's folder .*\/journals\/t\d is missing/ };
  await rm(dirname(folder), { recursive: true });
  await writeFile(dirname(folder), "a file");
  assert.equal(isJournalLost(journal), true);
  await assert.rejects(makeJournalAgain(journal), missing);
  await assert.rejects(openJournal(localFiles, join(dirname(folder), "t2")), missing);
  await rm(dirname(folder));
  await mkdir(dirname(folder));
  await writeFile(folder, "a file");
  await assert.rejects(makeJournalAgain(journal), missing);
});

test("a journal whose state folder was moved away is not made again, and nothing is lost when that comes back", async (t) => {
  const { home, journal } = await journalWithOutput(t);
  await rename(home, `${home}.away`);
  assert.equal(isJournalLost(journal), true);
  await assert.rejects(makeJournalAgain(journal), { type: "journal_missing" });
  await rename(`${home}.away`, home);
  assert.equal(isJournalLost(journal), false);
  assert.deepEqual([(await wholeJournal(journal)).text, (await wholeJournal(journal)).holes], ["before", 0]);
});

test("output is kept again after the journal of a running program was removed", async (t) => {
  const { server, pane, journal } = await openTerminal(t, here, shell('while read x; do echo "got $x"; done'));
  const { watcher, first } = await watched(t, server);
  let outputs = 0;
  watcher.addJournal(pane, journal, () => outputs++);
  await rm(journal.folder, { recursive: true });
  await first("journal_reopened", (event) => event.pane === pane);
  const before = outputs;
  await sendText(server, pane, "two", { enter: true, delayMs: 1 });
  const whole = await until("it is in the journal", async () => {
    const found = await wholeJournal(journal);
    return found.text.includes("got two") ? found : undefined;
  });
  assert.ok(whole.holes > 0);
  await until("the new journal is followed", () => outputs > before);
});

test("a reader learns of output that a pipe lost, also if the journal was empty until then", async (t) => {
  const files = localFiles;
  const journal = await openJournal(files, join(await temporaryFolder(t), "t1"));
  const command = await pipeAgainInto(journal, "%1");
  assert.equal(command[0], "pipe-pane");
  const [, prefix = ""] = /(e0\w+-)/.exec(command.join(" ")) ?? [];
  await writeFile(join(journal.folder, `${prefix}aaaa`), "kept");
  const first = await readJournal(journal, undefined, 100);
  assert.deepEqual([first.bytes.toString(), first.hole], ["kept", true]);
});
