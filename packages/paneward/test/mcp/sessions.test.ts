import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { mcpUrl, tokenFor } from "./support/doors.ts";
import { initialize, openSession, post } from "./support/wire.ts";

const listTools = { jsonrpc: "2.0", id: 2, method: "tools/list" } as const;

type Case = (daemon: TestDaemon) => Promise<void>;

const cases: Readonly<Record<string, Case>> = {
  "refuses requests without a token or with an unknown one": async (daemon) => {
    assert.equal((await post(daemon, { body: initialize })).status, 401);
    assert.equal((await post(daemon, { token: "pw_no_such", body: initialize })).status, 401);
  },

  "refuses other origins and other host names": async (daemon) => {
    const token = await tokenFor(daemon, "admin");
    const foreign = await post(daemon, { token, headers: { origin: "http://evil.example" }, body: initialize });
    assert.equal(foreign.status, 403);
    assert.equal(await statusUnderName(daemon, token, "evil.example"), 403);
  },

  "a session belongs to the token that opened it": async (daemon) => {
    const own = await openSession(daemon, await tokenFor(daemon, "admin"));
    const thief = await tokenFor(daemon, "admin");
    assert.equal((await post(daemon, { ...own, token: thief, body: listTools })).status, 404);
    assert.equal((await post(daemon, { ...own, body: listTools })).status, 200);
  },

  "a session deleted by its client is gone": async (daemon) => {
    const own = await openSession(daemon, await tokenFor(daemon, "read"));
    const headers = { authorization: `Bearer ${own.token}`, "mcp-session-id": own.session };
    assert.equal((await fetch(mcpUrl(daemon), { method: "DELETE", headers })).status, 200);
    assert.equal((await post(daemon, { ...own, body: listTools })).status, 404);
  },

  "the 65th session of a token closes its oldest; other tokens keep theirs": async (daemon) => {
    const [token, other] = [await tokenFor(daemon, "read"), await tokenFor(daemon, "read")];
    const others = await openSession(daemon, other);
    const first = await openSession(daemon, token);
    const second = await openSession(daemon, token);
    for (let count = 2; count < 65; count++) await openSession(daemon, token);
    assert.equal((await post(daemon, { ...first, body: listTools })).status, 404);
    assert.equal((await post(daemon, { ...second, body: listTools })).status, 200);
    assert.equal((await post(daemon, { ...others, body: listTools })).status, 200);
  },

  "a message without a session, other than initialize, is refused and creates no session": async (daemon) => {
    const token = await tokenFor(daemon, "read");
    const answer = await post(daemon, { token, body: listTools });
    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get("mcp-session-id"), null);
  },

  "of two requests under way with one id the second is refused at once, the first is answered": async (daemon) => {
    const own = await openSession(daemon, await tokenFor(daemon, "admin"));
    const { id } = await daemon.client.run({ argv: ["sleep", "1000"] });
    const params = { name: "terminal_wait", arguments: { ids: [id], for: [{ kind: "exited" }], timeout: 60 } };
    const wait = { jsonrpc: "2.0", id: 7, method: "tools/call", params };
    const first = await post(daemon, { ...own, body: wait });
    const second = await post(daemon, { ...own, body: { ...listTools, id: 7 } });
    assert.equal(second.status, 400);
    assert.match(await second.text(), /"id":7,"error":\{"code":-32600,"message":"another request with the id 7/);
    const twice = await post(daemon, {
      ...own,
      body: [
        { ...listTools, id: 8 },
        { ...listTools, id: 8 },
      ],
    });
    assert.equal(twice.status, 400);
    await daemon.client.stop({ id });
    assert.match(await first.text(), /t\d+ was stopped/);
    const third = await post(daemon, { ...own, body: { ...listTools, id: 7 } });
    assert.match(await third.text(), /terminal_wait/, "an answered request's id is free again");
  },

  "a request that was refused or cancelled leaves its id free": async (daemon) => {
    const own = await openSession(daemon, await tokenFor(daemon, "admin"));
    const headers = { "mcp-protocol-version": "1999-01-01" };
    assert.equal((await post(daemon, { ...own, headers, body: listTools })).status, 400);
    assert.equal((await post(daemon, { ...own, body: listTools })).status, 200);
    const { id } = await daemon.client.run({ argv: ["sleep", "1000"] });
    const params = { name: "terminal_wait", arguments: { ids: [id], for: [{ kind: "exited" }], timeout: 60 } };
    const waiting = await post(daemon, { ...own, body: { jsonrpc: "2.0", id: 9, method: "tools/call", params } });
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } };
    assert.equal((await post(daemon, { ...own, body: cancel })).status, 202);
    assert.equal((await post(daemon, { ...own, body: { ...listTools, id: 9 } })).status, 200);
    await waiting.body?.cancel();
  },

  "a body that is not JSON or exceeds 8 MiB is refused": async (daemon) => {
    const token = await tokenFor(daemon, "admin");
    assert.equal((await post(daemon, { token, body: "{" })).status, 400);
    assert.equal((await post(daemon, { token, body: `"${"x".repeat(8 * 1_048_576)}"` })).status, 413);
    const own = await openSession(daemon, token);
    assert.equal((await post(daemon, { ...own, body: "{" })).status, 400);
    assert.equal((await post(daemon, { ...own, body: `"${"x".repeat(8 * 1_048_576)}"` })).status, 413);
  },
};

test("MCP over HTTP", async (t) => {
  const daemon = await startDaemon(t);
  for (const [name, run] of Object.entries(cases)) await t.test(name, () => run(daemon));
});

test("the streams of a session end when the daemon stops", async (t) => {
  const daemon = await startDaemon(t);
  const own = await openSession(daemon, await tokenFor(daemon, "read"));
  const headers = {
    authorization: `Bearer ${own.token}`,
    "mcp-session-id": own.session,
    accept: "text/event-stream",
  };
  const stream = await fetch(mcpUrl(daemon), { headers });
  assert.equal(stream.status, 200);
  const ended = stream.text();
  await daemon.kill("SIGTERM");
  await ended;
});

test("closing a session closes its event stream in the daemon", async (t) => {
  const daemon = await startDaemon(t);
  const own = await openSession(daemon, await tokenFor(daemon, "read"));
  await until("the session follows events", async () => (await openStreams(daemon, own.token)) === 1);
  const headers = { authorization: `Bearer ${own.token}`, "mcp-session-id": own.session };
  await fetch(mcpUrl(daemon), { method: "DELETE", headers });
  await until("it no longer does", async () => (await openStreams(daemon, own.token)) === 0);
});

async function openStreams(daemon: TestDaemon, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(new URL("/metrics", mcpUrl(daemon)), { headers })).text();
  return Number(/^paneward_event_stream_clients (\d+)$/m.exec(text)?.[1]);
}

/** fetch does not allow setting Host, so use node:http. */
function statusUnderName(daemon: TestDaemon, token: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${token}`, "content-type": "application/json" };
    request(mcpUrl(daemon), { method: "POST", headers }, (answer) => resolve(answer.resume().statusCode))
      .on("error", reject)
      .end(JSON.stringify(initialize));
  });
}
