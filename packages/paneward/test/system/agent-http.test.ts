import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createAgentHttp } from "../../src/system/agent-http.ts";
import type { Cleanup } from "../support/folder.ts";
import { until } from "../support/until.ts";

const http = createAgentHttp();
const me = { pid: process.pid, user: "paneward", password: "secret" };
const get = { method: "GET", path: "/path" } as const;

async function served(t: Cleanup, answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return { server, at: { ...me, port: (server.address() as AddressInfo).port } };
}

test("a request sends its body and the password, and returns the response", async (t) => {
  const seen: (string | undefined)[] = [];
  const { at } = await served(t, async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    seen.push(request.method, request.url, request.headers.authorization, body);
    response.writeHead(404).end('{"_tag":"NotFound"}');
  });
  const said = await http.ask(at, { method: "POST", path: "/permission/p/reply", body: { reply: "once" } });
  assert.deepEqual(said, { kind: "said", status: 404, body: { _tag: "NotFound" } });
  const basic = `Basic ${Buffer.from("paneward:secret").toString("base64")}`;
  assert.deepEqual(seen, ["POST", "/permission/p/reply", basic, '{"reply":"once"}']);
});

test("nothing is sent if no process listens, or another one does", async (t) => {
  const connections: IncomingMessage[] = [];
  const { server, at } = await served(t, (request) => connections.push(request));
  let sockets = 0;
  server.on("connection", () => {
    sockets += 1;
  });
  const other = spawn("sleep", ["600"], { stdio: "ignore" });
  t.after(() => other.kill("SIGKILL"));
  const foreign = await http.ask({ ...at, pid: other.pid ?? 0 }, get);
  assert.equal(foreign.kind, "unreached");
  const followed = await http.follow(
    { ...at, pid: other.pid ?? 0 },
    "/event",
    { opened: () => assert.fail(), message: () => assert.fail() },
    new AbortController().signal,
  );
  assert.match(followed, /does not listen/);
  const port = await http.freePort([]);
  assert.equal((await http.ask({ ...at, port }, get)).kind, "unreached");
  assert.deepEqual([connections.length, sockets], [0, 0]);
});

test("a request without a response, or with half of one, is unknown", async (t) => {
  const { at } = await served(t, (request, response) => {
    if (request.url === "/half") response.writeHead(200, { "content-length": "100" }).write("[");
    if (request.url === "/cut") request.socket.destroy();
  });
  // On a busy machine it takes a while until it is known who listens.
  const hasty = createAgentHttp({ silentMs: 1_000, answerMs: 2_000 });
  const kindOf = async (path: string) => (await hasty.ask(at, { method: "POST", path, body: {} })).kind;
  const paths = ["/never", "/half", "/cut"];
  assert.deepEqual(await Promise.all(paths.map(kindOf)), ["unknown", "unknown", "unknown"]);
});

function streaming(t: Cleanup, begin: (response: ServerResponse) => void) {
  return served(t, (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    begin(response);
  });
}

test("a stream survives garbage, endless lines and broken characters, until it ends", async (t) => {
  const wide = Buffer.from('data: "✓"\n\n');
  const { at } = await streaming(t, (response) => {
    response.write("data: 1\n\n\u0000\u001b[31m no line of a stream\n\n: a comment\n\n");
    response.write(`data: ${"x".repeat(9_000_000)}\n\n`);
    response.write(wide.subarray(0, 8));
    setImmediate(() => response.end(Buffer.concat([wide.subarray(8), Buffer.from("data: 2\n\n")])));
  });
  const heard: string[] = [];
  let opened = 0;
  const listener = { opened: () => opened++, message: (data: string) => void heard.push(data) };
  assert.equal(await http.follow(at, "/event", listener, new AbortController().signal), "the stream ended");
  assert.deepEqual([opened, heard], [1, ["1", '"✓"', "2"]]);
});

test("a hanging stream is closed, a refused one is reported, and an aborted one ends", async (t) => {
  const nothing = { opened: () => {}, message: () => {} };
  const { at } = await streaming(t, (response) => response.write("data: 1\n\n"));
  const endsSilence = createAgentHttp({ silentMs: 200, answerMs: 30_000 });
  assert.match(await endsSilence.follow(at, "/event", nothing, new AbortController().signal), /too long/);
  const mute = await served(t, () => {});
  const endsWaiting = createAgentHttp({ silentMs: 30_000, answerMs: 200 });
  assert.match(await endsWaiting.follow(mute.at, "/event", nothing, new AbortController().signal), /abort/);
  const refusing = await served(t, (_request, response) => response.writeHead(401).end());
  assert.match(await http.follow(refusing.at, "/event", nothing, new AbortController().signal), /401/);
  const wanted = new AbortController();
  const heard: string[] = [];
  const listener = { opened: () => {}, message: (data: string) => void heard.push(data) };
  const following = http.follow(at, "/event", listener, wanted.signal);
  await until("it is heard", () => heard.length > 0);
  wanted.abort();
  assert.match(await following, /abort/i);
});

test("a free port is unused and below the ephemeral range", async (t) => {
  const { at } = await served(t, () => {});
  assert.equal(await http.isFree(at.port), false);
  const port = await http.freePort([at.port]);
  assert.ok(port >= 20_000 && port < 32_000, String(port));
  assert.equal(await http.isFree(port), true);
});
