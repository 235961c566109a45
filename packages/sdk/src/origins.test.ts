import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeConfig } from "./config.ts";
import { originProblem } from "./origins.ts";

const good = [
  "https://box.tailnet.ts.net",
  "https://box.tailnet.ts.net:8443",
  "https://xn--bcher-kva.example",
  "https://192.0.2.7",
  "https://[2001:db8::7]:8443",
  "http://127.0.0.1:9000",
];

const bad: readonly (readonly [origin: string, why: RegExp])[] = [
  ["https://box.example/", /^ends with a slash; write https:\/\/box\.example$/],
  ["https://box.example/paneward", /^has a path; write https:\/\/box\.example$/],
  ["https://box.example?a", /^has a path/],
  ["https://box.example#a", /^has a path/],
  ["https://*.example", /^has a wildcard/],
  ["*", /^has a wildcard/],
  ["https://you:secret@box.example", /^names a user; write https:\/\/box\.example$/],
  ["https://you@box.example", /^names a user/],
  ["https://bücher.example", /write https:\/\/xn--bcher-kva\.example$/],
  ["https://Box.example", /write https:\/\/box\.example$/],
  ["HTTPS://box.example", /write https:\/\/box\.example$/],
  ["https://box.example:443", /write https:\/\/box\.example$/],
  [" https://box.example", /write https:\/\/box\.example$/],
  ["https://box.ex\tample", /write https:\/\/box\.example$/],
  ["https://127.1", /write https:\/\/127\.0\.0\.1$/],
  ["http://box.example", /^is not encrypted; .*write https:\/\/box\.example$/],
  ["http://box.example:8080", /write https:\/\/box\.example:8080$/],
  ["http://127.0.0.2", /^is not encrypted/],
  ["http://localhost:9000", /^may lead to another program; write http:\/\/127\.0\.0\.1:9000$/],
  ["http://[::1]:9000", /write http:\/\/127\.0\.0\.1:9000$/],
  ["box.example", /^is no origin/],
  ["ws://box.example", /^is no origin/],
  ["null", /^is no origin/],
  ["", /^is no origin/],
  [`https://${"a".repeat(400)}`, /^is longer than 300 characters$/],
];

test("an origin is written exactly as a browser sends it", () => {
  for (const origin of good) {
    assert.equal(originProblem(origin), undefined, origin);
    const { host, origin: sent } = new URL(origin);
    assert.equal(origin, sent);
    assert.ok(origin.endsWith(`//${host}`));
  }
  for (const [origin, why] of bad) assert.match(originProblem(origin) ?? "", why, origin);
});

test("each bad origin of the configuration is one warning, and only that one is left out", () => {
  const origins = [...good, ...bad.map(([origin]) => origin), ...good];
  const { config, warnings } = mergeConfig([{ name: "f", value: { web: { origins } } }]);
  assert.deepEqual(config.web.origins, good);
  assert.equal(warnings.length, bad.length);
  for (const warning of warnings) assert.match(warning, /^f: web\.origins: ".*" .*; it is left out$/);
  assert.deepEqual(mergeConfig([{ name: "f", value: { web: { origins: "https://a.example" } } }]).warnings, [
    "f: web.origins should be a list of strings; the value is ignored",
  ]);
});
