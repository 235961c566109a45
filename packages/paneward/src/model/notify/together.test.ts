import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "./message.ts";
import { together } from "./together.ts";

const sent: Outcome = { kind: "sent", said: "taken", delivered: true };
const refused: Outcome = { kind: "refused", said: "answered with 410", gone: true };

const cases: readonly (readonly [string, Readonly<Record<string, Outcome>>, Outcome])[] = [
  ["one address says what it says", { phone: refused }, refused],
  ["all took it", { "b/1": sent, "b/2": sent }, { kind: "sent", said: "1: taken; 2: taken", delivered: true }],
  ["one did not", { "b/1": sent, "b/2": refused }, { kind: "refused", said: "1: taken; 2: answered with 410" }],
  ["there is none", {}, { kind: "refused", said: "the channel has no address yet" }],
];
for (const [name, outcomes, expected] of cases)
  test(name, () => assert.deepEqual(together(new Map(Object.entries(outcomes))), expected));
