import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allows, operationNames, requestOf, routes, scopes } from "@paneward/sdk";
import { createToken, hashOf } from "../../src/runtime/access/tokens.ts";
import { sampleInputs } from "../support/samples.ts";
import { ask, failureIn } from "./support/ask.ts";
import { served } from "./support/served.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("on loopback", () => {
  test("a request needs a token that is known and not revoked", async (t) => {
    const { port, token, store, calls } = await served(t);
    const good = token("read");
    const [, id = "", secret = ""] = good.split("_");
    const { token: stranger } = createToken("0".repeat(32));
    const refused: readonly Record<string, string>[] = [
      {},
      { authorization: good },
      { authorization: `Basic ${good}` },
      bearer(""),
      bearer("x"),
      bearer(stranger),
      bearer(`pw_${id}_${secret.replace(/./g, (digit) => (digit === "0" ? "1" : "0"))}`),
      bearer(`${good}0`),
      bearer(hashOf(good)),
    ];
    for (const headers of refused) {
      const answer = await ask(port, { path: "/api/ping", headers });
      assert.equal(failureIn(answer).code, "unauthorized");
      assert.equal(answer.headers["www-authenticate"], "Bearer");
    }
    assert.equal(calls.length, 0);
    assert.equal((await ask(port, { path: "/api/ping", headers: bearer(good) })).status, 200);
    assert.deepEqual(calls.at(-1)?.caller, { who: `token:${id}`, scope: "read", door: "http" });
    store.write((writer) => writer.removeToken(id));
    assert.equal((await ask(port, { path: "/api/ping", headers: bearer(good) })).status, 401);
  });

  test("a WebSocket or a call link takes from the same rate limit as a request", async (t) => {
    const { port, token } = await served(t, { limits: { perSecond: 1, burst: 3 } });
    const headers = bearer(token("read"));
    const key = { "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
    const upgrade = (protocol: string) => ({ ...headers, ...key, connection: "Upgrade", upgrade: protocol });
    assert.equal((await ask(port, { path: "/api/ping", headers })).status, 200);
    for (const path of ["/api/nowhere", "/api/elsewhere"])
      assert.equal((await ask(port, { path, headers: upgrade("websocket") })).status, 404);
    for (const protocol of ["websocket", "paneward-calls"]) {
      const refused = await ask(port, { path: "/api/events/ws", headers: upgrade(protocol) });
      assert.equal(failureIn(refused).code, "rate_limited");
    }
  });

  test("without one, only /healthz answers; unknown routes are refused too", async (t) => {
    const { port, socket } = await served(t);
    for (const path of ["/api/openapi.json", "/metrics", "/api/events/stream", "/nowhere", "/api/ps"]) {
      assert.equal(failureIn(await ask(port, { path })).code, "unauthorized", path);
    }
    for (const address of [port, socket]) {
      const { status, text } = await ask(address, { path: "/healthz" });
      assert.equal(status, 200);
      assert.deepEqual(JSON.parse(text), { status: "ok", version: "1.2.3" });
    }
  });

  test("the last use of a token is stored once a minute", async (t) => {
    const { port, token, store, clock } = await served(t);
    const headers = bearer(token("read"));
    const used = async (at: number) => {
      clock.value = at;
      await ask(port, { path: "/api/ping", headers });
      return store.tokens()[0]?.lastUsedAt;
    };
    assert.equal(await used(1_000_000), 1_000_000);
    assert.equal(await used(1_059_999), 1_000_000);
    assert.equal(await used(1_060_000), 1_060_000);
  });

  test("Host and Origin must be ours", async (t) => {
    const { port, token } = await served(t);
    const status = async (more: Record<string, string>) =>
      (await ask(port, { path: "/api/ping", headers: { ...bearer(token("read")), ...more } })).status;
    assert.equal(await status({ host: `127.0.0.1:${port}` }), 200);
    assert.equal(await status({ origin: `http://127.0.0.1:${port}` }), 200);
    const foreign = [
      // Names that may lead to ::1, where another user can listen on this port.
      ...["localhost", "LOCALHOST", "[::1]"].flatMap((name) => [
        { host: `${name}:${port}` },
        { origin: `http://${name}:${port}` },
      ]),
      { host: `evil.example:${port}` },
      { host: "127.0.0.1" },
      { host: `127.0.0.1:${port + 1}` },
      { host: `127.0.0.1.evil.example:${port}` },
      { origin: "null" },
      { origin: "https://evil.example" },
      { origin: `https://127.0.0.1:${port}` },
      { origin: `http://127.0.0.1:${port}.evil.example` },
      { origin: `http://127.0.0.1:${port + 1}` },
    ];
    for (const headers of foreign) {
      const answer = await ask(port, { path: "/healthz", headers });
      assert.equal(failureIn(answer).code, "not_allowed", JSON.stringify(headers));
      assert.equal(await status(headers), 403);
    }
  });

  test("a page of another site is refused also where its browser names no Origin; a link on it may lead here", async (t) => {
    const { port, token } = await served(t);
    const status = async (path: string, headers: Record<string, string>) =>
      (await ask(port, { path, headers: { ...bearer(token("read")), ...headers } })).status;
    const identity = `/identity?nonce=${"0".repeat(32)}`;
    const image = { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" };
    const frame = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
    const link = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    for (const path of [identity, "/healthz", "/api/ping"]) {
      for (const site of ["cross-site", "same-site"]) {
        const from = { "sec-fetch-site": site };
        const statuses = [image, frame, link].map((how) => status(path, { ...from, ...how }));
        assert.deepEqual(await Promise.all(statuses), [403, 403, 200], `${path} from ${site}`);
      }
      for (const site of ["same-origin", "none"]) assert.equal(await status(path, { "sec-fetch-site": site }), 200);
    }
  });

  for (const scope of scopes) {
    test(`a token for ${scope} allows its operations and none above, before any input is read`, async (t) => {
      const { port, token, calls } = await served(t);
      const headers = { ...bearer(token(scope)), "content-type": "application/json" };
      for (const name of operationNames) {
        const { method, path, body } = requestOf(routes[name], sampleInputs[name]);
        const allowed = allows(scope, routes[name].scope);
        const question = { method, path, headers, ...(body ? { body: allowed ? body : "not JSON" } : {}) };
        const answer = await ask(port, question);
        assert.equal(answer.status, allowed ? 200 : 403, name);
        if (!allowed) assert.equal(failureIn(answer).code, "not_allowed");
      }
      const called = operationNames.filter((name) => allows(scope, routes[name].scope));
      assert.deepEqual(
        calls.map(({ name }) => name),
        called,
      );
    });
  }

  test("too many requests are refused for a while, per caller", async (t) => {
    const { port, socket, token, clock } = await served(t, { limits: { perSecond: 2, burst: 5 } });
    const statuses = async (count: number, headers: Record<string, string>) => {
      const answers = await Promise.all(Array.from({ length: count }, () => ask(port, { path: "/api/ping", headers })));
      return answers.map(({ status }) => status).sort();
    };
    const one = bearer(token("read"));
    const other = bearer(token("read"));
    assert.deepEqual(await statuses(7, one), [200, 200, 200, 200, 200, 429, 429]);
    const answer = await ask(port, { path: "/api/ping", headers: one });
    assert.equal(failureIn(answer).code, "rate_limited");
    assert.equal(answer.headers["retry-after"], "1");
    assert.deepEqual(await statuses(2, other), [200, 200], "another caller is not slowed");
    assert.deepEqual(await statuses(7, {}), [401, 401, 401, 401, 401, 429, 429], "strangers share one bucket");
    assert.deepEqual(await statuses(1, one), [429]);
    clock.value += 1_000;
    assert.deepEqual(await statuses(3, one), [200, 200, 429]);
    const onSocket = await Promise.all(Array.from({ length: 50 }, () => ask(socket, { path: "/api/ping" })));
    assert.ok(onSocket.every(({ status }) => status === 200));
  });
});

describe("on the Unix socket", () => {
  test("the owner may do everything, through every known door", async (t) => {
    const { socket, calls } = await served(t);
    const doorSeen = async (headers: Record<string, string>) => {
      assert.equal((await ask(socket, { path: "/api/tokens", headers })).status, 200);
      return calls.at(-1)?.caller;
    };
    assert.deepEqual(await doorSeen({}), { who: "uid:1000", scope: "admin", door: "http" });
    assert.equal((await doorSeen({ "x-paneward-door": "tui" }))?.door, "tui");
    assert.equal((await doorSeen({ "x-paneward-door": "backdoor" }))?.door, "http");
  });
});
