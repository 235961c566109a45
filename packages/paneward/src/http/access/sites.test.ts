import assert from "node:assert/strict";
import { test } from "node:test";
import type { Via } from "../env.ts";
import { createSites } from "./sites.ts";

const port = 7_420;
const tcp: Via = { kind: "tcp", port };
const own = `127.0.0.1:${port}`;
const outside = "box.example";
const origins = ["https://box.example", "https://box.example:8443", "http://127.0.0.1:9000"];
const sites = createSites({ origins, funnel: false });

type Headers = Readonly<Record<string, string>>;
const facts = (headers: Headers, via: Via = tcp) => ({ via, header: (name: string) => headers[name] });
const refusal = (headers: Headers) => sites.refusalOf(facts(headers));

test("a request is answered for exactly one origin: the one of its Host", () => {
  const names = [own, outside, "box.example:8443", "127.0.0.1:9000"];
  const all = [`http://${own}`, ...origins];
  for (const [at, host] of names.entries()) {
    assert.equal(refusal({ host }), undefined, host);
    assert.equal(sites.of(facts({ host }))?.origin, all[at]);
    for (const origin of [...all, `http://${outside}`, `https://${own}`, "null", "https://evil.test", ""]) {
      const found = refusal({ host, origin });
      if (origin === all[at]) assert.equal(found, undefined, `${host} ${origin}`);
      else assert.match(found?.message ?? "", /^requests with this Origin are refused$/, `${host} ${origin}`);
    }
  }
});

test("every other Host is refused, however close it is", () => {
  const close = [
    ...["evil.test", "localhost", `localhost:${port}`, `[::1]:${port}`, "127.0.0.1", "127.0.0.1:1", "", "Box.example"],
    ...[
      "box.example.",
      "box.example:443",
      "box.example:80",
      "box.example:7420",
      "box.example.evil.test",
      "xbox.example",
    ],
    ...["box.example, evil.test", "box.example@evil.test", "https://box.example", "box.example/", " box.example"],
    ...["constructor", "__proto__", "undefined"],
  ];
  for (const host of close) {
    assert.match(refusal({ host })?.message ?? "", /^requests with this Host are refused$/, host);
    assert.equal(sites.of(facts({ host })), undefined, host);
    assert.ok(refusal({ host, origin: "https://box.example" }), host);
  }
  assert.ok(refusal({}), "no Host");
});

test("what a proxy says of a request makes it no other one", () => {
  const claims = {
    ...{ "x-forwarded-host": outside, "x-forwarded-proto": "https", "x-forwarded-for": "127.0.0.1" },
    ...{ forwarded: `host=${outside};proto=https`, "x-real-ip": "127.0.0.1", "x-original-host": outside },
  };
  assert.ok(refusal({ host: "evil.test", ...claims }));
  assert.ok(refusal({ host: own, origin: "https://box.example", ...claims }));
  assert.equal(sites.of(facts({ host: own, ...claims }))?.origin, `http://${own}`);
});

test("what is wrong in a proxy is in the hint, and names none of the configured origins", () => {
  const hint = (headers: Headers) => refusal(headers)?.hint ?? "";
  assert.match(hint({ host: own, origin: "https://box.example" }), /proxy_set_header Host \$http_host/);
  assert.match(hint({ host: "upstream", origin: "https://box.example" }), /proxy_set_header Host \$http_host/);
  assert.match(hint({ host: "other.example" }), /`origins` under \[web\]/);
  for (const headers of [{ host: "other.example" }, { host: own, origin: "https://other.example" }])
    assert.doesNotMatch(hint(headers), /box|9000/);
});

test("what another site asks for is refused, except a link that a person follows", () => {
  for (const site of ["cross-site", "same-site"]) {
    const asked = { host: outside, "sec-fetch-site": site };
    assert.match(refusal(asked)?.message ?? "", /Sec-Fetch-Site/);
    assert.match(
      refusal({ ...asked, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" })?.message ?? "",
      /Sec-Fetch-Site/,
    );
    assert.equal(refusal({ ...asked, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }), undefined);
  }
});

test("Tailscale Funnel is refused unless the configuration allows it", () => {
  const headers = { host: outside, "tailscale-funnel-request": "?1" };
  assert.match(refusal(headers)?.message ?? "", /Tailscale Funnel are refused/);
  assert.equal(createSites({ origins, funnel: true }).refusalOf(facts(headers)), undefined);
});

test("localhost redirects to the address that the daemon proves itself under", () => {
  const to = (host: string, method = "GET", path = "/", more: Headers = {}) =>
    sites.redirect(facts({ host, ...more }), method, path);
  assert.equal(to(`localhost:${port}`), `http://${own}/`);
  assert.equal(to("LOCALHOST:9000"), "http://127.0.0.1:9000/");
  for (const host of ["localhost:1", "localhost", "box.example", own, "evil.test"]) assert.equal(to(host), undefined);
  assert.equal(to(`localhost:${port}`, "POST"), undefined);
  assert.equal(to(`localhost:${port}`, "GET", "/api/ps"), undefined);
  assert.equal(to(`localhost:${port}`, "GET", "/", { origin: "http://evil.test" }), undefined);
});

test("on the Unix socket a request shows that no proxy passed it on", () => {
  const unix: Via = { kind: "unix" };
  const onSocket = (headers: Headers) => sites.refusalOf(facts(headers, unix))?.code;
  const good = { host: "paneward", connection: "paneward_direct", paneward_direct: "1" };
  assert.equal(onSocket(good), undefined);
  assert.equal(onSocket({ ...good, connection: "Upgrade, paneward_direct", upgrade: "paneward-calls" }), undefined);
  for (const [name, value] of [
    ...["localhost", "box.example", own, "paneward, paneward", "paneward:80", ""].map(
      (host) => ["host", host] as const,
    ),
    ...["close", "keep-alive", "", "xpaneward_direct"].map((list) => ["connection", list] as const),
    ...["0", "", "1, 1"].map((mark) => ["paneward_direct", mark] as const),
  ]) {
    assert.equal(onSocket({ ...good, [name]: value }), "bad_input", `${name}: ${value}`);
    const { [name]: _left, ...rest } = good;
    assert.equal(onSocket(rest), "bad_input", `no ${name}`);
  }
  for (const name of ["x-forwarded-for", "forwarded", "via", "tailscale-user-login", "x-real-ip", "origin", "cf-ray"])
    assert.equal(onSocket({ ...good, [name]: "x" }), "not_allowed", name);
});
