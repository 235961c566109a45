import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Config, NoticeKind, NotifyRule } from "@paneward/sdk";
import { defaultConfig } from "@paneward/sdk/config";
import type { NoticeRecord, Send } from "./notice.ts";
import { type Action, floodWindowMs, schedule } from "./schedule.ts";

const channels = {
  phone: { kind: "telegram", text: "title" },
  desk: { kind: "desktop", text: "full" },
  loud: { kind: "pushover", text: "title" },
} as const;

function config(rule: NotifyRule = {}, more: Partial<Config["notify"]> = {}): Config["notify"] {
  const wanted = { channels: ["phone", "desk"], ...rule };
  return { ...defaultConfig.notify, channels, rules: [wanted], ...more };
}

function notice(
  id: string,
  at: number,
  more: Partial<NoticeRecord> & { readonly kind?: NoticeKind; readonly name?: string } = {},
): NoticeRecord {
  const { kind = "question", name = id, ...rest } = more;
  const fact = { key: `${kind} ${id}`, kind, subject: { name, terminal: name }, words: "asks" };
  return { id, tag: id, fact, at, state: "waiting", why: "", sends: [], ...rest };
}

function told(id: string, toldAt: number, more: Parameters<typeof notice>[2] = {}): NoticeRecord {
  const send: Send = { to: "phone", kind: "telegram", state: "sent", attempts: 1, at: toldAt };
  return notice(id, toldAt - 5_000, { state: "told", toldAt, sends: [send], ...more });
}

function plan(notices: readonly NoticeRecord[], at: number, given: Partial<Parameters<typeof schedule>[0]> = {}) {
  const { actions, wakeAt } = schedule({
    ...{ notices, notify: config(), seenUntil: () => undefined, now: { at, minute: 12 * 60 } },
    ...given,
  });
  return { actions: actions.map(words), wakeAt };
}

function words(action: Action): string {
  switch (action.do) {
    case "tell":
      return `tell ${action.notice.id} by ${action.channels.join(" ")}`;
    case "digest":
      return `digest ${action.members.map(({ id }) => id).join(" ")} by ${action.channels.join(" ")}`;
    case "escalate":
      return `escalate ${action.notice.id} to ${action.channel}: ${action.why}`;
    default:
      return `${action.do} ${action.notice.id}: ${action.why}`;
  }
}

describe("what is reported when", () => {
  test("only what is still so after the dwell", () => {
    const one = [notice("n1", 1_000)];
    assert.deepEqual(plan(one, 1_000), { actions: ["hold n1: sent if it is still so in a moment"], wakeAt: 6_000 });
    assert.deepEqual(plan(one, 5_999).wakeAt, 6_000);
    assert.deepEqual(plan(one, 6_000), { actions: ["tell n1 by phone desk"], wakeAt: undefined });
  });

  test("nothing in quiet hours, and afterwards what is still so", () => {
    const notify = config({ quiet: ["22:00-07:30"] });
    const at = (minute: number) => plan([notice("n1", 0)], 10_000, { notify, now: { at: 10_000, minute } });
    assert.deepEqual(at(23 * 60), { actions: ["hold n1: quiet hours"], wakeAt: 10_000 + 8.5 * 3_600_000 });
    assert.deepEqual(at(7 * 60), { actions: ["hold n1: quiet hours"], wakeAt: 10_000 + 30 * 60_000 });
    assert.deepEqual(at(7 * 60 + 30).actions, ["tell n1 by phone desk"]);
    assert.deepEqual(at(21 * 60 + 59).actions, ["tell n1 by phone desk"]);
  });

  test("nothing that a person looks at, until that person looks away", () => {
    const seenUntil = () => 40_000;
    assert.deepEqual(plan([notice("n1", 0)], 10_000, { seenUntil }), {
      actions: ["hold n1: you are looking at it"],
      wakeAt: 40_000,
    });
    assert.deepEqual(plan([notice("n1", 0)], 40_000, { seenUntil }).actions, ["tell n1 by phone desk"]);
  });

  test("the same of the same task only after its cooldown, unless the last was answered", () => {
    const flapping = [
      told("n1", 10_000, { name: "a", state: "over", kind: "stuck" }),
      notice("n2", 12_000, { name: "a", kind: "stuck" }),
    ];
    assert.deepEqual(plan(flapping, 20_000).wakeAt, 70_000);
    assert.deepEqual(plan(flapping, 70_000).actions, ["tell n2 by phone desk"]);
    const answered = [
      told("n1", 10_000, { name: "a", state: "over", answered: true }),
      notice("n2", 12_000, { name: "a" }),
    ];
    assert.deepEqual(plan(answered, 20_000).actions, ["tell n2 by phone desk"]);
    const other = [told("n1", 10_000, { name: "a" }), notice("n2", 12_000, { name: "b" })];
    assert.deepEqual(plan(other, 20_000).actions, ["tell n2 by phone desk"]);
  });

  test("many at once as one digest, and at most one digest in a minute", () => {
    const many = Array.from({ length: 6 }, (_, index) => notice(`n${index}`, 0));
    assert.deepEqual(plan(many.slice(1), 10_000).actions.length, 5);
    assert.deepEqual(plan(many, 10_000).actions, ["digest n0 n1 n2 n3 n4 n5 by phone desk"]);
    const digest = told("n9", 10_000, { members: many.map(({ id }) => id) });
    const late = [digest, notice("n10", 11_000), notice("n11", 11_000)];
    assert.deepEqual(plan(late, 20_000), {
      actions: ["n10", "n11"].map((id) => `hold ${id}: many at once: sent together in a moment`),
      wakeAt: 10_000 + floodWindowMs,
    });
    assert.deepEqual(plan(late, 10_000 + floodWindowMs).actions, ["tell n10 by phone desk", "tell n11 by phone desk"]);
  });

  test("one more than fits waits for its turn; it is no digest of one", () => {
    const singles = Array.from({ length: 5 }, (_, index) => told(`n${index}`, 10_000 + index));
    const { actions, wakeAt } = plan([...singles, notice("n7", 9_000)], 15_000);
    assert.deepEqual(actions, ["hold n7: many at once: sent together in a moment"]);
    assert.equal(wakeAt, 10_000 + floodWindowMs);
  });

  test("the next channel when nobody answers, and at once when no channel before could be reached", () => {
    const notify = config({ escalate: ["loud"] });
    const waits = told("n1", 10_000);
    assert.deepEqual(plan([waits], 10_000 + 599_999, { notify }), { actions: [], wakeAt: 610_000 });
    assert.deepEqual(plan([waits], 610_000, { notify }).actions, ["escalate n1 to loud: nobody answered"]);
    const lost: NoticeRecord = { ...waits, sends: waits.sends.map((send) => ({ ...send, state: "unknown" })) };
    assert.deepEqual(plan([lost], 10_001, { notify }).actions, [
      "escalate n1 to loud: no channel before could be reached",
    ]);
    const again = (attempts: number, pauseMs: number): NoticeRecord => ({
      ...waits,
      sends: waits.sends.map((send) => ({ ...send, state: "queued", attempts, nextAt: send.at + pauseMs })),
    });
    // Tried again after two seconds, then after six.
    assert.deepEqual(plan([again(1, 2_000)], 10_001, { notify }).actions, []);
    assert.deepEqual(plan([again(2, 6_000)], 10_001, { notify }).actions, [
      "escalate n1 to loud: no channel before could be reached",
    ]);
    const last: Send = { to: "loud", kind: "pushover", state: "sent", attempts: 1, at: 610_000, escalated: true };
    assert.deepEqual(plan([{ ...waits, escalatedAt: 610_000, sends: [...waits.sends, last] }], 9_000_000, { notify }), {
      actions: [],
      wakeAt: undefined,
    });
  });

  test("what has happened is escalated only if no notice arrived, and what is over is not reported", () => {
    const notify = config({ escalate: ["loud"], kinds: ["failed", "question"] });
    const failed = told("n1", 10_000, { kind: "failed" });
    assert.deepEqual(plan([failed], 9_000_000, { notify }).actions, []);
    const lost: NoticeRecord = { ...failed, sends: failed.sends.map((send) => ({ ...send, state: "failed" })) };
    assert.deepEqual(plan([lost], 10_001, { notify }).actions, [
      "escalate n1 to loud: no channel before could be reached",
    ]);
    assert.deepEqual(plan([notice("n1", 0, { state: "over" })], 10_000).actions, []);
  });

  test("nothing that no rule sends to anybody any more", () => {
    assert.deepEqual(plan([notice("n1", 0)], 10_000, { notify: config({ channels: [] }) }).actions, [
      "drop n1: no rule sends it to anybody",
    ]);
  });
});
