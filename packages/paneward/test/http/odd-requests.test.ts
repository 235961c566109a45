import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { WebSocket } from "ws";
import { ask } from "./support/ask.ts";
import { openRawLink } from "./support/link.ts";
import { served } from "./support/served.ts";

/** Sends text to a port and returns all that comes back until the connection ends. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
    socket.write(text);
  });
}

test("a request that no client of ours would send is refused, and the daemon keeps running", async (t) => {
  const { port, logged } = await served(t);
  const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  const calls = "Connection: Upgrade\r\nUpgrade: paneward-calls\r\n";
  const host = `Host: 127.0.0.1:${port}\r\n`;
  const close = "Connection: close\r\n";
  const cases: readonly (readonly [request: string, status: number])[] = [
    [`GET // HTTP/1.1\r\n${host}${upgrade}`, 401],
    [`GET //[ HTTP/1.1\r\n${host}${upgrade}`, 401],
    [`GET http://[ HTTP/1.1\r\n${host}${upgrade}`, 401],
    [`GET // HTTP/1.1\r\n${host}${calls}`, 401],
    [`GET // HTTP/1.1\r\n${host}${close}`, 401],
    [`GET /api/%zz/%ff HTTP/1.1\r\n${host}${close}`, 401],
    [`TRACE /api/ps HTTP/1.1\r\n${host}${close}`, 401],
    [`OPTIONS * HTTP/1.1\r\n${host}${close}`, 400],
    [`GET http://evil.example/api/ps HTTP/1.1\r\n${host}${close}`, 401],
    [`GET /api/ps HTTP/1.1\r\nHost: a b\r\n${close}`, 400],
    [`GET /api/ps HTTP/1.1\r\n${close}`, 400],
  ];
  for (const [request, status] of cases) {
    const received = await exchange(port, `${request}\r\n`);
    assert.equal(received.split(" ")[1], String(status), `${request}${received}`);
  }
  assert.equal((await ask(port, { path: "/healthz" })).status, 200);
  assert.deepEqual(
    logged.filter(({ level }) => level === "error"),
    [],
  );
});

test("of two Hosts or two Origins none counts, for requests, WebSockets and call links alike", async (t) => {
  const { port, token, calls } = await served(t);
  const [host, origin] = [`Host: 127.0.0.1:${port}\r\n`, `Origin: http://127.0.0.1:${port}\r\n`];
  const bearer = `Authorization: Bearer ${token("admin")}\r\n`;
  const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const [evilHost, evilOrigin] = ["Host: evil.test\r\n", "Origin: https://evil.test\r\n"];
  for (const start of [
    "GET /api/whoami HTTP/1.1\r\nConnection: close\r\n",
    `GET /api/events/ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}`,
    "GET /api/calls HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: paneward-calls\r\n",
  ]) {
    for (const odd of [
      host + evilHost + origin,
      evilHost + host + origin,
      host + origin + evilOrigin,
      host + evilOrigin + origin,
      host + host,
      host + origin + origin,
    ]) {
      const received = await exchange(port, `${start}${odd}${bearer}\r\n`);
      assert.match(received, /^HTTP\/1\.1 (400|403) /, start + odd);
    }
  }
  assert.deepEqual(calls, []);
});

test("with a token, an address that is not a URL is not found", async (t) => {
  const { port, token } = await served(t);
  const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token("read")}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  for (const target of ["//", "//[", "/nothing"]) {
    assert.match(await exchange(port, `GET ${target} HTTP/1.1\r\n${head}\r\n`), /^HTTP\/1.1 404 /, target);
  }
});

test("a body that ends early is not an internal error", async (t) => {
  const { port, token, logged, calls } = await served(t);
  const head = `POST /api/terminals/t1/send HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token("send")}\r\nContent-Type: application/json\r\n`;
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.write(`${head}Content-Length: 100\r\n\r\n{"text":`, () => resolve()));
  socket.resetAndDestroy();
  const chunked = await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\n8\r\n{"text":\r\nzz\r\n`);
  assert.match(chunked, /^HTTP\/1.1 400 /);
  assert.equal((await ask(port, { path: "/healthz" })).status, 200);
  assert.deepEqual([calls, logged.filter(({ level }) => level === "error")], [[], []]);
});

test("a call whose `cancel` is not an id is a call", async (t) => {
  const { socket } = await served(t);
  const link = await openRawLink(t, socket);
  link.send({ id: 1, call: "ping", cancel: null }, { id: 2, call: "ping", cancel: "1" });
  assert.equal((await link.answer(1)).error, undefined);
  assert.equal((await link.answer(2)).error, undefined);
});

test("an event stream refuses the same queries over HTTP and over a WebSocket", async (t) => {
  const { port, token } = await served(t);
  const headers = { authorization: `Bearer ${token("read")}` };
  const queries = ["after=x", "after=-1", "after=1&after=2", "types=nothing", "frob=1"];
  for (const query of queries) {
    const answer = await ask(port, { path: `/api/events/stream?${query}`, headers });
    const [text, code] = await new Promise<readonly [string, number]>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/events/ws?${query}`, { headers });
      let first = "";
      socket.on("message", (data) => {
        first ||= data.toString();
      });
      socket.on("close", (closed) => resolve([first, closed]));
    });
    assert.equal(answer.status, 400, query);
    assert.deepEqual([JSON.parse(text).error, code], [JSON.parse(answer.text).error, 4_400], query);
  }
});
