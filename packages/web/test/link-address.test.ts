import assert from "node:assert/strict";
import { test } from "node:test";
import { linkAddress } from "../src/terminal/link-address.ts";

test("a link of a terminal is shown and opened in a form that does not mislead", () => {
  const table = [
    ["https://example.com/a?b#c", "https://example.com/a?b#c"],
    ["HTTP://Example.com", "http://example.com/"],
    ["https://bank.example@evil.example/", "https://evil.example/"],
    ["https://b\u0430nk.example/", "https://xn--bnk-6cd.example/"],
    ["https://evil.example/\u202emoc.doog//:sptth", "https://evil.example/%E2%80%AEmoc.doog//:sptth"],
    ["https://evil.example/\u2028\n\nhttps://good.example", "https://evil.example/%E2%80%A8https://good.example"],
    ["javascript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["file:///etc/passwd", undefined],
    ["//example.com", undefined],
    ["", undefined],
  ] as const;
  for (const [address, shown] of table) assert.equal(linkAddress(address), shown, address);
});
