import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { type Journal, journalEnd, lastExitMark, openJournal, readJournal } from "../src/journal.ts";
import { JournalTail } from "../src/journal-tail.ts";
import { segmentName, splitCommand } from "../src/protocol/cursor.ts";
import { posixArgument } from "../src/protocol/quote.ts";
import { localFiles } from "../src/transport/files.ts";
import { wholeJournal } from "./contract/fixture.ts";
import { afterwards, type Cleanup, temporaryFolder } from "./support/folder.ts";
import { privateServer } from "./support/place.ts";
import { until } from "./support/until.ts";

async function journalWith(
  t: Cleanup,
  segments: Readonly<Record<string, string>>,
  segmentBytes = 100,
): Promise<Journal> {
  const journal = await openJournal(localFiles, join(await temporaryFolder(t), "journal"), { segmentBytes });
  journal.markHashes.add(createHash("sha256").update(secret).digest("hex"));
  for (const [name, text] of Object.entries(segments)) await writeFile(join(journal.folder, name), text);
  return journal;
}

// Cuts a text into segments as split does.
async function write(journal: Journal, epoch: string, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += journal.segmentBytes) {
    const name = segmentName(epoch, at / journal.segmentBytes);
    await writeFile(join(journal.folder, name), text.slice(at, at + journal.segmentBytes));
  }
}

const secret = "0123456789abcdef".repeat(2);
const mark = (pid: number) => `\u001b]1717;${secret};${pid};x0\u001b\\\u001b[c`;

test("marks are stripped for any read size and any segment boundary", async (t) => {
  const journal = await journalWith(t, {}, 37);
  const escapes = "\u001b[31mred\u001b[0m\u001b]0;title\u0007";
  await write(journal, "e1", `${escapes}one${mark(7)}two\u001b${mark(8)}${mark(9)}end`);
  for (let max = 1; max < 200; max++) {
    assert.equal((await wholeJournal(journal, undefined, max)).text, `${escapes}onetwo\u001bend`, `max ${max}`);
  }
});

test("no read is larger than asked for", async (t) => {
  const journal = await journalWith(t, { "e1-aaaa": "\u001b]17x0123456789\u001b" });
  for (let max = 1; max < 16; max++) {
    const { bytes } = await readJournal(journal, { epoch: "e1", offset: 0 }, max);
    assert.ok(bytes.length > 0 && bytes.length <= max, `${bytes.length} of ${max}`);
  }
});

test("the start of a mark waits for the rest, and is output if the rest differs", async (t) => {
  const journal = await journalWith(t, { "e1-aaaa": "text\u001b]1717;" });
  const first = await readJournal(journal, undefined, 50);
  assert.equal(first.bytes.toString(), "text");
  const second = await readJournal(journal, first.cursor, 50);
  assert.deepEqual([second.bytes.length, second.atEnd, second.cursor], [0, true, first.cursor]);
  await appendFile(join(journal.folder, "e1-aaaa"), "else");
  assert.equal((await readJournal(journal, first.cursor, 50)).bytes.toString(), "\u001b]1717;else");
});

test("a reader at the end of an epoch that ends inside an escape continues with the next epoch", async (t) => {
  const journal = await journalWith(t, { "e1-aaaa": "one\u001b", "e2-aaaa": "two" });
  const { text, holes } = await wholeJournal(journal);
  assert.equal(text, "one\u001btwo");
  assert.equal(holes, 1);
});

test("dropped segments are counted, and a cursor of a dropped epoch continues with the next", async (t) => {
  const journal = await journalWith(t, { "e2-aaac": "x".repeat(100), "e2-aaad": "y" });
  const inside = await readJournal(journal, { epoch: "e2", offset: 30 }, 1_000);
  assert.deepEqual([inside.missed, inside.hole, inside.bytes.length], [170, false, 101]);
  const before = await readJournal(journal, { epoch: "e1", offset: 5 }, 1_000);
  assert.deepEqual([before.missed, before.hole, before.cursor], [200, true, { epoch: "e2", offset: 301 }]);
  await assert.rejects(readJournal(journal, { epoch: "e2", offset: 302 }, 10), { type: "cursor_invalid" });
});

test("a cursor of another journal is refused, not treated as the end", async (t) => {
  const journal = await journalWith(t, {}, 10);
  await write(journal, "e2", "0123456789abc");
  await assert.rejects(readJournal(journal, { epoch: "e3", offset: 5 }, 100), {
    type: "cursor_invalid",
    message: "cursor e3:5 belongs to another journal",
  });
  await assert.rejects(readJournal(journal, { epoch: "e2", offset: 14 }, 100), { type: "cursor_invalid" });
  assert.equal((await readJournal(journal, { epoch: "e2", offset: 13 }, 100)).atEnd, true);
});

test("an empty journal has no end and nothing to read", async (t) => {
  const journal = await journalWith(t, {});
  assert.equal(await journalEnd(journal), undefined);
  assert.equal(await lastExitMark(journal), undefined);
  const { bytes, atEnd, missed } = await readJournal(journal, undefined, 10);
  assert.deepEqual([bytes.length, atEnd, missed], [0, true, 0]);
});

test("the tail reports each mark once, with several in the last bytes and more output after them", async (t) => {
  const journal = await journalWith(t, {}, 10_000);
  const path = join(journal.folder, "e1-aaaa");
  const reported: (readonly [number, boolean])[] = [];
  await writeFile(path, `out${mark(1)}`);
  const tail = new JournalTail(journal, { onExit: ({ pid }, atFirstLook) => reported.push([pid, atFirstLook]) });
  afterwards(t, () => tail.stop());
  await until("the first mark is reported", () => reported.length === 1);
  for (const pid of [2, 3, 2]) {
    const count = reported.length;
    await appendFile(path, mark(pid));
    await until("the next mark is reported", () => reported.length > count);
    await appendFile(path, "more");
    const size = (await journalEnd(journal))?.offset;
    await until("the tail saw the end", () => tail.offset === size);
  }
  assert.deepEqual(reported, [
    [1, true],
    [2, false],
    [3, false],
    [2, false],
  ]);
  assert.equal((await lastExitMark(journal))?.pid, 2);
});

test("a tail survives the removal of its journal", async (t) => {
  const journal = await journalWith(t, { "e1-aaaa": "x" });
  const tail = new JournalTail(journal, { onExit: () => {} });
  afterwards(t, () => tail.stop());
  await until("it looked", () => tail.offset === 1);
  await rm(journal.folder, { recursive: true });
  tail.stop();
});

for (const shell of ["/bin/sh", "/bin/false"]) {
  test(`a journal is bounded while no process of ours runs, whatever the user's shell is: ${shell}`, async (t) => {
    const folder = await temporaryFolder(t);
    const command = splitCommand(posixArgument(join(folder, "it's e1-")), 1_000, 4);
    const text = Array.from({ length: 30_000 }, (_, at) => String(at % 10)).join("");
    const { status } = spawnSync("sh", ["-c", command], { input: text, env: { ...process.env, SHELL: shell } });
    assert.equal(status, 0);
    const names = (await readdir(folder)).sort();
    assert.ok(names.length <= 4 + 8, names.join(" "));
    const kept = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    assert.equal(kept.join(""), text.slice(-kept.join("").length));
    assert.equal(names.at(-1), "it's e1-aabd");
  });
}

test("a split that is known to have filters is run at once, by its path", async (t) => {
  const folder = await temporaryFolder(t);
  const own = join(folder, "it's split");
  const calls = join(folder, "calls");
  await writeFile(own, `#!/bin/sh\necho "$@" >>${posixArgument(calls)}\nexec ${which("split")} "$@"\n`, {
    mode: 0o755,
  });
  const command = splitCommand(posixArgument(join(folder, "e1-")), 1_000, 4, own);
  const env = { ...process.env, PATH: `${dirname(which("cat"))}:/bin` };
  spawnSync("sh", ["-c", command], { input: "x".repeat(20_500), env });
  const names = (await readdir(folder)).filter((name) => name.startsWith("e1-"));
  assert.ok(names.length <= 4 + 8 && names.includes("e1-aaau"), names.join(" "));
  assert.equal((await readFile(calls, "utf8")).trim().split("\n").length, 1);
});

test("a private server knows the path of its split", async (t) => {
  const { server } = await privateServer(t);
  assert.equal(server.files.filteringSplit, which("split"));
});

test("a split that knows no filter writes the same segments", async (t) => {
  const folder = await temporaryFolder(t);
  const env = { ...process.env, PATH: await pathWithPlainSplit(folder) };
  const input = "x".repeat(2_500);
  spawnSync("sh", ["-c", splitCommand(posixArgument(join(folder, "e1-")), 1_000, 4)], { input, env });
  const names = (await readdir(folder)).filter((name) => name.startsWith("e1-"));
  assert.deepEqual(names.sort(), ["e1-aaaa", "e1-aaab", "e1-aaac"]);
});

// A pipe that goes on reading without writing looks like one that works, and would never be opened again.
for (const [what, limit, folderOf] of [
  ["no room in the middle of a segment", "ulimit -f 2; ", (folder: string) => folder],
  ["no place for a new segment", "", (folder: string) => join(folder, "gone")],
] as const) {
  for (const knowsFilters of [true, false]) {
    test(`a pipe ends that finds ${what}, ${knowsFilters ? "with" : "without"} GNU's split`, async (t) => {
      const folder = await temporaryFolder(t);
      const path = knowsFilters ? process.env.PATH : await pathWithPlainSplit(folder);
      const command = splitCommand(posixArgument(join(folderOf(folder), "e1-")), 1_000_000, 4);
      const env = { ...process.env, PATH: path };
      const pipe = spawn("sh", ["-c", limit + command], { env, stdio: ["pipe", "ignore", "ignore"] });
      let hasEnded = false;
      pipe.on("exit", () => {
        hasEnded = true;
      });
      pipe.stdin.on("error", () => {});
      afterwards(t, () => void pipe.kill("SIGKILL"));
      let written = 0;
      await until("it ended, long before the end of the segment", () => {
        if (written++ < 100) pipe.stdin.write("x".repeat(1_000));
        return hasEnded;
      });
    });
  }
}

async function pathWithPlainSplit(folder: string): Promise<string> {
  const split = join(folder, "split");
  await writeFile(split, `#!/bin/sh\ncase "$*" in *filter*) exit 1;; esac\nexec ${which("split")} "$@"\n`, {
    mode: 0o755,
  });
  return `${folder}:${process.env.PATH}`;
}

function which(program: string): string {
  return spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).stdout.trim();
}
