import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fuzz, hostileText, type Random } from "../../../tmux/test/support/random.ts";
import type { TerminalRecord } from "../../src/model/records.ts";
import { type RecordDeps, Records } from "../../src/runtime/witnesses/records.ts";
import { systemClock } from "../../src/system/clock.ts";
import { growingFiles } from "../../src/system/growing-files.ts";
import { afterwards, type Cleanup, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

const words = "the words that were sent";
const id = "0123-4567";

/** A delivery is awaited whose agent writes into `path`; anybody may write there. */
async function awaiting(t: Cleanup) {
  const home = await temporaryFolder(t);
  const path = join(home, ".claude", "projects", "-shop", `${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const matched: string[] = [];
  let reads = 0;
  let isOver = false;
  let expect = (_terminal: string) => {};
  const terminal = {
    ...{ id: "t1", host: "local", argv: ["claude", "--session-id", id], cwd: "/shop", env: {}, phase: "running" },
    ...{ createdAt: Date.now(), startedAt: Date.now() },
  } as unknown as TerminalRecord;
  const records = new Records({
    clock: systemClock(),
    store: { terminal: () => terminal, terminals: () => [terminal], task: () => undefined },
    agents: { of: () => undefined, active: () => [], learned: () => assert.fail("nothing is learned") },
    prompts: {
      onExpect: (listener: typeof expect) => {
        expect = listener;
      },
      awaitedMs: () => (isOver ? undefined : 0),
      match: (_terminal: string, text: string) => void matched.push(text),
    },
    env: { HOME: home },
    files: {
      ...growingFiles,
      read: (...args: Parameters<typeof growingFiles.read>) => {
        reads++;
        return growingFiles.read(...args);
      },
    },
  } as unknown as RecordDeps);
  afterwards(t, () => {
    isOver = true;
    records.stop();
  });
  expect("t1");
  return { home, path, matched, reads: () => reads };
}

function row(text: string, more: object = {}): string {
  const message = { role: "user", content: text };
  return `${JSON.stringify({ type: "user", isSidechain: false, timestamp: new Date().toISOString(), message, ...more })}\n`;
}

/** What may be in the place of a record, or come into it. */
const hostile: readonly (readonly [string, (path: string, home: string, random: Random) => void])[] = [
  ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
  ["a folder", (path) => mkdirSync(path)],
  ["a link to a device", (path) => symlinkSync("/dev/zero", path)],
  ["a link to itself", (path) => symlinkSync(path, path)],
  [
    "a link to the words",
    (path, home) => {
      writeFileSync(join(home, "w"), row(words));
      symlinkSync(join(home, "w"), path);
    },
  ],
  [
    "a terabyte of nothing",
    (path) => {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 40);
    },
  ],
  ["one endless line", (path) => writeFileSync(path, `{"type":"user","x":"${"x".repeat(40_000_000)}`)],
  [
    "bytes",
    (path, _home, { below }) => writeFileSync(path, Buffer.from(Array.from({ length: 5_000 }, () => below(256)))),
  ],
  ["deep JSON", (path) => writeFileSync(path, `${"[".repeat(100_000)}\n${'{"message":'.repeat(50_000)}\n`)],
  ["other words", (path, _home, random) => writeFileSync(path, row(`${hostileText(random)}-`).repeat(50))],
  ["the words of a side chain", (path) => writeFileSync(path, row(words, { isSidechain: true }))],
  ["the words of the assistant", (path) => writeFileSync(path, row(words, { type: "assistant" }))],
  ["the words without a date", (path) => writeFileSync(path, row(words, { timestamp: "soon" }))],
  ["the words in a prototype", (path) => writeFileSync(path, `{"__proto__":${row(words).trim()}}\n`)],
  ["the words, half", (path) => writeFileSync(path, row(words).trim())],
];

test("a record that is forged, endless or no file acknowledges nothing, and blocks nothing", async (t) => {
  await fuzz(async (random) => {
    const cleanups: (() => unknown)[] = [];
    try {
      const { path, home, matched } = await awaiting({ after: (work) => void cleanups.push(work) });
      for (let steps = 1 + random.below(3); steps > 0; steps--) {
        const [what, put] = random.pick(hostile);
        rmSync(path, { recursive: true, force: true });
        put(path, home, random);
        const began = performance.now();
        await delay(random.below(300));
        assert.ok(performance.now() - began < 3_000, `${what} held the loop up`);
        assert.deepEqual(
          matched.filter((text) => text === words),
          [],
          what,
        );
      }
      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, row(words));
      await until("the agent's own row is read", () => matched.includes(words));
    } finally {
      for (const work of cleanups.reverse()) await work();
    }
  }, 25);
  t.diagnostic(`${hostile.length} kinds`);
});

test("a record that was removed and made again is another one, though it has the number of the one before", async (t) => {
  const path = join(await temporaryFolder(t), "record.jsonl");
  const files = new Set<string>();
  for (let count = 0; count < 20; count++) {
    rmSync(path, { force: true });
    writeFileSync(path, row(words));
    await growingFiles.read(path, ({ file }) => {
      files.add(file);
      return undefined;
    });
  }
  assert.equal(files.size, 20);
});

test("a program that writes there all the time does not make the daemon read all the time", async (t) => {
  const { path, reads } = await awaiting(t);
  writeFileSync(path, "");
  const before = reads();
  const end = performance.now() + 2_000;
  for (let count = 0; performance.now() < end; count++) {
    appendFileSync(path, "x\n");
    if (count % 5 === 0) await delay(0);
  }
  assert.ok(reads() - before < 2_000 / 15, `${reads() - before} reads in 2 s`);
});
