import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { afterAttempt, afterChange, maxAttempts } from "./attempts.ts";
import { type Send, withChange } from "./notice.ts";

const handed: Send = { to: "phone", kind: "telegram", state: "handed", attempts: 1, at: 0 };

describe("a send after an attempt", () => {
  const cases: readonly (readonly [string, Parameters<typeof afterAttempt>[1], boolean, Partial<Send>])[] = [
    ["that was taken", { kind: "sent", said: "ok", ref: "7" }, false, { state: "sent", ref: "7", at: 9 }],
    ["that arrived", { kind: "sent", said: "ok", delivered: true }, false, { state: "delivered", at: 9 }],
    [
      "that was refused",
      { kind: "refused", said: "answered with 401" },
      false,
      { state: "failed", reason: "answered with 401", at: 9 },
    ],
    [
      "that is to wait",
      { kind: "later", said: "429", afterMs: 30_000 },
      false,
      { state: "queued", reason: "429", nextAt: 30_009, at: 9 },
    ],
    [
      "that reached nobody",
      { kind: "later", said: "no route" },
      false,
      { state: "queued", reason: "no route", nextAt: 2_009, at: 9 },
    ],
    [
      "that may have been sent",
      { kind: "unknown", said: "no answer" },
      false,
      { state: "unknown", reason: "no answer", at: 9 },
    ],
    [
      "that may be repeated",
      { kind: "unknown", said: "no answer" },
      true,
      { state: "queued", perhaps: true, reason: "no answer", nextAt: 2_009, at: 9 },
    ],
  ];
  for (const [name, outcome, isIdempotent, expected] of cases) {
    test(name, () => assert.deepEqual(afterAttempt(handed, outcome, 9, isIdempotent), { ...handed, ...expected }));
  }

  test("is tried less and less often, for an hour, and then no more", () => {
    let send = handed;
    let at = 0;
    for (let attempts = 1; send.state !== "failed"; attempts++) {
      send = afterAttempt({ ...send, state: "handed", attempts }, { kind: "later", said: "no route" }, at, false);
      at = send.nextAt ?? at;
    }
    assert.equal(send.reason, `no route, ${maxAttempts} times`);
    assert.ok(at > 20 * 60_000 && at < 2 * 3_600_000, `${at / 60_000} minutes`);
  });
});

describe("a send after it was taken back", () => {
  const sent: Send = { ...handed, state: "sent", ref: "7", change: { does: "withdraw", state: "handed", attempts: 1 } };
  const { change: _change, ...rest } = sent;

  test("is withdrawn", () =>
    assert.deepEqual(afterChange(sent, { kind: "sent", said: "ok" }, 9), { ...rest, state: "withdrawn", at: 9 }));

  test("is tried again as often, and then stays", () => {
    const again = afterChange(sent, { kind: "unknown", said: "no answer" }, 9);
    assert.deepEqual(again.change, { does: "withdraw", state: "queued", attempts: 1, nextAt: 2_009 });
    const last = afterChange(
      { ...sent, change: { does: "withdraw", state: "handed", attempts: maxAttempts } },
      { kind: "later", said: "429" },
      9,
    );
    assert.deepEqual(last, { ...rest, reason: "could not be withdrawn: 429" });
  });

  test("is followed by what became necessary while it was on its way", () => {
    const updated: Send = { ...sent, change: { does: "update", state: "handed", attempts: 1 } };
    const over = withChange(updated, "withdraw");
    assert.deepEqual(over.change, { does: "update", state: "handed", attempts: 1, next: "withdraw" });
    const next = { does: "withdraw", state: "queued", attempts: 0 } as const;
    assert.deepEqual(afterChange(over, { kind: "sent", said: "ok", ref: "8" }, 9), { ...rest, ref: "8", change: next });
  });

  test("keeps the service's new name for it", () => {
    const updated: Send = { ...sent, change: { does: "update", state: "handed", attempts: 1 } };
    assert.deepEqual(afterChange(updated, { kind: "sent", said: "ok", ref: "8" }, 9), { ...rest, ref: "8" });
  });
});
