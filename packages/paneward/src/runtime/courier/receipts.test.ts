import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { openStage, type Stage } from "../../../test/support/stage.ts";
import type { DeliveryRecord } from "../../model/records.ts";
import type { Running } from "../running.ts";
import { receipt, saysSomething } from "./receipts.ts";

const wish = { text: "hello", enter: true, keys: [], force: false };

function begun({ receipts, store }: Stage, more: object = {}): string {
  return receipts.begin(store.terminal("t1") as Running, { text: "hello", by: "ann", wish, ...more }).id;
}

describe("waiting for a receipt", () => {
  type Case = {
    readonly ms?: number;
    /** Any word is enough, not only the last one. */
    readonly any?: true;
    readonly wish?: object;
    readonly at: Readonly<Record<number, (stage: Stage, id: string) => void>>;
    /** The state that is returned and when, or the error. */
    readonly is: readonly [string, number];
  };
  const moved =
    (state: "queued" | "held" | "typed" | "submitted", reason?: string) =>
    ({ receipts }: Stage, id: string) =>
      receipts.moved(id, state, reason);
  const finished = ({ receipts }: Stage, id: string) => receipts.finished(id);
  const noEnter = { wish: { ...wish, enter: false } };
  const cases: Readonly<Record<string, Case>> = {
    "it is finished within the time": {
      ms: 5_000,
      at: { 100: moved("submitted"), 700: finished },
      is: ["submitted", 700],
    },
    "the time is over: the receipt as it is": { ms: 500, at: { 100: moved("submitted") }, is: ["submitted", 500] },
    "any word is enough: as soon as it says something": {
      ms: 2_000,
      any: true,
      at: { 300: moved("held", "a draft") },
      is: ["held", 300],
    },
    "typed text that waits for its Enter says nothing yet": {
      ms: 2_000,
      any: true,
      at: { 100: moved("typed"), 400: moved("submitted") },
      is: ["submitted", 400],
    },
    "typed text without Enter says enough": {
      ms: 2_000,
      any: true,
      ...noEnter,
      at: { 100: moved("typed") },
      is: ["typed", 100],
    },
    "typed text beside another one says what it waits for": {
      ms: 2_000,
      any: true,
      at: { 100: moved("typed", "the input line also contains other text") },
      is: ["typed", 100],
    },
    "nothing is said in time: the receipt as it is": { ms: 2_000, any: true, at: {}, is: ["queued", 2_000] },
    "queued with a reason says enough": {
      ms: 2_000,
      any: true,
      at: { 50: moved("queued", "an earlier one") },
      is: ["queued", 50],
    },
    "without a limit only the end counts": {
      at: { 100: moved("submitted"), 90000: finished },
      is: ["submitted", 90_000],
    },
    "a failure is thrown, whenever it comes": {
      ms: 60_000,
      at: { 250: ({ receipts }, id) => receipts.failed(id, new PanewardError("wrong_state", "it ended")) },
      is: ["wrong_state: it ended", 250],
    },
    "a removed terminal takes its deliveries with it": {
      ms: 5_000,
      at: { 250: ({ store }) => store.write((writer) => writer.removeTerminal("t1")) },
      is: ["wrong_state: the terminal was removed before this could be typed", 5_000],
    },
    "the removal is heard of with the next news, also without a limit": {
      at: {
        250: ({ store }) => store.write((writer) => writer.removeTerminal("t1")),
        300: ({ receipts }, id) => receipts.failed(id, new Error("gone")),
      },
      is: ["wrong_state: the terminal was removed before this could be typed", 300],
    },
    "a wall clock that is set changes no limit": {
      ms: 500,
      at: { 100: moved("submitted"), 200: ({ clock }) => clock.setWall(-3_600_000) },
      is: ["submitted", 500],
    },
  };
  for (const [name, { ms, any, at, is, ...more }] of Object.entries(cases)) {
    test(name, async (t) => {
      const stage = await openStage(t);
      const id = begun(stage, more);
      for (const [when, happen] of Object.entries(at)) stage.clock.timer(Number(when), () => happen(stage, id));
      const got = await stage.outcome(stage.receipts.when(id, (one) => isWanted(stage, one, any), ms));
      const words = got instanceof PanewardError ? `${got.code}: ${got.message}` : "state" in got ? got.state : got;
      assert.deepEqual([words, stage.passed()], is);
      await stage.clock.advance(120_000);
      assert.equal(stage.clock.waiting, 0, "no timer is left");
    });
  }
});

function isWanted({ receipts }: Stage, one: DeliveryRecord, any = false): boolean {
  return any ? saysSomething(one, receipts.wishOf(one)) : !one.unfinished;
}

test("a delivery that nothing blocks says what it waits for", async (t) => {
  const stage = await openStage(t);
  const id = begun(stage);
  const shown = () => {
    const record = stage.store.deliveryById(id);
    assert.ok(record);
    return receipt(record).reason;
  };
  for (const [state, words] of [
    ["queued", /comes first/],
    ["typed", /input line/],
    ["submitted", /Enter was pressed/],
  ] as const) {
    stage.receipts.moved(id, state);
    assert.match(shown() ?? "", words);
  }
  stage.receipts.finished(id);
  assert.equal(shown(), undefined);
});

test("a change is one event; the same again is none; a closed book writes nothing", async (t) => {
  const stage = await openStage(t);
  const id = begun(stage);
  for (const _again of [1, 2]) stage.receipts.moved(id, "held", "a draft");
  stage.receipts.moved(id, "typed");
  stage.receipts.close();
  stage.receipts.moved(id, "submitted");
  assert.deepEqual(stage.news, ["0 held: a draft", "0 typed"]);
});

test("numbers grow also when the wall clock is set back", async (t) => {
  const stage = await openStage(t);
  const first = begun(stage);
  stage.clock.setWall(-3_600_000);
  const second = begun(stage);
  assert.deepEqual(
    stage.store.unfinishedDeliveries().map(({ id }) => id),
    [first, second],
  );
});

test("a secret is kept in memory only, and forgotten when it is done", async (t) => {
  const stage = await openStage(t);
  const id = begun(stage, { secret: true });
  const record = () => stage.store.deliveryById(id);
  assert.deepEqual([record()?.text, record()?.wish], ["(a secret)", undefined]);
  assert.deepEqual(stage.receipts.wishOf({ id } as never), wish);
  stage.receipts.finished(id);
  assert.equal(stage.receipts.wishOf({ id } as never), undefined);
});
