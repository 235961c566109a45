import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { afterwards, type Cleanup } from "../support/folder.ts";
import { sampleOutputs } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { ask, json } from "./support/ask.ts";
import { heldHandler } from "./support/held-handler.ts";
import { openRawLink } from "./support/link.ts";
import { served } from "./support/served.ts";
import { type Stream, stream } from "./support/sse.ts";

/** A connection that never closes its side. */
async function stubborn(t: Cleanup, port: number, text = ""): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  afterwards(t, () => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  if (text !== "") socket.write(text);
  return socket.resume();
}

test("a client that is refused an upgrade and keeps its side open does not keep the daemon from stopping", async (t) => {
  const { port, listening } = await served(t, { timeouts: { graceMs: 50 } });
  for (const protocol of ["websocket", "paneward-calls"]) {
    const head = `GET /api/calls HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
    await once(await stubborn(t, port, head), "end");
  }
  await listening.close();
});

test("connections of strangers make room for each other, and never cost a known caller its own", async (t) => {
  const { port, token } = await served(t);
  const request = `GET /api/ping HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token("read")}\r\n\r\n`;
  const known = await stubborn(t, port, request);
  await once(known, "data");
  let closed = 0;
  for (let count = 0; count < 300; count++) {
    const stranger = await stubborn(t, port, `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    stranger.on("close", () => closed++).on("end", () => stranger.end());
  }
  await until("the oldest strangers are gone", () => closed >= 300 - 256);
  known.write(request);
  await once(known, "data");
  assert.equal((await ask(port, { path: "/healthz" })).status, 200);
});

test("one caller cannot keep all connections, and one whose token is revoked keeps none", async (t) => {
  const { port, token, store, app, clock } = await served(t, { limits: { burst: 2_000 } });
  const [one, other] = [token("read"), token("read")];
  const request = (who: string) =>
    `GET /api/ping HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${who}\r\n\r\n`;
  const bystander = await stubborn(t, port, request(other));
  await once(bystander, "data");
  let closed = 0;
  const open = async (count: number) => {
    for (let opened = 0; opened < count; opened++) {
      const socket = await stubborn(t, port, request(one));
      socket.on("close", () => closed++).on("end", () => socket.end());
      await once(socket, "data");
    }
  };
  await open(1_100);
  await until("it has its share, and what strangers have", () => closed >= 1_100 - 512 - 256);
  const ping = async (who: string) =>
    (await ask(port, { path: "/api/ping", headers: { authorization: `Bearer ${who}` } })).status;
  assert.equal(await ping(other), 200);
  store.write((writer) => writer.removeToken(one.split("_")[1] ?? ""));
  app.connections.review();
  await until("only what strangers have is left", () => closed >= 1_100 - 256);
  clock.value += 60_000;
  assert.deepEqual([await ping(one), await ping(other)], [401, 200]);
  bystander.write(request(other));
  await once(bystander, "data");
});

test("no connection of the Unix socket makes room for another: they are all its owner's", async (t) => {
  const { socket } = await served(t);
  const opened: Stream[] = [];
  for (let count = 0; count < 300; count++) opened.push(await stream(t, socket));
  assert.equal((await ask(socket, { path: "/api/ping" })).status, 200);
  assert.deepEqual(
    opened.filter(({ ended }) => ended()),
    [],
  );
});

test("a revoked token ends its pending requests and calls at once, and gets the answer to its own revocation", async (t) => {
  const wait = heldHandler(sampleOutputs.wait);
  const { port, token, store } = await served(t, {
    handlers: {
      wait: wait.handler,
      token_revoke: async ({ id }) => {
        store.write((writer) => writer.removeToken(id));
        return { revoked: id };
      },
    },
  });
  const revoked = token("admin");
  const authorization = `Bearer ${revoked}`;
  const [, id = ""] = revoked.split("_");
  const question = json("POST", "/api/wait", { ids: ["t1"], for: [{ kind: "idle" }] });
  const pending = ask(port, { ...question, headers: { ...question.headers, authorization } });
  const broken = assert.rejects(pending, /socket hang up|ECONNRESET/);
  const link = await openRawLink(t, port, { authorization });
  link.send({ id: 1, call: "wait", input: { ids: ["t1"], for: [{ kind: "idle" }] } });
  await until("the request is under way", wait.isCalled);
  const answer = await ask(port, { method: "DELETE", path: `/api/tokens/${id}`, headers: { authorization } });
  assert.deepEqual([answer.status, JSON.parse(answer.text)], [200, { revoked: id }]);
  await broken;
  await until("the link is closed", link.isClosed);
  wait.finish();
  assert.deepEqual(link.received, []);
});

test("a caller cannot have many long bodies read at the same time; others are served, and so is the next one", async (t) => {
  const { port, token } = await served(t, { limits: { maxLongBodies: 2 } });
  const [one, other] = [token("send"), token("send")];
  const head = (who: string, length: string) =>
    `POST /api/terminals/t1/send HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${who}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
  const long = "Content-Length: 1000000";
  const answerTo = async (text: string) => {
    const socket = await stubborn(t, port, text);
    const [chunk] = (await once(socket, "data")) as [Buffer];
    return chunk.toString().split(" ")[1];
  };
  const held = [
    await stubborn(t, port, head(one, long)),
    await stubborn(t, port, head(one, "Transfer-Encoding: chunked")),
  ];
  await until("both are being read", async () => (await answerTo(head(one, long))) === "429");
  assert.equal(await answerTo(`${head(one, "Content-Length: 12")}{"text":"x"}`), "200", "a short one is read");
  const body = JSON.stringify({ text: "x".repeat(300_000) });
  const whole = (who: string) => head(who, `Content-Length: ${body.length}`) + body;
  assert.equal(await answerTo(whole(other)), "200");
  for (const socket of held) socket.destroy();
  await until("there is room again", async () => (await answerTo(whole(one))) === "200");
});

test("long lines of call links that never end count as long bodies", async (t) => {
  const { port, token } = await served(t, { limits: { maxLongBodies: 2 } });
  const [one, other] = [token("send"), token("send")];
  const long = `{"id":1,"call":"send","input":{"id":"t1","text":"${"x".repeat(300_000)}`;
  const open = async (who: string) => {
    const link = await openRawLink(t, port, { authorization: `Bearer ${who}` });
    link.socket.write(long);
    return link;
  };
  const links = [await open(one), await open(one), await open(one)];
  await until("one of them is refused", () => links.some(({ received }) => received.length > 0));
  const refused = links.filter(({ received }) => received.length > 0);
  assert.deepEqual(
    refused.map(({ received }) => received[0]?.error?.code),
    ["rate_limited"],
  );
  await until("it is closed", () => refused[0]?.isClosed());
  const [first, second] = links.filter((link) => !refused.includes(link));
  first?.socket.write('"}}\n');
  assert.ok((await first?.answer(1))?.output, "a line that ends is a call");
  second?.socket.destroy();
  for (const who of [other, one]) {
    const next = await open(who);
    next.socket.write('"}}\n');
    assert.ok((await next.answer(1)).output);
  }
});
