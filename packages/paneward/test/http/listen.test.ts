import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { listen } from "../../src/http/listen.ts";
import { direct, head } from "../support/direct.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";
import { sampleOutputs } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { ask, failureIn, json } from "./support/ask.ts";
import { heldHandler } from "./support/held-handler.ts";
import { served } from "./support/served.ts";
import { stream } from "./support/sse.ts";

const failsWith = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof PanewardError && error.code === code && message.test(error.message);

describe("listening", () => {
  test("makes a socket and a folder that only the owner can open", async (t) => {
    const { socket } = await served(t);
    assert.equal((await stat(socket)).mode & 0o777, 0o600);
    assert.equal((await stat(dirname(socket))).mode & 0o777, 0o700);
  });

  test("a folder that others can only look into is used as it is; the socket is the owner's", async (t) => {
    const folder = await temporaryFolder(t);
    await mkdir(join(folder, "run"));
    await chmod(join(folder, "run"), 0o755);
    const { socket } = await served(t, { folder });
    assert.equal((await stat(socket)).mode & 0o777, 0o600);
    assert.equal((await stat(dirname(socket))).mode & 0o777, 0o755);
  });

  for (const mode of [0o1777, 0o777, 0o770]) {
    test(`refuses a shared folder of mode ${mode.toString(8)}, and does not change it`, async (t) => {
      const { app } = await served(t);
      const folder = await temporaryFolder(t);
      await chmod(folder, mode);
      await assert.rejects(listen({ app, socket: join(folder, "s") }), failsWith("unavailable", /shared/));
      assert.equal((await stat(folder)).mode & 0o7777, mode);
    });
  }

  test("makes its socket again when that, or its folder, was removed, and keeps open connections", async (t) => {
    const { app } = await served(t);
    const socket = join(await temporaryFolder(t), "run", "s");
    const listening = await listen({ app, socket, timeouts: { checkEveryMs: 20 } });
    afterwards(t, () => listening.close());
    for (const gone of [socket, dirname(socket)]) {
      const open = connect(socket);
      await once(open, "connect");
      await rm(gone, { recursive: true });
      await until("it listens again", () =>
        stat(socket).then(
          () => true,
          () => false,
        ),
      );
      assert.equal((await ask(socket, { path: "/healthz" })).status, 200);
      assert.equal((await stat(socket)).mode & 0o777, 0o600);
      assert.equal(open.destroyed, false);
      open.destroy();
    }
    await listening.close();
    assert.equal(await stat(socket).catch(() => undefined), undefined, "nothing is left of it");
  });

  test("replaces a stale socket, but not one in use and no file", async (t) => {
    const folder = await temporaryFolder(t);
    const first = await served(t, { folder });
    await assert.rejects(served(t, { folder, store: first.store }), failsWith("wrong_state", /another daemon listens/));
    assert.equal((await ask(first.socket, { path: "/healthz" })).status, 200);
    await first.listening.close();
    await leaveStaleSocket(first.socket);
    const second = await served(t, { folder, store: first.store });
    assert.equal((await ask(second.socket, { path: "/healthz" })).status, 200);
    const precious = join(folder, "run", "precious");
    await writeFile(precious, "text");
    await assert.rejects(listen({ app: second.app, socket: precious }), failsWith("unavailable", /not a socket/));
    assert.equal(await readFile(precious, "utf8"), "text");
  });

  test("without its port it serves its socket and says why; a path that is too long is refused", async (t) => {
    const { app, port } = await served(t);
    const long = join(tmpdir(), "x".repeat(120));
    await assert.rejects(
      listen({ app, socket: long }),
      failsWith("bad_input", /at most 107 bytes, and this one \d+: /),
    );
    const socket = join(await temporaryFolder(t), "run", "s");
    const reason = new RegExp(`port ${port} .*uses it`);
    await assert.rejects(listen({ app, port }), failsWith("unavailable", reason));
    const alone = await listen({ app, socket, port });
    afterwards(t, () => alone.close());
    assert.equal(alone.port, undefined);
    assert.match(alone.portRefused?.message ?? "", reason);
    assert.equal((await ask(socket, { path: "/healthz" })).status, 200);
  });
});

describe("closing", () => {
  test("ends streams and idle connections at once and lets an answer finish", async (t) => {
    const shutdown = heldHandler(sampleOutputs.shutdown);
    const { socket, listening } = await served(t, {
      handlers: { shutdown: shutdown.handler },
      timeouts: { graceMs: 60_000 },
    });
    const followed = await stream(t, socket);
    const agent = new Agent({ keepAlive: true });
    afterwards(t, () => agent.destroy());
    await new Promise<void>((resolve, reject) => {
      const outgoing = request({ socketPath: socket, path: "/healthz", headers: direct(), agent }, (answer) => {
        answer.resume().on("end", resolve);
      });
      outgoing.on("error", reject).end();
    });
    const answer = ask(socket, json("POST", "/api/shutdown", {}));
    await until("the request is under way", shutdown.isCalled);
    const closed = listening.close();
    await until("the stream is ended", followed.ended);
    shutdown.finish();
    assert.equal((await answer).status, 200);
    await closed;
    await assert.rejects(ask(socket, { path: "/healthz" }), /ENOENT/, "the socket is gone");
  });

  test("does not wait for an answer that never comes", async (t) => {
    const wait = heldHandler(sampleOutputs.wait);
    const { socket, listening } = await served(t, { handlers: { wait: wait.handler }, timeouts: { graceMs: 20 } });
    const answer = ask(socket, json("POST", "/api/wait", { ids: ["t1"], for: [{ kind: "idle" }] }));
    const broken = assert.rejects(answer, /socket hang up|ECONNRESET/);
    await until("the request is under way", wait.isCalled);
    await listening.close();
    await broken;
  });
});

describe("a slow client", () => {
  const timeouts = { headersMs: 50, requestMs: 100, checkEveryMs: 20 };
  const unfinished = [
    ["headers", "GET /healthz HTTP/1.1\r\nHost: x\r\n"],
    ["body", `POST /api/terminals/t1/send HTTP/1.1\r\n${head(direct())}content-length: 99\r\n\r\n{`],
  ] as const;

  for (const [what, text] of unfinished) {
    test(`over its ${what} is disconnected`, async (t) => {
      const { socket, calls } = await served(t, { timeouts });
      assert.match(await said(socket, text), /^HTTP\/1\.1 408 /);
      assert.deepEqual(calls, []);
    });
  }

  test("is cut off, but an answer may take long", async (t) => {
    const wait = heldHandler(sampleOutputs.wait);
    const { socket } = await served(t, { handlers: { wait: wait.handler }, timeouts, limits: { heartbeatMs: 10 } });
    const { heartbeats, ended } = await stream(t, socket);
    const answer = ask(socket, json("POST", "/api/wait", { ids: ["t1"], for: [{ kind: "idle" }] }));
    await until("far more time has passed than a request may take", () => heartbeats.length > 40);
    assert.equal(ended(), false);
    wait.finish();
    assert.equal((await answer).status, 200);
  });

  test("with an address that is too long gets an answer", async (t) => {
    const { socket } = await served(t);
    const { status } = await ask(socket, { path: `/api/ps?root=${"x".repeat(40_000)}` });
    assert.equal(status, 431);
    assert.equal(failureIn(await ask(socket, { path: "/nowhere" })).code, "not_found", "others are served");
  });
});

function said(socket: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const connection = connect(socket, () => connection.write(text));
    connection.setEncoding("utf8");
    connection.on("data", (chunk) => {
      answer += chunk;
    });
    connection.on("close", () => resolve(answer));
    connection.on("error", reject);
  });
}

/** A socket file without a listener, as a killed daemon leaves it. */
async function leaveStaleSocket(path: string): Promise<void> {
  const script = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", script]);
  assert.ok((await stat(path)).isSocket());
}
