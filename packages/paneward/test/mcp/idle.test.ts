import assert from "node:assert/strict";
import { test } from "node:test";
import { createMcpEndpoint } from "../../src/mcp/endpoint.ts";
import { initialize } from "./support/wire.ts";

const caller = {
  who: "token:1",
  scope: "read" as const,
  call: () => Promise.reject(new Error("nothing is called")),
  cut: () => {},
  onRevoked: () => () => {},
  ask: async () =>
    Response.json({ error: { code: "not_allowed", message: "no", hint: "", retry: "no" } }, { status: 403 }),
};

test("an unused session is closed, but not while its client has a stream open", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const endpoint = createMcpEndpoint({ version: "1", idleMs: 1_000 });
  t.after(() => endpoint.close());
  const ask = (method: string, session: string | undefined, body?: object, signal?: AbortSignal) => {
    const headers = new Headers({ accept: "application/json, text/event-stream", "content-type": "application/json" });
    if (session !== undefined) headers.set("mcp-session-id", session);
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}), ...(signal ? { signal } : {}) };
    return endpoint.answer(new Request("http://inside/mcp", init), caller);
  };
  const open = async () => (await ask("POST", undefined, initialize)).headers.get("mcp-session-id") ?? "";
  const isOpen = async (session: string) =>
    (await ask("POST", session, { jsonrpc: "2.0", id: 2, method: "ping" })).status === 200;

  const [used, idle, listening] = [await open(), await open(), await open()];
  const leaving = new AbortController();
  assert.equal((await ask("GET", listening, undefined, leaving.signal)).status, 200);
  t.mock.timers.tick(900);
  assert.equal(await isOpen(used), true);
  t.mock.timers.tick(900);
  assert.deepEqual([await isOpen(used), await isOpen(idle), await isOpen(listening)], [true, false, true]);
  leaving.abort();
  t.mock.timers.tick(1_000);
  assert.deepEqual([await isOpen(used), await isOpen(listening)], [false, false]);
});
