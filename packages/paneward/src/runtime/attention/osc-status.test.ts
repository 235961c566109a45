import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../../test/support/clock.ts";
import { until } from "../../../test/support/until.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { OscStatus, type Ports } from "./osc-status.ts";

const report = (fields: string) => `\x1b]7501;${fields}\x07`;
const record = { id: "t1", host: "local", journal: "/j" } as TerminalRecord;

/** A journal in memory, and what was read of it. */
function stage() {
  const epochs = new Map<string, string>();
  let fails = 0;
  let served = 0;
  const newest = () => [...epochs.keys()].sort().at(-1);
  const terminals: Ports["terminals"] = {
    async cursorBeforeEnd(_host, _journal, bytes) {
      const epoch = newest();
      return epoch && `${epoch}:${Math.max(0, (epochs.get(epoch) ?? "").length - bytes)}`;
    },
    async read(_host, _journal, cursor = "", max) {
      if (fails > 0) {
        fails -= 1;
        throw new Error("the host is away");
      }
      const [epoch = "", offset] = cursor.split(":");
      const text = (epochs.get(epoch) ?? "").slice(Number(offset), Number(offset) + max);
      served += text.length;
      const at = Number(offset) + text.length;
      const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
      const atEnd = at === epochs.get(epoch)?.length;
      return { bytes, cursor: `${epoch}:${at}`, missed: 0, hole: false, atEnd };
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
  const words = new OscStatus({ clock: systemClock(), log, terminals }, (_id, word) => {
    heard.push(word?.says ?? "nothing");
    dates.push(word?.at);
  });
  return {
    words,
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
    hears: (...all: string[]) => until(`${all} is heard`, () => heard.join() === all.join()),
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
    await until(`${says} is heard`, () => one.heard.at(-1) === says);
  }
  one.words.forget("t1");
  assert.deepEqual(one.heard, ["working", "needs_input", "idle"]);
  assert.equal(one.served, printed);
});

test("what was said before anybody listened has the journal's date, and is this program's only if it is not older", async () => {
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

test("a program that is started again has not said what the one before said", async () => {
  const { words, print, heard, hears } = stage();
  words.started(record, false);
  print("e1", report("state=blocked"));
  await hears("needs_input");
  await words.restarts(record);
  words.started(record, false);
  print("e1", "here again");
  print("e1", report("state=idle:id=part"));
  await until("its own word is heard", () => heard.length === 2);
  assert.deepEqual(heard, ["needs_input", "idle"]);
  words.forget("t1");
});

test("a host that is away is asked again with the next output, and nothing is lost", async () => {
  const one = stage();
  one.words.started(record, false);
  one.print("e1", "first");
  one.fail(7);
  await until("it was warned once", () => {
    one.words.printed("t1");
    return one.warnings.length > 0;
  });
  one.print("e1", report("state=done"));
  await until("it is heard", () => {
    one.words.printed("t1");
    return one.heard.at(-1) === "idle";
  });
  assert.equal(one.warnings.length, 1);
  one.words.forget("t1");
});
