import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { WebSocket } from "ws";
import { temporaryFolder } from "../support/folder.ts";
import { ask, failureIn, json } from "./support/ask.ts";
import { type ServedOptions, served } from "./support/served.ts";

const cookieIn = (answer: { readonly headers: Readonly<Record<string, unknown>> }) =>
  String(answer.headers["set-cookie"]).split(";")[0] ?? "";

describe("a browser", () => {
  test("is logged in by a link, once, with a cookie that scripts and other sites cannot read", async (t) => {
    const { port, logins } = await served(t);
    const { secret } = logins.link("send", 10);
    const answer = await ask(port, json("POST", "/login", { link: secret }));
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers["set-cookie"]), /HttpOnly; SameSite=Strict$/);
    assert.match(String(answer.headers["set-cookie"]), /^paneward_\d+=pw_.*Max-Age=2592000/);
    const again = await ask(port, json("POST", "/login", { link: secret }));
    assert.equal(failureIn(again).code, "unauthorized");
    assert.match(failureIn(again).hint, /paneward login link/);
    const cookie = cookieIn(answer);
    assert.equal((await ask(port, { path: "/api/ping", headers: { cookie } })).status, 200);
    const foreign = await ask(port, { path: "/api/ping", headers: { cookie, "sec-fetch-site": "same-site" } });
    assert.equal(failureIn(foreign).code, "unauthorized", "another port of this machine is the same site");
  });

  test("is refused with an expired link, a wrong one, and a token that was revoked", async (t) => {
    const { port, logins, clock, token, store } = await served(t);
    const { secret } = logins.link("admin", 1);
    clock.value += 60_000;
    const tries: object[] = [{ link: secret }, { link: "x" }, { token: "pw_0_0" }];
    for (const body of tries)
      assert.equal(failureIn(await ask(port, json("POST", "/login", body))).code, "unauthorized");
    assert.equal(failureIn(await ask(port, json("POST", "/login", {}))).code, "bad_input");
    const shown = token("read");
    const cookie = cookieIn(await ask(port, json("POST", "/login", { token: shown })));
    assert.equal((await ask(port, { path: "/api/ping", headers: { cookie } })).status, 200);
    store.write((writer) => writer.removeToken(shown.split("_")[1] ?? ""));
    assert.equal((await ask(port, { path: "/api/ping", headers: { cookie } })).status, 401, "its token is gone");
  });

  test("has only its scope, and is logged out at once when its login is revoked, expired or ended", async (t) => {
    const { port, logins, clock } = await served(t);
    const enter = async () => {
      const answer = await ask(port, json("POST", "/login", { link: logins.link("read", 10).secret }));
      return { cookie: cookieIn(answer), id: JSON.parse(answer.text).login as string };
    };
    const status = async (cookie: string) => (await ask(port, { path: "/api/ping", headers: { cookie } })).status;
    const first = await enter();
    const send = json("POST", "/api/terminals/t1/send", { text: "x" });
    const refused = await ask(port, { ...send, headers: { ...send.headers, cookie: first.cookie } });
    assert.equal(failureIn(refused).code, "not_allowed");
    logins.revoke(first.id);
    assert.equal(await status(first.cookie), 401);
    const second = await enter();
    const out = json("POST", "/logout", {});
    await ask(port, { ...out, headers: { ...out.headers, cookie: second.cookie } });
    assert.equal(await status(second.cookie), 401);
    const third = await enter();
    clock.value += 30 * 24 * 3_600_000;
    assert.equal(await status(third.cookie), 401);
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
    const script = await ask(port, { path: "/assets/main-ABC.js" });
    assert.match(String(script.headers["cache-control"]), /immutable/);
    for (const path of ["/assets/..%2f..%2fsecret.js", "/assets/.hidden", "/assets/none.js"]) {
      assert.notEqual((await ask(port, { path })).status, 200, path);
    }
  });
});

describe("a WebSocket", () => {
  const opened = (address: string, headers: Record<string, string>) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(address, { headers });
      socket.on("message", (data) => {
        resolve(data.toString());
        socket.close();
      });
      socket.on("unexpected-response", (_request, answer) => resolve(String(answer.statusCode)));
      socket.on("error", () => {});
    });

  test("with events needs a login, our Host and our Origin", async (t) => {
    const { port, logins, token } = await served(t);
    const cookie = cookieIn(await ask(port, json("POST", "/login", { link: logins.link("read", 9).secret })));
    const address = `ws://127.0.0.1:${port}/api/events/ws`;
    const origin = `http://127.0.0.1:${port}`;
    assert.match(await opened(address, { cookie, origin }), /event: heartbeat/);
    assert.match(await opened(address, { authorization: `Bearer ${token("read")}` }), /event: heartbeat/);
    assert.equal(await opened(address, { origin }), "401");
    assert.equal(await opened(address, { cookie }), "403", "a cookie without an Origin is no page of ours");
    assert.equal(await opened(address, { cookie, origin: "https://evil.example" }), "403");
    assert.equal(await opened(address, { cookie, origin, host: `evil.example:${port}` }), "403");
    assert.equal(await opened(`ws://127.0.0.1:${port}/api/nothing`, { cookie, origin }), "404");
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
