import assert from "node:assert/strict";
import { test } from "node:test";
import { mcpUrl } from "../mcp/support/doors.ts";
import { openSession, post } from "../mcp/support/wire.ts";
import { startDaemon } from "../support/daemon.ts";

test("a revoked token loses its pending waits, event streams and MCP streams at once", async (t) => {
  const daemon = await startDaemon(t);
  const { client, port } = daemon;
  const { id: terminal } = await client.run({ argv: ["cat"], cwd: "/" });
  const { id, token } = await client.token_create({ scope: "admin" });
  const authorization = `Bearer ${token}`;
  const session = await openSession(daemon, token);
  const wait = { name: "terminal_wait", arguments: { ids: [terminal], for: [{ kind: "exited" }], timeout: 600 } };
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: wait };
  const open: Readonly<Record<string, Promise<Response>>> = {
    "an event stream": fetch(`http://127.0.0.1:${port}/api/events/stream`, { headers: { authorization } }),
    "a read that waits": fetch(`http://127.0.0.1:${port}/api/terminals/${terminal}/output?wait=600`, {
      headers: { authorization },
    }),
    "an MCP stream": fetch(mcpUrl(daemon), {
      headers: { authorization, accept: "text/event-stream", "mcp-session-id": session.session },
    }),
    "an MCP call": post(daemon, { ...session, body: call }),
  };
  const ended = Object.entries(open).map(async ([what, answer]) => {
    const outcome = await answer
      .then((one) => one.text())
      .then(
        (text) => text.includes('"results"'),
        () => false,
      );
    assert.equal(outcome, false, what);
    return what;
  });
  // Answers that go on have begun; the one that waits has not.
  for (const what of ["an event stream", "an MCP stream", "an MCP call"])
    assert.equal((await open[what])?.status, 200, what);
  await client.token_revoke({ id });
  assert.deepEqual(await Promise.all(ended), Object.keys(open));
  const again = await client.token_create({ scope: "admin" });
  const answer = await post(daemon, { token: again.token, session: session.session, body: call });
  assert.equal(answer.status, 404, "the session is gone");
  assert.equal(
    (await client.wait({ ids: [terminal], for: [{ kind: "exited" }], timeout: 0 })).results[0]?.kind,
    "timed_out",
  );
});
