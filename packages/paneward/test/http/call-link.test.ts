import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import type { Caller } from "../../src/runtime/calls.ts";
import { sampleOutputs } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { ask, failureIn } from "./support/ask.ts";
import { heldHandler } from "./support/held-handler.ts";
import { openRawLink, refusedLink } from "./support/link.ts";
import { served } from "./support/served.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("access to a call link", () => {
  test("on loopback it needs a token, our own Host and Origin, and its address", async (t) => {
    const { port, socket, token, calls } = await served(t);
    const good = bearer(token("read"));
    const refused = async (...link: Parameters<typeof refusedLink>) => failureIn(await refusedLink(...link)).code;
    assert.equal(await refused(port, {}), "unauthorized");
    assert.equal(await refused(port, bearer("pw_wrong")), "unauthorized");
    assert.equal(await refused(port, { ...good, host: `evil.example:${port}` }), "not_allowed");
    assert.equal(await refused(port, { ...good, origin: "https://evil.example" }), "not_allowed");
    assert.equal(await refused(socket, {}, "/api/ping"), "not_found");
    assert.equal(calls.length, 0);
    const link = await openRawLink(t, port, good);
    link.send({ id: 1, call: "ping" });
    assert.deepEqual((await link.answer(1)).output, sampleOutputs.ping);
  });

  test("each call has the current rights of its token, and is audited with its door", async (t) => {
    const { port, token, store, calls } = await served(t);
    const shown = token("send");
    const link = await openRawLink(t, port, { ...bearer(shown), "x-paneward-door": "mcp" });
    link.send({ id: 1, call: "stop", input: { id: "t1" } }, { id: 2, call: "token_list" });
    assert.deepEqual((await link.answer(1)).output, sampleOutputs.stop);
    const { error } = await link.answer(2);
    assert.deepEqual([error?.code, error?.retry], ["not_allowed", "no"]);
    assert.match(error?.hint ?? "", /paneward token create --scope admin/);
    const [, id = ""] = shown.split("_");
    assert.deepEqual(calls.at(-1)?.caller, { who: `token:${id}`, scope: "send", door: "mcp" });
    const [{ who, door, operation, subject, outcome } = {}] = store.audits(5);
    assert.deepEqual([who, door, operation, subject, outcome], [`token:${id}`, "mcp", "stop", "t1", "ok"]);
    store.write((writer) => writer.removeToken(id));
    link.send({ id: 3, call: "stop", input: { id: "t1" } });
    assert.equal((await link.answer(3)).error?.code, "unauthorized");
    assert.equal(calls.length, 1);
  });

  test("revoking a token closes its links at once, with their pending calls", async (t) => {
    const ping = heldHandler(sampleOutputs.ping);
    const revoke = async ({ id }: { readonly id: string }) => {
      store.write((writer) => writer.removeToken(id));
      return { revoked: id };
    };
    const { port, socket, token, store } = await served(t, {
      handlers: { ping: ping.handler, token_revoke: revoke },
      limits: { graceMs: 60_000 },
    });
    const shown = token("read");
    const link = await openRawLink(t, port, bearer(shown));
    const owner = await openRawLink(t, socket);
    link.send({ id: 1, call: "ping" });
    await until("it is under way", ping.isCalled);
    owner.send({ id: 1, call: "token_revoke", input: { id: shown.split("_")[1] } });
    await owner.answer(1);
    await until("it is closed", link.isClosed);
    ping.finish();
    assert.deepEqual(link.received, []);
    assert.equal(owner.isClosed(), false);
  });

  test("calls on loopback count as requests for the rate limit", async (t) => {
    const { port, socket, token } = await served(t, { limits: { perSecond: 1, burst: 3 } });
    const link = await openRawLink(t, port, bearer(token("read")));
    for (const id of [1, 2, 3]) link.send({ id, call: "ping" });
    assert.equal((await link.answer(3)).error?.code, "rate_limited");
    assert.equal((await link.answer(2)).error, undefined);
    const own = await openRawLink(t, socket);
    for (let id = 1; id <= 20; id++) own.send({ id, call: "ping" });
    for (let id = 1; id <= 20; id++) assert.equal((await own.answer(id)).error, undefined);
  });
});

describe("a call", () => {
  test("fails like a request: code, message, hint, retry, and no details of unexpected errors", async (t) => {
    const conflict = new PanewardError("conflict", "two of them", { hint: "choose one" });
    const { socket, logged } = await served(t, {
      handlers: {
        merge: () => Promise.reject(conflict),
        ps: () => Promise.reject(new Error("EACCES: /home/somebody/secret")),
        respond: () => Promise.reject(new PanewardError("not_found", "there is no agent")),
      },
      limits: { maxBodyBytes: 200, maxBodyBytesOf: { send: 400 } },
    });
    const { send, answer } = await openRawLink(t, socket);
    const code = async (id: number, call: string, input?: unknown) => {
      send({ id, call, input });
      return (await answer(id)).error?.code;
    };
    send({ id: 1, call: "merge", input: { id: "7" } });
    assert.deepEqual((await answer(1)).error, { ...conflict.toBody().error });
    assert.equal(await code(2, "ps"), "unexpected");
    assert.ok(!JSON.stringify(await answer(2)).includes("/home"));
    assert.match(JSON.stringify(logged.at(-1)), /EACCES/);
    assert.equal(await code(3, "fly"), "not_found");
    assert.equal(await code(4, "constructor"), "not_found");
    assert.equal(await code(5, "stop", {}), "bad_input");
    assert.equal(await code(6, "stop", { id: "t1", more: 1 }), "bad_input");
    assert.equal(await code(7, "stop", ["t1"]), "bad_input");
    assert.equal(await code(8, "run", { argv: ["x".repeat(300)] }), "too_large");
    assert.equal(await code(9, "send", { id: "t1", text: "x".repeat(300) }), undefined);
    send({ id: 10, call: "respond", input: { id: "a1", text: "yes" } });
    assert.equal((await answer(10)).error_type, "agent_not_found");
  });

  test("is cancelled by its id, others continue, and a disconnect cancels all", async (t) => {
    const waiting: Caller[] = [];
    const wait = (_: unknown, caller: Caller) => {
      waiting.push(caller);
      return new Promise<never>((_, reject) => {
        caller.signal?.addEventListener("abort", () => reject(new PanewardError("wrong_state", "given up")));
      });
    };
    const { socket, logged } = await served(t, { handlers: { wait } });
    const link = await openRawLink(t, socket);
    const input = { ids: ["t1"], for: [{ kind: "exited" }] };
    for (const id of [1, 2, 3]) link.send({ id, call: "wait", input });
    await until("all wait", () => waiting.length === 3);
    link.send({ cancel: 2 }, { cancel: 99 }, { id: 4, call: "ping" });
    await link.answer(4);
    const isGivenUp = () => waiting.map(({ signal }) => signal?.aborted);
    assert.deepEqual(isGivenUp(), [false, true, false]);
    link.socket.destroy();
    await until("all are given up", () => isGivenUp().every(Boolean));
    assert.deepEqual(
      link.received.map(({ id }) => id),
      [4],
    );
    assert.deepEqual(logged, []);
  });

  test("is refused when too many others are pending", async (t) => {
    const wait = () => new Promise<never>(() => {});
    const { socket } = await served(t, { handlers: { wait }, limits: { maxPendingCalls: 3 } });
    const link = await openRawLink(t, socket);
    for (const id of [1, 2, 3, 4]) link.send({ id, call: "wait", input: { ids: ["t1"], for: [{ kind: "idle" }] } });
    assert.equal((await link.answer(4)).error?.code, "rate_limited");
    link.send({ cancel: 1 }, { id: 5, call: "ping" });
    assert.deepEqual((await link.answer(5)).output, sampleOutputs.ping);
  });
});

describe("a link is closed with a reason", () => {
  const wrong: readonly (readonly [string, string | Buffer, string])[] = [
    ["what is not JSON", "GET / HTTP/1.1\n", "bad_input"],
    ["what is no object", "null\n", "bad_input"],
    ["a call without a number", '{"call":"ping"}\n', "bad_input"],
    ["a call without a name", '{"id":1}\n', "bad_input"],
    [
      "a number that is not answered yet",
      '{"id":7,"call":"wait","input":{"ids":["t1"],"for":[{"kind":"idle"}]}}\n'.repeat(2),
      "bad_input",
    ],
    ["what is not UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]), "bad_input"],
    ["a line without an end", "x".repeat(2_000), "too_large"],
  ];
  for (const [what, bytes, code] of wrong) {
    test(`by ${what}`, async (t) => {
      const wait = () => new Promise<never>(() => {});
      const { socket, calls } = await served(t, {
        handlers: { wait },
        limits: { maxBodyBytes: 500, maxBodyBytesOf: {} },
      });
      const link = await openRawLink(t, socket);
      link.socket.write(bytes);
      await until("it is closed", link.isClosed);
      assert.equal(link.received.at(-1)?.error?.code, code);
      assert.equal(calls.length, 0);
    });
  }

  test("but not for empty lines, nor for lines in pieces", async (t) => {
    const { socket } = await served(t);
    const link = await openRawLink(t, socket);
    for (const byte of Buffer.from('\n\r\n{"id":1,"call":"screen","input":{"id":"ü🙂"}}\n')) {
      link.socket.write(Buffer.from([byte]));
    }
    assert.deepEqual((await link.answer(1)).output, sampleOutputs.screen);
  });
});

test("a client that does not read: no more of its calls are read, others are not delayed, and it is disconnected", async (t) => {
  let calls = 0;
  const read = async () => {
    calls++;
    return { ...sampleOutputs.read, output: "x".repeat(4_000_000) };
  };
  const { socket } = await served(t, { handlers: { read }, limits: { blockedMs: 300 } });
  const silent = await openRawLink(t, socket);
  silent.socket.pause();
  silent.send({ id: 1, call: "read", input: { id: "t1" } });
  await until("it is called", () => calls === 1);
  const reader = await openRawLink(t, socket);
  for (const id of [2, 3, 4]) {
    silent.send({ id, call: "read", input: { id: "t1" } });
    reader.send({ id, call: "ping" });
    await reader.answer(id);
  }
  await until("it is cut off", async () =>
    /^paneward_call_links 1$/m.test((await ask(socket, { path: "/metrics" })).text),
  );
  silent.socket.resume();
  await until("it knows", silent.isClosed);
  assert.deepEqual([calls, silent.received.length], [1, 0]);
});

test("a daemon that stops answers pending calls and refuses new ones", async (t) => {
  const shutdown = heldHandler(sampleOutputs.shutdown);
  const { socket, listening } = await served(t, {
    handlers: { shutdown: shutdown.handler },
    limits: { graceMs: 60_000 },
  });
  const link = await openRawLink(t, socket);
  const idle = await openRawLink(t, socket);
  link.send({ id: 1, call: "shutdown" });
  await until("it is under way", shutdown.isCalled);
  const closed = listening.close();
  await until("an idle one is closed", idle.isClosed);
  link.send({ id: 2, call: "stop", input: { id: "t1" } });
  assert.equal((await link.answer(2)).error?.code, "unavailable");
  shutdown.finish();
  assert.deepEqual((await link.answer(1)).output, sampleOutputs.shutdown);
  await until("it is closed", link.isClosed);
  await closed;
});
