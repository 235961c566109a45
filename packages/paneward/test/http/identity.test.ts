import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from "node:net";
import { describe, test } from "node:test";
import { createClient, PanewardError } from "@paneward/sdk";
import { fingerprintIn, isProof } from "@paneward/sdk/identity";
import { httpTransport } from "@paneward/sdk/node/http";
import { afterwards, type Cleanup } from "../support/folder.ts";
import { testIdentity } from "../support/identity.ts";
import { ask, failureIn } from "./support/ask.ts";
import { served } from "./support/served.ts";

const nonce = "0123456789abcdef".repeat(4);
const notProven = (error: unknown) =>
  error instanceof PanewardError &&
  error.code === "unavailable" &&
  /is not the daemon of this token/.test(error.message);

function clientAt(t: Cleanup, port: number, token: string | undefined, name = "127.0.0.1") {
  const transport = httpTransport(`http://${name}:${port}`, token);
  afterwards(t, () => transport.close());
  return createClient(transport);
}

async function listensOn(server: Server, port: number, host: string): Promise<boolean> {
  server.listen(port, host);
  return once(server, "listening").then(
    () => true,
    () => false,
  );
}

describe("the daemon's identity", () => {
  test("is proved for one nonce, one name and one port, by the key that every token names", async (t) => {
    const { port, token } = await served(t);
    const fingerprint = fingerprintIn(token("read")) ?? "";
    assert.equal(fingerprint, testIdentity.fingerprint);
    const host = `127.0.0.1:${port}`;
    const proof = JSON.parse((await ask(port, { path: `/identity?nonce=${nonce}`, headers: { host } })).text);
    assert.equal(await isProof(proof, { host, nonce }, fingerprint), true);
    const others = [
      isProof(proof, { host, nonce: nonce.replace("0", "1") }, fingerprint),
      isProof(proof, { host: "127.0.0.1:1", nonce }, fingerprint),
      isProof(proof, { host, nonce }, "0".repeat(32)),
      isProof({ ...proof, challenge: "other" }, { host, nonce }, fingerprint),
      isProof({ ...proof, key: "x" }, { host, nonce }, fingerprint),
      isProof({}, { host, nonce }, fingerprint),
      isProof(null, { host, nonce }, fingerprint),
    ];
    assert.deepEqual(
      await Promise.all(others),
      others.map(() => false),
    );
    for (const bad of ["", "?nonce=", "?nonce=zz", `?nonce=${"0".repeat(500)}`])
      assert.equal(failureIn(await ask(port, { path: `/identity${bad}` })).code, "bad_input");
    for (const name of ["evil.test", `localhost:${port}`, `[::1]:${port}`, `127.0.0.2:${port}`]) {
      const foreign = await ask(port, { path: `/identity?nonce=${nonce}`, headers: { host: name } });
      assert.equal(foreign.status, 403, name);
    }
  });

  test("a client with a token works, over one connection and over many", async (t) => {
    const { port, token } = await served(t);
    const client = clientAt(t, port, token("read"));
    await Promise.all(Array.from({ length: 20 }, () => client.ping({})));
    await client.ping({});
    const stop = new AbortController();
    const onConnection = (connected: boolean) => connected && stop.abort();
    for await (const _ of client.follow({ after: 0, signal: stop.signal, onConnection })) break;
    assert.ok(stop.signal.aborted, "the stream of events opened");
  });

  test("a token without a key, or none, is refused before anything is sent", async (t) => {
    const { port, calls } = await served(t);
    for (const token of ["wrong", undefined]) {
      await assert.rejects(clientAt(t, port, token).ping({}), { code: "unauthorized" });
    }
    assert.deepEqual(calls, []);
  });

  test("a program that took the port gets no token and no request, whatever it answers", async (t) => {
    const { token } = await served(t);
    const answers = [
      (_: string) => "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
      () => "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
      () => "HTTP/1.1 200 OK\r\n\r\n{",
      () => "garbage\r\n\r\n",
      () => "x".repeat(20_000),
      (mine: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${mine.length}\r\n\r\n${mine}`,
    ];
    for (const answer of answers) {
      let heard = "";
      const impostor = createTcpServer((socket) =>
        socket
          .on("error", () => {})
          .on("data", (bytes) => {
            heard += bytes;
            const own = { key: testIdentity.key, signature: testIdentity.sign("something else"), challenge: "x" };
            socket.end(answer(JSON.stringify(own)));
          }),
      );
      afterwards(t, () => void impostor.close());
      impostor.listen(0, "127.0.0.1");
      await once(impostor, "listening");
      const client = clientAt(t, (impostor.address() as AddressInfo).port, token("admin"));
      await assert.rejects(client.send({ id: "t1", text: "my password" }), notProven);
      assert.match(heard, /^GET \/identity\?nonce=[0-9a-f]{64} HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\n\r\n$/);
    }
  });

  test("a program on another port cannot answer with the proof of the real daemon", async (t) => {
    const { port, token } = await served(t);
    const heard: string[] = [];
    const relay = createServer((asked, answer) => {
      heard.push(`${asked.method} ${asked.url} ${asked.headers.authorization}`);
      const headers = { ...asked.headers, host: `127.0.0.1:${port}` };
      asked.pipe(
        request({ port, method: asked.method, path: asked.url, headers }, (real) => {
          answer.writeHead(real.statusCode ?? 0, real.headers);
          real.pipe(answer);
        }),
      );
    });
    afterwards(t, () => void relay.close());
    relay.listen(0, "127.0.0.1");
    await once(relay, "listening");
    const client = clientAt(t, (relay.address() as AddressInfo).port, token("admin"));
    await assert.rejects(client.send({ id: "t1", text: "my password" }), notProven);
    assert.equal(heard.length, 1);
    assert.match(heard[0] ?? "", /^GET \/identity\S+ undefined$/);
  });

  test("a program on ::1 with the daemon's port, which passes everything on, hears no token", async (t) => {
    const { port, token } = await served(t);
    let heard = "";
    const relay = createTcpServer((socket) => {
      const onward = connect(port, "127.0.0.1");
      socket.on("data", (bytes) => (heard += bytes)).pipe(onward);
      onward.pipe(socket);
      for (const end of [socket, onward]) end.on("error", () => {});
    });
    afterwards(t, () => void relay.close());
    if (!(await listensOn(relay, port, "::1"))) return t.skip("this machine has no ::1");
    // By its name it is the daemon itself that is asked; by the number of the relay, nobody proves anything.
    assert.equal((await clientAt(t, port, token("admin"), "localhost").ping({})).pong, true);
    assert.equal(heard, "");
    const client = clientAt(t, port, token("admin"), "[::1]");
    await assert.rejects(client.send({ id: "t1", text: "my password" }), notProven);
    assert.match(heard, /^GET \/identity/);
    assert.doesNotMatch(heard, /pw_|password|authorization/i);
  });

  test("a program that takes over the port while a client works gets nothing on its new connection", async (t) => {
    const first = await served(t);
    const client = clientAt(t, first.port, first.token("admin"));
    await client.ping({});
    await first.listening.close();
    let heard = "";
    const impostor = createTcpServer((socket) => socket.on("error", () => {}).on("data", (bytes) => (heard += bytes)));
    afterwards(t, () => void impostor.close());
    impostor.on("connection", (socket) =>
      socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")),
    );
    impostor.listen(first.port, "127.0.0.1");
    await once(impostor, "listening");
    await assert.rejects(client.send({ id: "t1", text: "my password" }));
    await assert.rejects(client.send({ id: "t1", text: "my password" }), notProven);
    assert.doesNotMatch(heard, /pw_|password|authorization/i);
  });
});
