import assert from "node:assert/strict";
import { test } from "node:test";
import type { Delivery } from "@paneward/sdk";
import { awaitDelivery } from "./await-delivery.ts";

const held = { reason: "its input line holds a draft: half", release: "the draft is submitted or deleted" };
type Step = readonly [at: number, state: Delivery["state"], more?: Partial<Delivery>];

/** Receipts over time; a call waits as the daemon does: until its time is over, or the last word is there. */
async function run(steps: readonly Step[], timeoutMs?: number, submits = true) {
  let time = 0;
  const notes: string[] = [];
  const at = (when: number): Delivery => {
    const [, state, more] = steps.findLast(([since]) => since <= when) ?? steps[0] ?? [0, "queued"];
    return { id: "d1", terminal: "t1", state, createdAt: 0, updatedAt: 0, ...more };
  };
  const send = async (ack: number) => {
    const last = steps.find(([since, state]) => since >= time && /acknowledged|unknown/.test(state))?.[0];
    const first = steps[1]?.[0] ?? 0;
    const until = ack === 0 ? Math.min(first, 2_000) : time + ack * 1_000;
    time = Math.max(time, Math.min(until, last ?? Number.POSITIVE_INFINITY));
    return at(time);
  };
  const note = (text: string) => notes.push(`${time} ${text}`);
  const { state } = await awaitDelivery({ send, now: () => time, note, timeoutMs, submits });
  return { state, time, notes };
}

test("it returns with the last word, and is silent for as long as two seconds", async () => {
  const soon: readonly Step[] = [
    [0, "queued"],
    [100, "submitted"],
    [400, "acknowledged"],
  ];
  assert.deepEqual(await run(soon), { state: "acknowledged", time: 400, notes: [] });
  assert.deepEqual(
    await run([
      [0, "queued"],
      [100, "submitted"],
      [31_000, "unknown"],
    ]),
    {
      state: "unknown",
      time: 31_000,
      notes: ["2000 waiting, t1 has it submitted"],
    },
  );
});

test("what blocks it ends the wait, unless a time was given; then what it waits for is said when it changes", async () => {
  const steps: readonly Step[] = [
    [0, "queued"],
    [50, "held", held],
    [9_000, "submitted"],
    [12_000, "acknowledged"],
  ];
  assert.deepEqual(await run(steps), { state: "held", time: 50, notes: [] });
  assert.deepEqual(await run(steps, 60_000), {
    state: "acknowledged",
    time: 12_000,
    notes: [
      `2000 waiting, t1 has it held: ${held.reason}; until ${held.release}`,
      "12000 waiting, t1 has it submitted",
    ].slice(0, 1),
  });
});

test("its time is over: the receipt as it is", async () => {
  assert.deepEqual(
    await run(
      [
        [0, "queued"],
        [50, "held", held],
      ],
      3_000,
    ),
    {
      state: "held",
      time: 3_000,
      notes: [`2000 waiting, t1 has it held: ${held.reason}; until ${held.release}`],
    },
  );
  assert.equal(
    (
      await run(
        [
          [0, "queued"],
          [50, "submitted"],
        ],
        0,
      )
    ).state,
    "submitted",
  );
});

test("a text without Enter and keys are done when they are typed", async () => {
  for (const state of ["typed", "submitted"] as const) {
    assert.deepEqual(
      await run(
        [
          [0, "queued"],
          [50, state],
        ],
        undefined,
        false,
      ),
      { state, time: 50, notes: [] },
    );
  }
});
