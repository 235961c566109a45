import assert from "node:assert/strict";
import { test } from "node:test";
import type { Config } from "@paneward/sdk";
import { defaultConfig } from "@paneward/sdk/config";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import type { NoticeRecord, Send } from "../../src/model/notify/notice.ts";
import { type Action, floodWindowMs, schedule } from "../../src/model/notify/schedule.ts";

test("in any timeline each notice is sent at most once, and no channel gets more than the limit in a minute", async () => {
  await fuzz((random) => {
    const timeline = new Timeline(random);
    for (let step = 0; step < 60; step++) timeline.step(step);
    const ids = timeline.tellings.flatMap((one) => one.ids);
    assert.equal(new Set(ids).size, ids.length, "told once");
    assert.equal(new Set(timeline.escalated).size, timeline.escalated.length, "escalated once to the one channel");
    for (const { at } of timeline.tellings) {
      const within = timeline.tellings.filter((one) => one.at > at - floodWindowMs && one.at <= at);
      const { digest } = timeline.notify;
      assert.ok(within.length <= digest + 1, `${within.length} within a minute, and ${digest} are the limit`);
    }
  }, 400);
});

/** Facts that come and go while a person sometimes looks, and plans that are carried out at once. */
class Timeline {
  readonly tellings: { readonly at: number; readonly ids: readonly string[] }[] = [];
  readonly escalated: string[] = [];
  readonly notify: Config["notify"];
  readonly #random: Random;
  #notices: readonly NoticeRecord[] = [];
  #at = 0;
  #seen = 0;

  constructor(random: Random) {
    const { below } = random;
    const rule = {
      dwell_seconds: below(8),
      cooldown_seconds: below(90),
      escalate: ["loud"],
      escalate_minutes: 1 + below(3),
    };
    const channels = { phone: { kind: "telegram", text: "title" }, loud: { kind: "pushover", text: "title" } } as const;
    this.notify = { ...defaultConfig.notify, channels, rules: [rule], digest: 1 + below(6) };
    this.#random = random;
  }

  step(number: number): void {
    const { below } = this.#random;
    this.#at += below(20_000);
    this.#happen(number, below(10));
    const { actions, wakeAt } = this.#plan();
    assert.ok(wakeAt === undefined || wakeAt > this.#at, "it never asks to be woken in the past");
    for (const action of actions) {
      this.#record(action);
      this.#notices = carriedOut(this.#notices, action, this.#at);
    }
    const left = this.#plan().actions.filter((action) => action.do !== "hold");
    assert.deepEqual(left, [], "a plan that was carried out leaves nothing to do");
  }

  #happen(number: number, chance: number): void {
    const { below, pick } = this.#random;
    if (chance < 5) {
      const more = Array.from({ length: 1 + below(9) }, (_, index) => {
        const fact = {
          kind: pick(["question", "failed", "stuck"] as const),
          subject: { name: pick(["a", "b", "c", "d"]) },
        };
        return waiting(`n${number}.${index}`, this.#at, fact);
      });
      this.#notices = [...this.#notices, ...more];
    } else if (chance < 7) {
      const end = (one: NoticeRecord): NoticeRecord => ({ ...one, state: "over", answered: below(2) === 0 });
      this.#notices = this.#notices.map((one) => (below(3) === 0 ? end(one) : one));
    } else if (chance === 7) this.#seen = this.#at + below(30_000);
  }

  #plan() {
    const seenUntil = () => (this.#seen > this.#at ? this.#seen : undefined);
    return schedule({ notices: this.#notices, notify: this.notify, seenUntil, now: { at: this.#at, minute: 720 } });
  }

  #record(action: Action): void {
    if (action.do === "hold" || action.do === "drop") return;
    assert.ok(this.#seen <= this.#at, "nobody looks");
    if (action.do === "escalate") this.escalated.push(action.notice.id);
    else if (action.do === "tell") this.tellings.push({ at: this.#at, ids: [action.notice.id] });
    else this.tellings.push({ at: this.#at, ids: action.members.map(({ id }) => id) });
  }
}

function waiting(id: string, at: number, fact: Pick<NoticeRecord["fact"], "kind" | "subject">): NoticeRecord {
  return { id, tag: id, fact: { ...fact, key: id, words: "asks" }, at, state: "waiting", why: "", sends: [] };
}

function carriedOut(notices: readonly NoticeRecord[], action: Action, at: number): readonly NoticeRecord[] {
  const send: Send = { to: "phone", kind: "telegram", state: "sent", attempts: 1, at };
  const put = (id: string, change: Partial<NoticeRecord>) =>
    notices.map((one) => (one.id === id ? { ...one, ...change } : one));
  switch (action.do) {
    case "tell":
      return put(action.notice.id, { state: "told", toldAt: at, sends: [send] });
    case "escalate": {
      const sends = [...action.notice.sends, { ...send, to: action.channel, escalated: true as const }];
      return put(action.notice.id, { escalatedAt: at, sends });
    }
    case "digest": {
      const members = action.members.map(({ id }) => id);
      const [first] = action.members;
      assert.ok(first);
      const digest: NoticeRecord = { ...first, id: `d${at}`, state: "told", toldAt: at, members, sends: [send] };
      const told = { state: "told", toldAt: at, digest: digest.id } as const;
      return [...notices.map((one) => (members.includes(one.id) ? { ...one, ...told } : one)), digest];
    }
    case "drop":
      return put(action.notice.id, { state: "over" });
    case "hold":
      return put(action.notice.id, { why: action.why });
  }
}
