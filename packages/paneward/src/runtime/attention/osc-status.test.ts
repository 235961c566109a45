import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { OscStatus, type Ports } from "./osc-status.ts";

const report = (fields: string) => `\x1b]7501;${fields}\x07`;
const place = { server: "1.1", pane: "%1", pid: 7, session: "$1" };
const record = { id: "t1", host: "local", journal: "/j", place } as TerminalRecord;

/** A journal in memory, and what was read of it. */
function stage() {
  const clock = new FakeClock();
  const epochs = new Map<string, string>();
  let fails = 0;
  let served = 0;
  const terminal = { raw: false, asked: 0 };
  const newest = () => [...epochs.keys()].sort().at(-1);
  const terminals: Ports["terminals"] = {
    async cursorBeforeEnd(_host, _journal, bytes) {
      const epoch = newest();
      return epoch ? { epoch, offset: Math.max(0, (epochs.get(epoch) ?? "").length - bytes) } : undefined;
    },
    async read(_host, _journal, { epoch, offset } = { epoch: "", offset: 0 }, max) {
      if (fails > 0) {
        fails -= 1;
        throw new Error("the host is away");
      }
      const text = (epochs.get(epoch) ?? "").slice(offset, offset + max);
      served += text.length;
      const at = offset + text.length;
      const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
      const atEnd = at === epochs.get(epoch)?.length;
      return { bytes, cursor: { epoch, offset: at }, missed: 0, hole: false, atEnd };
    },
    async listens() {
      terminal.asked += 1;
      return { reads: "yes", hidden: false, raw: terminal.raw };
    },
    times: async () => [
      {
        epoch: "e1",
        from: 0,
        to: 0,
        times: [
          [30, 110_000],
          [10_000, 220_000],
        ],
      },
    ],
  };
  const heard: string[] = [];
  const dates: (number | undefined)[] = [];
  const warnings: string[] = [];
  const log = { info() {}, error() {}, warn: (message: string) => warnings.push(message) };
  const words = new OscStatus({ clock, log, terminals }, (_id, status) => {
    heard.push(status?.says ?? "nothing");
    dates.push(status?.at);
  });
  return {
    clock,
    words,
    terminal,
    heard,
    dates,
    warnings,
    get served() {
      return served;
    },
    fail(times: number) {
      fails = times;
    },
    print(epoch: string, text: string) {
      epochs.set(epoch, (epochs.get(epoch) ?? "") + text);
      words.printed("t1");
    },
    hears: (...all: string[]) => clock.until(`${all} is heard`, () => heard.join() === all.join(), 10_000),
  };
}

test("every byte is read once, whatever is printed between two reads", async () => {
  const one = stage();
  one.words.started(record, false);
  let printed = 0;
  const said = [
    ["state=working", "working"],
    ["state=blocked", "needs_input"],
    ["state=idle", "idle"],
  ] as const;
  for (const [fields, says] of said) {
    for (const piece of ["x".repeat(1_000), report(fields).slice(0, 9), report(fields).slice(9)]) {
      one.print("e1", piece);
      printed += piece.length;
    }
    await one.clock.until(`${says} is heard`, () => one.heard.at(-1) === says, 1_000);
  }
  one.words.forget("t1");
  assert.deepEqual(one.heard, ["working", "needs_input", "idle"]);
  assert.equal(one.served, printed);
});

test("a status from before the daemon listened has the journal's date, and belongs to this program only if it is not older", async () => {
  const { words, print, hears, dates } = stage();
  print("e1", `${report("state=blocked")}${"x".repeat(4_000)}${report("state=working")}`);
  words.started({ ...record, startedAt: 200_000 }, true);
  await hears("working");
  assert.deepEqual(dates, [220_000]);
  words.forget("t1");
  const other = stage();
  other.print("e1", report("state=blocked"));
  other.words.started({ ...record, startedAt: 200_000 }, true);
  other.print("e1", report("state=idle"));
  await other.hears("idle");
  other.words.forget("t1");
});

test("a program that is started again has not reported what the one before did", async () => {
  const { clock, words, print, heard, hears } = stage();
  words.started(record, false);
  print("e1", report("state=blocked"));
  await hears("needs_input");
  await words.restarts(record);
  words.started(record, false);
  print("e1", "here again");
  print("e1", report("state=idle:id=part"));
  await clock.until("its own status is heard", () => heard.length === 2, 1_000);
  assert.deepEqual(heard, ["needs_input", "idle"]);
  words.forget("t1");
});

test("a host that is away is asked again with the next output, and nothing is lost", async () => {
  const one = stage();
  one.words.started(record, false);
  one.print("e1", "first");
  one.fail(7);
  const warnedAfter: number[] = [];
  for (let read = 1; read <= 7; read++) {
    one.words.printed("t1");
    await one.clock.advance(1_000);
    warnedAfter.push(one.warnings.length);
  }
  assert.deepEqual(warnedAfter, [0, 0, 0, 0, 1, 1, 1]);
  one.print("e1", report("state=done"));
  await one.hears("idle");
  assert.equal(one.warnings.length, 1);
});

test("a program that reports nothing is read less and less often, one that reports at once", async () => {
  const one = stage();
  one.words.started(record, false);
  const reads: number[] = [];
  let served = 0;
  const printFor = async (ms: number) => {
    for (let at = 0; at < ms; at += 10) {
      one.print("e1", "x");
      await one.clock.advance(10);
      if (one.served !== served) reads.push(one.clock.monotonic());
      served = one.served;
    }
  };
  await printFor(5_000);
  const gaps = reads.slice(1).map((at, index) => at - (reads[index] ?? 0));
  assert.deepEqual(gaps.slice(0, 4), [100, 200, 400, 800], String(gaps));
  assert.equal(Math.max(...gaps), 800);
  one.print("e1", report("state=working"));
  await one.hears("working");
  one.print("e1", report("state=blocked"));
  assert.ok((await one.hears("working", "needs_input")) <= 50);
});

for (const [name, { raw, isAgent, ends, asked }] of Object.entries({
  "a program that prints on after it said that it waits has gone on": {
    raw: false,
    isAgent: false,
    ends: true,
    asked: 1,
  },
  "a full-screen program redraws while it waits": { raw: true, isAgent: false, ends: false, asked: 1 },
  "so does a known agent": { raw: true, isAgent: true, ends: false, asked: 0 },
})) {
  test(name, async () => {
    const one = stage();
    one.terminal.raw = raw;
    one.words.started(record, false, isAgent);
    one.print("e1", "hello");
    await one.clock.advance(1_000);
    one.print("e1", report("state=blocked:kind=auth"));
    await one.hears("needs_input");
    one.print("e1", "Password: ");
    await one.clock.advance(1_900);
    assert.deepEqual(one.heard, ["needs_input"], "its question belongs to it");
    for (let line = 0; line < 10; line++) {
      one.print("e1", "compiling\n");
      await one.clock.advance(300);
    }
    assert.deepEqual([one.heard, one.terminal.asked], [["needs_input", ...(ends ? ["nothing"] : [])], asked]);
    one.words.forget("t1");
  });
}

for (const [name, by] of [
  ["back by an hour", -3_600_000],
  ["forward by a day", 86_400_000],
] as const) {
  test(`a status is read and dated as ever when the machine's clock is set ${name}`, async () => {
    const one = stage();
    one.words.started(record, false);
    one.print("e1", "hello");
    await one.clock.advance(1_000);
    one.clock.setWall(by);
    one.print("e1", report("state=done"));
    await one.hears("idle");
    const [at = 0] = one.dates;
    assert.ok(Math.abs(at - one.clock.monotonic()) <= 50, "dated in monotonic time");
    // Output that follows at once belongs to the report; a jump of the clock does not count as time that passed.
    one.clock.setWall(by);
    one.print("e1", "bye");
    await one.clock.advance(1_000);
    assert.deepEqual(one.heard, ["idle"]);
    one.print("e1", "something else");
    await one.clock.advance(3_000);
    one.print("e1", "and more");
    await one.hears("idle", "nothing");
  });
}
