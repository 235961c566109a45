import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { WebSocket } from "ws";
import { temporaryFolder } from "../support/folder.ts";
import { ask, failureIn, json } from "./support/ask.ts";
import { browserAt } from "./support/browser.ts";
import { type ServedOptions, served } from "./support/served.ts";

describe("a browser", () => {
  test("is logged in by a link, once, by a key of its own; no cookie is set", async (t) => {
    const { port, logins } = await served(t);
    const { secret } = logins.link("send", 10);
    const browser = await browserAt(port);
    const wrong = await ask(port, json("POST", "/login", { link: secret, key: "AAAA" }));
    assert.equal(failureIn(wrong).code, "bad_input", "and the link is not used up");
    const answer = await browser.logIn({ link: secret });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers["set-cookie"], undefined);
    const again = await browser.logIn({ link: secret });
    assert.equal(failureIn(again).code, "unauthorized");
    assert.match(failureIn(again).hint, /paneward login link/);
    const { session } = await browser.open(JSON.parse(answer.text).login);
    const headers = { authorization: `Bearer ${session}` };
    assert.equal((await ask(port, { path: "/api/ping", headers })).status, 200);
    for (const path of [`/api/ping?token=${session}`, `/api/ping?authorization=Bearer%20${session}`])
      assert.equal((await ask(port, { path })).status, 401, "never in a query");
    const cookie = { cookie: `paneward_${port}=${session}` };
    assert.equal((await ask(port, { path: "/api/ping", headers: cookie })).status, 401);
  });

  test("opens a session only by its own signature of a fresh challenge of this daemon, once", async (t) => {
    const { port, logins, clock } = await served(t);
    const [browser, stranger] = [await browserAt(port), await browserAt(port)];
    const { login } = JSON.parse((await browser.logIn({ link: logins.link("read", 10).secret })).text);
    const tryWith = async (challenge: string, signature: string) =>
      (await ask(port, json("POST", "/session", { login, challenge, signature }))).status;
    const once = await browser.challenge();
    const signature = await browser.sign(login, once);
    assert.equal(await tryWith(once, signature), 200);
    assert.equal(await tryWith(once, signature), 401, "a second time");
    const second = await browser.challenge();
    assert.equal(await tryWith(second, await stranger.sign(login, second)), 401, "another key");
    const third = await browser.challenge();
    assert.equal(await tryWith(third, await browser.sign(login, third, "127.0.0.1:1")), 401, "signed for elsewhere");
    assert.equal(await tryWith("made-up", await browser.sign(login, "made-up")), 401, "not a challenge of this daemon");
    const late = await browser.challenge();
    clock.value += 61_000;
    assert.equal(await tryWith(late, await browser.sign(login, late)), 401, "too late");
  });

  test("that opens many sessions ends its own oldest ones, and none of another browser", async (t) => {
    const { port, logins } = await served(t);
    const [one, other] = [await browserAt(port), await browserAt(port)];
    const { headers: others } = await other.enter({ link: logins.link("read", 10).secret });
    const { headers: first, id } = await one.enter({ link: logins.link("read", 10).secret });
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await ask(port, { path: "/api/ping", headers })).status;
    for (let count = 1; count < 64; count++) await one.open(id);
    assert.equal(await status(first), 200);
    await one.open(id);
    assert.deepEqual([await status(first), await status(others)], [401, 200]);
  });

  test("a session ends with the daemon that opened it", async (t) => {
    const folder = await temporaryFolder(t);
    const first = await served(t, { folder });
    const browser = await browserAt(first.port);
    const { headers, id } = await browser.enter({ link: first.logins.link("read", 10).secret });
    await first.listening.close();
    const second = await served(t, { folder, store: first.store, port: first.port });
    assert.equal((await ask(second.port, { path: "/api/ping", headers })).status, 401);
    const { session } = await browser.open(id);
    const renewed = { authorization: `Bearer ${session}` };
    assert.equal((await ask(second.port, { path: "/api/ping", headers: renewed })).status, 200);
  });

  test("is refused with an expired link, a wrong one, and a token that was revoked", async (t) => {
    const { port, logins, clock, token, store } = await served(t);
    const browser = await browserAt(port);
    const { secret } = logins.link("admin", 1);
    clock.value += 60_000;
    const tries: object[] = [{ link: secret }, { link: "x" }, { token: "pw_0_0" }];
    for (const body of tries) assert.equal(failureIn(await browser.logIn(body)).code, "unauthorized");
    assert.equal(failureIn(await browser.logIn({})).code, "bad_input");
    const shown = token("read");
    const { headers } = await browser.enter({ token: shown });
    assert.equal((await ask(port, { path: "/api/ping", headers })).status, 200);
    store.write((writer) => writer.removeToken(shown.split("_")[1] ?? ""));
    assert.equal((await ask(port, { path: "/api/ping", headers })).status, 401, "its token is gone");
  });

  test("has only its scope, and is logged out at once when its login is revoked, expired or ended", async (t) => {
    const { port, logins, clock } = await served(t);
    const browser = await browserAt(port);
    const enter = () => browser.enter({ link: logins.link("read", 10).secret });
    const status = async (headers: Record<string, string>) => (await ask(port, { path: "/api/ping", headers })).status;
    const first = await enter();
    const send = json("POST", "/api/terminals/t1/send", { text: "x" });
    const refused = await ask(port, { ...send, headers: { ...send.headers, ...first.headers } });
    assert.equal(failureIn(refused).code, "not_allowed");
    logins.revoke(first.id);
    assert.equal(await status(first.headers), 401);
    const second = await enter();
    const out = json("POST", "/logout", {});
    await ask(port, { ...out, headers: { ...out.headers, ...second.headers } });
    assert.equal(await status(second.headers), 401);
    const third = await enter();
    clock.value += 30 * 24 * 3_600_000;
    assert.equal(await status(third.headers), 401);
    assert.deepEqual(logins.list(), []);
  });
});

describe("the dashboard's files", () => {
  test("are served without a login, with a strict policy; other files of the folder are not", async (t) => {
    const folder = await temporaryFolder(t);
    mkdirSync(join(folder, "web", "assets"), { recursive: true });
    writeFileSync(join(folder, "web", "index.html"), "<!doctype html>");
    writeFileSync(join(folder, "web", "assets", "main-ABC.js"), "1");
    writeFileSync(join(folder, "secret.js"), "2");
    const { port } = await served(t, { web: join(folder, "web") });
    const page = await ask(port, { path: "/" });
    assert.equal(page.text, "<!doctype html>");
    assert.match(
      String(page.headers["content-security-policy"]),
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    assert.equal(page.headers["cache-control"], "no-cache");
    const elsewhere = await ask(port, { path: "/?x=1", headers: { host: `LocalHost:${port}` } });
    assert.deepEqual([elsewhere.status, elsewhere.headers.location], [307, `http://127.0.0.1:${port}/`]);
    for (const [path, headers] of [
      ["/assets/main-ABC.js", { host: `localhost:${port}` }],
      ["/", { host: `localhost:${port}`, origin: "https://evil.test" }],
      ["/", { host: "localhost" }],
      ["/", { host: `[::1]:${port}` }],
    ] as const) {
      assert.equal((await ask(port, { path, headers })).status, 403, path);
    }
    const script = await ask(port, { path: "/assets/main-ABC.js" });
    assert.match(String(script.headers["cache-control"]), /immutable/);
    for (const path of ["/assets/..%2f..%2fsecret.js", "/assets/.hidden", "/assets/none.js"]) {
      assert.notEqual((await ask(port, { path })).status, 200, path);
    }
  });

  test("a name that no file can have is not found", async (t) => {
    const folder = await temporaryFolder(t);
    mkdirSync(join(folder, "assets", "deeper"), { recursive: true });
    writeFileSync(join(folder, "assets", "main-ABC.js"), "1");
    const { port } = await served(t, { web: folder });
    for (const name of ["x".repeat(255), "x".repeat(256), "x".repeat(5_000), "deeper", "main-ABC.js%2fx"]) {
      assert.equal((await ask(port, { path: `/assets/${name}` })).status, 404, name);
    }
  });
});

describe("a WebSocket", () => {
  const opened = (address: string, headers: Record<string, string>, protocols: readonly string[] = []) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(address, [...protocols], { headers });
      socket.on("message", (data) => {
        resolve(data.toString());
        socket.close();
      });
      socket.on("unexpected-response", (_request, answer) => resolve(String(answer.statusCode)));
      socket.on("error", () => {});
    });

  test("with events needs a login, our Host and our Origin", async (t) => {
    const { port, logins, token } = await served(t);
    const { headers } = await (await browserAt(port)).enter({ link: logins.link("read", 9).secret });
    const session = ["paneward.v1", headers.authorization.replace("Bearer ", "bearer.")];
    const address = `ws://127.0.0.1:${port}/api/events/ws`;
    const origin = `http://127.0.0.1:${port}`;
    assert.match(await opened(address, { origin }, session), /event: heartbeat/);
    assert.match(await opened(address, { authorization: `Bearer ${token("read")}` }), /event: heartbeat/);
    assert.equal(await opened(address, { origin }), "401");
    assert.equal(await opened(address, { origin }, ["paneward.v1", "bearer.pws_wrong"]), "401");
    assert.equal(await opened(address, {}, session), "403", "a session without an Origin is no page of ours");
    assert.equal(await opened(address, { origin: "https://evil.example" }, session), "403");
    assert.equal(await opened(address, { origin, host: `evil.example:${port}` }, session), "403");
    assert.equal(await opened(`ws://127.0.0.1:${port}/api/nothing`, { origin }, session), "404");
  });

  test("never answers with the protocol that holds the session", async (t) => {
    const { port, logins } = await served(t);
    const { headers } = await (await browserAt(port)).enter({ link: logins.link("read", 9).secret });
    const origin = `http://127.0.0.1:${port}`;
    const offered = [headers.authorization.replace("Bearer ", "bearer."), "paneward.v1"];
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/events/ws`, offered, { headers: { origin } });
    await once(socket, "open");
    assert.equal(socket.protocol, "paneward.v1");
    socket.terminate();
  });

  test("and an event stream end at once when their token is revoked; those of other tokens continue", async (t) => {
    const handlers: ServedOptions["handlers"] = {
      token_revoke: async ({ id }) => {
        store.write((writer) => writer.removeToken(id));
        return { revoked: id };
      },
    };
    const { port, token, store } = await served(t, { handlers });
    const tokens = [token("read"), token("read")] as const;
    const open = async (mine: string) => {
      const headers = { authorization: `Bearer ${mine}` };
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/events/ws`, { headers });
      const closed = new Promise<number>((resolve) => socket.on("close", resolve));
      await once(socket, "message");
      const answer = await fetch(`http://127.0.0.1:${port}/api/events/stream`, { headers });
      const reader = answer.body?.getReader();
      await reader?.read();
      const ended = reader?.read().then(
        ({ done }) => done,
        () => true,
      );
      t.after(() => {
        socket.terminate();
        void reader?.cancel().catch(() => {});
      });
      return { socket, closed, ended };
    };
    const [revoked, other] = [await open(tokens[0]), await open(tokens[1])];
    const done = await ask(port, {
      method: "DELETE",
      path: `/api/tokens/${tokens[0].split("_")[1]}`,
      headers: { authorization: `Bearer ${token("admin")}` },
    });
    assert.equal(done.status, 200, done.text);
    assert.equal(await revoked.closed, 4_401);
    assert.equal(await revoked.ended, true);
    other.socket.ping();
    await once(other.socket, "pong");
  });
});
