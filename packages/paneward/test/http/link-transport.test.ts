import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createClient, type PanewardError } from "@paneward/sdk";
import { linkTransport } from "@paneward/sdk/node";
import type { Caller } from "../../src/runtime/calls.ts";
import { openStore } from "../../src/store/store.ts";
import { afterwards, type Cleanup, temporaryFolder } from "../support/folder.ts";
import { sampleOutputs } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { ask } from "./support/ask.ts";
import { served } from "./support/served.ts";

const never = () => new Promise<never>(() => {});

describe("a client with one connection for all calls", () => {
  test("makes many calls at once, and each gets its own answer", async (t) => {
    const read = async ({ id }: { readonly id: string }) => ({ ...sampleOutputs.read, output: id });
    const { socket } = await served(t, { handlers: { read } });
    const client = clientOf(t, socket);
    const ids = Array.from({ length: 500 }, (_, at) => `t${at}`);
    const outputs = await Promise.all(ids.map(async (id) => (await client.read({ id })).output));
    assert.deepEqual(outputs, ids);
    const { text } = await ask(socket, { path: "/metrics" });
    assert.match(text, /^paneward_call_links 1$/m);
    assert.match(text, /^paneward_http_requests_total\{operation="read",status="200"\} 500$/m);
  });

  test("cancels a call with its signal, also in the daemon", async (t) => {
    const waiting: Caller[] = [];
    const wait = (_: unknown, caller: Caller) => {
      waiting.push(caller);
      return never();
    };
    const { socket } = await served(t, { handlers: { wait } });
    const client = clientOf(t, socket);
    const stop = new AbortController();
    const waited = client.wait({ ids: ["t1"], for: [{ kind: "idle" }] }, { signal: stop.signal });
    const givenUp = assert.rejects(waited, failsWith("outcome_unknown", /cancelled/));
    await until("it waits", () => waiting.length === 1);
    stop.abort();
    await givenUp;
    await until("the daemon knows", () => waiting[0]?.signal?.aborted);
    await assert.rejects(client.ping({}, { signal: stop.signal }), failsWith("outcome_unknown", /cancelled/));
    assert.deepEqual(await client.ping({}), sampleOutputs.ping);
  });

  test("continues after a restart: reading calls are repeated, the outcome of others is unknown", async (t) => {
    const folder = await temporaryFolder(t);
    const store = openStore(join(folder, "paneward.db"), { now: () => 1_000_000 });
    afterwards(t, () => store.close());
    let calls = 0;
    const hang = () => {
      calls++;
      return never();
    };
    const handlers = { ps: hang, stop: hang, wait: hang };
    const first = await served(t, { folder, store, handlers, limits: { graceMs: 300 } });
    const client = clientOf(t, first.socket);
    const looked = client.ps({});
    const stopped = assert.rejects(client.stop({ id: "t1" }), failsWith("outcome_unknown", /closed the connection/));
    const waited = assert.rejects(
      client.wait({ ids: ["t1"], for: [{ kind: "idle" }] }),
      failsWith("outcome_unknown", /closed the connection/),
    );
    await until("all are pending", () => calls === 3);
    // The next daemon is there before the first has let go of the connection.
    const closing = first.listening.close();
    const second = await served(t, { folder, store });
    await Promise.all([closing, stopped, waited]);
    assert.deepEqual(await looked, sampleOutputs.ps);
    assert.deepEqual(await client.stop({ id: "t1" }), sampleOutputs.stop);
    assert.deepEqual(
      second.calls.map(({ name }) => name),
      ["ps", "stop"],
    );
  });

  test("fails without a daemon, and connects to one that starts later", async (t) => {
    const folder = await temporaryFolder(t);
    const client = clientOf(t, join(folder, "run", "daemon.sock"));
    await assert.rejects(client.ping({}), failsWith("unavailable", /no daemon listens/));
    await served(t, { folder });
    assert.deepEqual(await client.ping({}), sampleOutputs.ping);
  });

  test("uses HTTP routes when the daemon has no call links", async (t) => {
    const socket = join(await temporaryFolder(t), "s");
    const paths: (string | undefined)[] = [];
    const older = createServer(({ url }, answer) => {
      paths.push(url);
      answer.statusCode = url === "/api/ping" ? 200 : 404;
      answer.end(JSON.stringify(sampleOutputs.ping));
    });
    afterwards(t, () => older.close() && undefined);
    await once(older.listen(socket), "listening");
    const client = clientOf(t, socket);
    assert.deepEqual(await client.ping({}), sampleOutputs.ping);
    assert.deepEqual(await client.ping({}), sampleOutputs.ping);
    assert.deepEqual(paths, ["/api/calls", "/api/ping", "/api/ping"]);
  });

  test("does not keep a finished program alive", async (t) => {
    const { socket } = await served(t);
    const program = `
      import { createClient } from "@paneward/sdk";
      import { linkTransport } from "@paneward/sdk/node";
      const { pong } = await createClient(linkTransport(process.argv[1], "client")).ping({});
      console.log(pong);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, socket], { cwd: import.meta.dirname });
    t.after(() => child.kill("SIGKILL"));
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    const [code] = await once(child, "close");
    assert.deepEqual([code, printed], [0, "true\n"]);
  });
});

function clientOf(t: Cleanup, socket: string) {
  const transport = linkTransport(socket, "client");
  afterwards(t, () => transport.close());
  return createClient(transport);
}

function failsWith(code: string, message: RegExp) {
  return (error: PanewardError) => error.code === code && message.test(error.message);
}
