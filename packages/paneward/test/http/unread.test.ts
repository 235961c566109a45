import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { createUnanswered } from "../../src/http/unanswered.ts";
import { direct, head } from "../support/direct.ts";
import { afterwards, type Cleanup, temporaryFolder } from "../support/folder.ts";
import { sampleOutputs } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { ask } from "./support/ask.ts";
import { heldHandler } from "./support/held-handler.ts";
import { openRawLink } from "./support/link.ts";
import { served } from "./support/served.ts";

/** A connection that sends, and reads nothing. */
async function silent(t: Cleanup, port: number, text = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  afterwards(t, () => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.pause().write(text);
  return socket;
}

const get = (port: number, path: string, token = "") =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${token && `Authorization: Bearer ${token}\r\n`}\r\n`;

test("strangers that ask for files and never read them cost no memory", async (t) => {
  const web = await temporaryFolder(t);
  mkdirSync(join(web, "assets"));
  writeFileSync(join(web, "assets", "main.js"), "x".repeat(1_000_000));
  const { port } = await served(t, { web });
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 20; count++) await silent(t, port, get(port, "/assets/main.js").repeat(15));
  // Files are read in order, so this one is answered after the others.
  for (let count = 0; count < 20; count++) await ask(port, { path: "/assets/main.js" });
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.ok(grown < 50_000_000, `300 unread responses hold ${grown} bytes`);
});

test("a file that was rebuilt is served in its new form", async (t) => {
  const web = await temporaryFolder(t);
  const { port } = await served(t, { web });
  for (const text of ["first", "a second one"]) {
    writeFileSync(join(web, "index.html"), text);
    assert.equal((await ask(port, { path: "/" })).text, text);
  }
});

test("a connection with many unanswered requests is closed, and its requests are cancelled", async (t) => {
  const wait = heldHandler(sampleOutputs.whoami);
  const gone: AbortSignal[] = [];
  const { port, socket, token } = await served(t, {
    handlers: {
      whoami: (_, { signal }) => {
        if (signal) gone.push(signal);
        return wait.handler();
      },
    },
  });
  const pipelined = await silent(t, port, get(port, "/api/whoami", token("read")).repeat(16));
  await until("all are under way", () => gone.length === 16);
  pipelined.resume().write(get(port, "/api/whoami", token("read")));
  await once(pipelined, "close");
  await until("the first one knows", () => gone[0]?.aborted);
  assert.equal(gone.length, 16);
  const owner = connect(socket);
  afterwards(t, () => void owner.destroy());
  owner.write(`GET /api/whoami HTTP/1.1\r\n${head(direct())}\r\n`.repeat(100));
  await until("the owner of the Unix socket may", () => gone.length === 116);
});

/** A server whose requests are answered by the test. */
async function answering(t: Cleanup, takenMs: number) {
  const unanswered = createUnanswered({ maxPerConnection: 3, takenMs });
  const responses: ServerResponse[] = [];
  const over: number[] = [];
  const server = createServer(({ socket }, response) => {
    const at = responses.push(response);
    unanswered.begin(socket, response)?.(() => over.push(at));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, responses, over };
}

test("a response that is not read in time ends its connection; one that waits for its answer does not", async (t) => {
  const { port, responses, over } = await answering(t, 20);
  await silent(t, port, get(port, "/waits"));
  await until("it waits", () => responses.length === 1);
  await silent(t, port, get(port, "/long"));
  await until("it asks", () => responses.length === 2);
  responses[1]?.end(Buffer.alloc(64_000_000));
  await until("it is over", () => over.length > 0);
  assert.deepEqual(over, [2]);
  responses[0]?.end("short");
  await until("a short one needs no reader", () => over.length === 2);
});

test("a lost connection is the end of every response, also of those that wait behind another", async (t) => {
  const { port, responses, over } = await answering(t, 60_000);
  const client = await silent(t, port, get(port, "/").repeat(3));
  await until("all are there", () => responses.length === 3);
  client.destroy();
  await until("all are over", () => over.length === 3);
  assert.deepEqual(over, [1, 2, 3]);
});

// More than the kernel buffers for a client that does not read.
const long = { ...sampleOutputs.read, output: "x".repeat(16_000_000) };

test("a caller that does not read long responses gets no more of them, by any door; others do", async (t) => {
  let reads = 0;
  const read = async () => {
    reads++;
    return long;
  };
  const { port, token } = await served(t, { handlers: { read }, limits: { maxLongAnswers: 2 } });
  const [one, other] = [token("read"), token("read")];
  const path = "/api/terminals/t1/output";
  const bearer = (who: string) => ({ authorization: `Bearer ${who}` });
  const unread = await silent(t, port, get(port, path, one));
  const link = await openRawLink(t, port, bearer(one));
  link.socket.pause();
  link.send({ id: 1, call: "read", input: { id: "t1" } });
  await until("both are unread", async () => (await ask(port, { path, headers: bearer(one) })).status === 429);
  const next = await openRawLink(t, port, bearer(one));
  next.send({ id: 1, call: "read", input: { id: "t1" } });
  assert.equal((await next.answer(1)).error?.code, "rate_limited");
  const made = reads;
  assert.equal((await ask(port, { path: `${path}?max_bytes=1000000`, headers: bearer(one) })).status, 429);
  next.send({ id: 2, call: "read", input: { id: "t1", max_bytes: 1_000_000 } });
  assert.equal((await next.answer(2)).error?.code, "rate_limited");
  assert.equal(reads, made, "what cannot be sent is not read");
  assert.equal((await ask(port, { path: "/api/ping", headers: bearer(one) })).status, 200, "a short one is sent");
  assert.equal((await ask(port, { path, headers: bearer(other) })).status, 200);
  unread.destroy();
  link.socket.destroy();
  await until("there is room again", async () => (await ask(port, { path, headers: bearer(one) })).status === 200);
});

test("a body in very many tiny pieces ends its connection, through any door; one in large pieces does not", async (t) => {
  const mount = async (request: Request) => new Response(String((await request.text()).length));
  const mounts = [{ path: "/mcp", door: "mcp", answer: mount } as const];
  const { port, token, calls } = await served(t, { mounts });
  const bearer = token("admin");
  const sent = async (path: string, piece: string, count: number) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
    const socket = await silent(t, port, `${head}${chunk.repeat(count)}2\r\n{}\r\n0\r\n\r\n`);
    let heard = "";
    socket.on("data", (data) => (heard += data)).resume();
    await until("it is answered or closed", () => socket.destroyed || heard.includes("\r\n\r\n"));
    return /^HTTP\/1.1 (\d+)/.exec(heard)?.[1];
  };
  for (const path of ["/api/shutdown", "/mcp"]) {
    assert.equal(await sent(path, " ", 20_000), undefined, path);
    assert.equal(await sent(path, " ", 200), "200", path);
    assert.equal(await sent(path, " ".repeat(1_000), 1_000), "200", path);
  }
  assert.equal(calls.length, 2);
});

test("what may be long is not begun while its caller has that many under way, by any door", async (t) => {
  const made = heldHandler(sampleOutputs.read);
  let reads = 0;
  const read = () => {
    reads++;
    return made.handler();
  };
  const { port, token } = await served(t, { handlers: { read }, limits: { maxLongAnswers: 2 } });
  const one = token("read");
  const headers = { authorization: `Bearer ${one}` };
  const path = "/api/terminals/t1/output?max_bytes=1000000";
  const first = ask(port, { path, headers });
  const link = await openRawLink(t, port, headers);
  link.send({ id: 1, call: "read", input: { id: "t1", max_bytes: 1_000_000 } });
  await until("both are under way", () => reads === 2);
  assert.equal((await ask(port, { path, headers })).status, 429);
  link.send({ id: 2, call: "read", input: { id: "t1", max_bytes: 1_000_000 } });
  assert.equal((await link.answer(2)).error?.code, "rate_limited");
  assert.equal(reads, 2, "it was not begun");
  for (const [query, status] of [
    ["", 429],
    ["?stat=true", 200],
  ] as const)
    assert.equal((await ask(port, { path: `/api/tasks/1/diff${query}`, headers })).status, status, `a diff ${query}`);
  made.finish();
  assert.equal((await first).status, 200);
  await link.answer(1);
  for (let count = 0; count < 3; count++) assert.equal((await ask(port, { path, headers })).status, 200, "a short one");
});

test("requests and calls of one caller that wait are counted together; others are served", async (t) => {
  const wait = heldHandler(sampleOutputs.wait);
  const { port, token } = await served(t, { handlers: { wait: wait.handler }, limits: { maxRequests: 3 } });
  const [one, other] = [token("read"), token("read")];
  const body = JSON.stringify({ ids: ["t1"], for: [{ kind: "idle" }] });
  const waiting = `POST /api/wait HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${one}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const bearer = (who: string) => ({ authorization: `Bearer ${who}` });
  const ping = async (who: string) => (await ask(port, { path: "/api/ping", headers: bearer(who) })).status;
  const pipelined = await silent(t, port, waiting.repeat(2));
  const link = await openRawLink(t, port, bearer(one));
  link.send({ id: 1, call: "wait", input: JSON.parse(body) });
  await until("three wait", async () => (await ping(one)) === 429);
  link.send({ id: 2, call: "ping" });
  assert.equal((await link.answer(2)).error?.code, "rate_limited");
  assert.equal(await ping(other), 200);
  pipelined.destroy();
  await until("there is room again", async () => (await ping(one)) === 200);
  wait.finish();
  await link.answer(1);
});
