import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defaultConfig, mergeConfig } from "./config.ts";

function read(notify: unknown, more: { readonly ofRepository?: boolean } = {}) {
  const { config, warnings } = mergeConfig([{ name: "f", value: { notify }, ...more }]);
  return { notify: config.notify, warnings };
}

const unused = "The channel is not used";

test("a time zone that there is not, and an address that is none, are left out with a warning", () => {
  const good = read({ time_zone: "Europe/Berlin", url: "https://box.example.org" });
  assert.deepEqual(
    [good.notify.time_zone, good.notify.url, good.warnings],
    ["Europe/Berlin", "https://box.example.org", []],
  );
  const { notify, warnings } = read({ time_zone: "Mars/Olympus", url: "box" });
  assert.deepEqual([notify.time_zone, notify.url], [undefined, undefined]);
  assert.deepEqual(warnings, [
    'f: notify.time_zone should be a time zone, such as "Europe/Berlin"; the value is ignored',
    "f: notify.url should be an address that begins with https:// or http://; the value is ignored",
  ]);
});

describe("channels in the configuration", () => {
  test("have the keys of their kind, with defaults", () => {
    const { notify, warnings } = read({
      channels: { phone: { kind: "telegram", token: "1:x", chat: 42, text: "full" }, desk: { kind: "desktop" } },
    });
    assert.deepEqual(warnings, []);
    assert.deepEqual(notify.channels, {
      phone: { kind: "telegram", token: "1:x", chat: "42", text: "full", server: "https://api.telegram.org" },
      desk: { kind: "desktop", text: "full" },
    });
  });

  test("take a secret from a file or a program", () => {
    const { notify, warnings } = read({
      channels: { a: { kind: "slack", url_file: "~/s" }, b: { kind: "ntfy", topic_command: ["pass", "ntfy"] } },
    });
    assert.deepEqual(warnings, []);
    assert.deepEqual([notify.channels.a?.url_file, notify.channels.b?.topic_command], ["~/s", ["pass", "ntfy"]]);
  });

  const mistakes: readonly (readonly [string, unknown, string])[] = [
    ["no table", 3, `f: notify.channels.c should be a table. ${unused}`],
    [
      "no kind",
      {},
      "f: notify.channels.c.kind is missing; there are desktop, terminal, command, ntfy, telegram, slack, discord, pushover, web_push, webhook",
    ],
    [
      "a kind that is misspelt",
      { kind: "telegramm" },
      'f: notify.channels.c.kind is unknown: "telegramm"; did you mean "telegram"?',
    ],
    [
      "a key that is misspelt",
      { kind: "ntfy", topik: "x" },
      'f: unknown key notify.channels.c.topik; did you mean "topic"?',
    ],
    ["a key that is missing", { kind: "slack" }, "f: notify.channels.c.url is missing: the webhook's address"],
    [
      "a key twice",
      { kind: "slack", url: "https://x", url_file: "y" },
      "f: notify.channels.c: give only one of url, url_file",
    ],
    ["a value of another type", { kind: "ntfy", topic: 3 }, "f: notify.channels.c.topic should be a string"],
    [
      "an address that is none",
      { kind: "webhook", url: "example.org" },
      "f: notify.channels.c.url should be an address that begins with https:// or http://",
    ],
    [
      "nobody whom a push service may ask",
      { kind: "web_push", subject: "me" },
      "f: notify.channels.c.subject should be an address that begins with mailto: or https:",
    ],
    [
      "a push service that is an address",
      { kind: "web_push", hosts: ["https://push.example.org/"] },
      "f: notify.channels.c.hosts should be a list of hosts, such as push.example.org",
    ],
    [
      "a program without a name",
      { kind: "command", command: [] },
      "f: notify.channels.c.command should be a list of strings, a program and its arguments",
    ],
    [
      "an unknown level of text",
      { kind: "desktop", text: "all" },
      "f: notify.channels.c.text should be one of none, title, full",
    ],
  ];
  for (const [name, channel, warning] of mistakes) {
    test(`with ${name} are not used, and the others are`, () => {
      const { notify, warnings } = read({ channels: { c: channel, desk: { kind: "desktop" } } });
      assert.deepEqual(Object.keys(notify.channels), ["desk"]);
      assert.equal(warnings.length, 1);
      assert.ok(String(warnings[0]).startsWith(warning.replace(`. ${unused}`, "")), String(warnings[0]));
    });
  }

  test("of a repository are ignored, with everything else about notices", () => {
    const { notify, warnings } = read(
      { channels: { c: { kind: "webhook", url: "https://evil" } }, rules: [] },
      { ofRepository: true },
    );
    assert.deepEqual(notify, defaultConfig.notify);
    assert.ok(
      warnings.length > 0 &&
        warnings.every((warning) => warning.endsWith("is ignored here: only your own file sets it")),
    );
  });
});

describe("rules in the configuration", () => {
  test("are taken as they are written", () => {
    const rules = [{ kinds: ["question"], project: "shop", channels: [], quiet: ["22:00-07:00"], dwell_seconds: 0 }];
    assert.deepEqual(read({ rules }), { notify: { ...defaultConfig.notify, rules }, warnings: [] });
  });

  const mistakes: readonly (readonly [object, RegExp])[] = [
    [{ kind: ["question"] }, /unknown key notify\.rules\[1\]\.kind; did you mean "kinds"\?/],
    [{ kinds: ["questions"] }, /holds "questions"; there are question, failed/],
    [{ quiet: ["22-7"] }, /holds "22-7", which is not like "22:00-07:30"/],
    [{ escalate_minutes: 0 }, /should be a number from 0\.01 to 10080/],
    [{ channels: "phone" }, /should be a list of strings/],
  ];
  for (const [rule, warning] of mistakes) {
    test(`${JSON.stringify(rule)} is left out, so that it sends nothing that it should not`, () => {
      const { notify, warnings } = read({ rules: [rule, { channels: [] }] });
      assert.deepEqual(notify.rules, [{ channels: [] }]);
      assert.match(warnings.join(), warning);
    });
  }
});
