import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Config, NoticeKind, NotifyRule } from "@paneward/sdk";
import { defaultConfig } from "@paneward/sdk/config";
import type { Fact } from "./notice.ts";
import { minuteIn, quietUntil } from "./quiet.ts";
import { routeOf, unknownChannels } from "./rules.ts";

const phone = { kind: "ntfy", text: "title" } as const;

function notify(rules: readonly NotifyRule[]): Config["notify"] {
  return { ...defaultConfig.notify, channels: { phone, desk: phone, loud: phone }, rules };
}

function fact(kind: NoticeKind = "question", subject: Partial<Fact["subject"]> = {}): Fact {
  const own = { name: "fix-login", task: 3, terminal: "t1", project: "/work/shop", agent: "claude", ...subject };
  return { key: "k", kind, subject: own, words: "w" };
}

describe("who gets a notice", () => {
  const told = (rules: readonly NotifyRule[], one = fact()) =>
    routeOf(notify(rules), one)?.channels.join(" ") ?? "nobody";

  test("without a rule: all channels, of what is usual", () => {
    assert.equal(told([]), "phone desk loud");
    assert.equal(told([], fact("idle")), "nobody");
    assert.equal(told([], fact("ended")), "nobody");
  });

  const cases: readonly (readonly [string, NotifyRule, string])[] = [
    ["by kind", { kinds: ["question"], channels: ["phone"] }, "phone"],
    ["by another kind", { kinds: ["failed"], channels: ["phone"] }, "phone desk loud"],
    ["by the repository's folder", { project: "/work/shop", channels: ["phone"] }, "phone"],
    ["by its name", { project: "shop", channels: ["phone"] }, "phone"],
    ["by a part of its name", { project: "sho", channels: ["phone"] }, "phone desk loud"],
    ["by a name with a star", { task: "fix-*", channels: ["phone"] }, "phone"],
    ["by the task's number", { task: "3", channels: ["phone"] }, "phone"],
    ["by the agent", { agent: "claude", channels: ["phone"] }, "phone"],
    ["by what looks like a pattern", { task: "fix.login", channels: ["phone"] }, "phone desk loud"],
    ["nobody", { channels: [] }, "nobody"],
    ["a channel that there is not", { channels: ["pager"] }, "nobody"],
    [
      "no channel that there is: the next one, at once",
      { channels: ["pager"], escalate: ["horn", "loud", "desk"] },
      "loud",
    ],
    ["nobody, whatever would follow", { channels: [], escalate: ["loud"] }, "nobody"],
    ["all channels follow", { escalate: ["phone", "desk", "loud"] }, "phone"],
    ["a channel to escalate to is not told at first", { escalate: ["loud"] }, "phone desk"],
  ];
  for (const [name, rule, expected] of cases) test(name, () => assert.equal(told([rule]), expected));

  test("the first rule that fits decides", () => {
    assert.equal(
      told([{ task: "other" }, { kinds: ["question"], channels: ["desk"] }, { channels: ["phone"] }]),
      "desk",
    );
  });

  test("channels that rules name and that there are not are known", () => {
    assert.deepEqual(unknownChannels(notify([{ channels: ["phone", "pager"], escalate: ["pager", "horn"] }])), [
      "pager",
      "horn",
    ]);
  });
});

describe("quiet hours", () => {
  const hour = 3_600_000;
  const cases: readonly (readonly [readonly string[], number, number | undefined])[] = [
    [["22:00-07:00"], 23, 8],
    [["22:00-07:00"], 6, 1],
    [["22:00-07:00"], 7, undefined],
    [["22:00-07:00"], 12, undefined],
    [["12:00-13:00"], 12.5, 0.5],
    [["12:00-12:00"], 12, undefined],
    [["12:00-14:00", "13:00-15:00"], 13.5, 1.5],
    [[], 3, undefined],
  ];
  for (const [hours, now, left] of cases) {
    test(`${hours.join(", ") || "none"} at ${now} o'clock`, () => {
      assert.equal(quietUntil(hours, { at: 5, minute: now * 60 }), left === undefined ? undefined : 5 + left * hour);
    });
  }
});

test("the minute of the day is that of the person, with daylight saving and half hours", () => {
  const winter = Date.parse("2026-01-15T23:30:15Z");
  const summer = Date.parse("2026-07-15T23:30:00Z");
  assert.equal(minuteIn(winter, "UTC"), 23 * 60 + 30.25);
  assert.equal(minuteIn(winter, "Europe/Berlin"), 30.25);
  assert.equal(minuteIn(summer, "Europe/Berlin"), 90);
  assert.equal(minuteIn(summer, "Asia/Kolkata"), 5 * 60);
  const here = new Date(summer);
  assert.equal(minuteIn(summer, undefined), here.getHours() * 60 + here.getMinutes());
});
