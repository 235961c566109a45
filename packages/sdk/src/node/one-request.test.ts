import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createRaw } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { askOnce, readWhole } from "./one-request.ts";

function socketIn(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "pw-one-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "s");
}

async function serving(t: TestContext, listener: RequestListener): Promise<string> {
  const socketPath = socketIn(t);
  const server = createServer(listener).listen(socketPath);
  t.after(() => server.close());
  await once(server, "listening");
  return socketPath;
}

const headers = { host: "paneward", connection: "close" };

describe("one request", () => {
  test("is answered by Node's server, in one piece or in many, with text of any letters", async (t) => {
    const long = "äß€😀".repeat(100_000);
    const socketPath = await serving(t, async (request, response) => {
      let body = "";
      request.setEncoding("utf8");
      for await (const chunk of request) body += chunk;
      response.setHeader("X-Known", `${request.method} ${request.url} ${request.headers["content-length"] ?? "none"}`);
      if (request.url === "/whole") return void response.end(body);
      response.statusCode = 404;
      // Also in the middle of a letter.
      const bytes = Buffer.from(long);
      for (let at = 0; at < bytes.length; at += 70_001) response.write(bytes.subarray(at, at + 70_001));
      response.end();
    });
    const body = '{"a":"ä"}';
    const sent = { ...headers, "content-length": Buffer.byteLength(body) };
    const whole = await askOnce({ socketPath, method: "POST", path: "/whole", headers: sent, body });
    assert.deepEqual([whole?.status, whole?.text, whole?.headers.get("x-known")], [200, body, "POST /whole 10"]);
    const many = await askOnce({ socketPath, method: "GET", path: "/many?a=b", headers });
    assert.deepEqual(
      [many?.status, many?.text === long, many?.headers.get("x-known")],
      [404, true, "GET /many?a=b none"],
    );
  });

  test("ends at once when it is aborted, and says whether there was a connection", async (t) => {
    const begun = Promise.withResolvers<void>();
    const socketPath = await serving(t, () => begun.resolve());
    const stop = new AbortController();
    const asking = askOnce({ socketPath, method: "GET", path: "/", headers, signal: stop.signal });
    await begun.promise;
    stop.abort();
    await assert.rejects(asking, { code: "ABORT_ERR" });
    await assert.rejects(askOnce({ socketPath, method: "GET", path: "/", headers, signal: stop.signal }), {
      code: "ABORT_ERR",
    });
    await assert.rejects(askOnce({ socketPath: `${socketPath}x`, method: "GET", path: "/", headers }), {
      code: "ENOENT",
      syscall: "connect",
    });
  });

  test("is undefined when the connection ends before the answer is whole", async (t) => {
    const socketPath = socketIn(t);
    let answer = "";
    const server = createRaw((socket) => socket.end(answer)).listen(socketPath);
    t.after(() => server.close());
    await once(server, "listening");
    for (answer of ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab"]) {
      assert.equal(await askOnce({ socketPath, method: "GET", path: "/", headers }), undefined, answer);
    }
  });

  test("every cut of a whole answer is no answer", () => {
    for (const whole of [
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n",
    ]) {
      assert.equal(readWhole(Buffer.from(whole))?.text, "hello");
      for (let length = 0; length < whole.length; length++)
        assert.equal(readWhole(Buffer.from(whole.slice(0, length))), undefined, whole.slice(0, length));
    }
    assert.equal(readWhole(Buffer.from("SSH-2.0-OpenSSH\r\n\r\n")), undefined);
  });
});
