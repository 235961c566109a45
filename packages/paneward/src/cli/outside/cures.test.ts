import assert from "node:assert/strict";
import { test } from "node:test";
import { type Between, betweenOf, cureOf, type Trouble } from "./cures.ts";

test("what is between is read from headers, or from the name if they say nothing", () => {
  const at = (url: string, headers = {}) => betweenOf(new URL(url), headers);
  const box = "https://box.example.org";
  assert.equal(at(box, { server: "nginx/1.22.1" }), "nginx");
  assert.equal(at(box, { server: "Caddy" }), "caddy");
  assert.equal(at(box, { via: "1.1 Caddy" }), "caddy");
  assert.equal(at(box, { server: "cloudflare", "cf-ray": "8" }), "cloudflared");
  assert.equal(at("https://some-words.trycloudflare.com"), "cloudflared");
  assert.equal(at("https://box.tailnet.ts.net"), "tailscale");
  assert.equal(at("https://box.tailnet.ts.net", { server: "nginx" }), "nginx");
  assert.equal(at("http://127.0.0.1:9000"), "ssh");
  assert.equal(at(box), "unknown");
});

test("every trouble has a cure, with the port of the daemon; for what is unknown, that of each proxy it may be", () => {
  const troubles: readonly Trouble[] = [
    ...(["unreached", "untrusted", "nothing behind", "host", "origin", "upgrade", "held back", "cut"] as const),
  ];
  const all: readonly Between[] = ["nginx", "caddy", "tailscale", "cloudflared", "ssh", "unknown"];
  for (const trouble of troubles) {
    for (const between of all) assert.ok(cureOf(trouble, between, 7_420).length > 10, `${trouble} ${between}`);
    assert.match(cureOf(trouble, "unknown", 7_420), /nginx: .*; caddy: /);
  }
  assert.equal(cureOf("nothing behind", "nginx", 9_000), "`proxy_pass http://127.0.0.1:9000;`");
  assert.match(cureOf("host", "tailscale", 7_420), /^`tailscale serve --bg 7420`, and not `unix:/);
});
