import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { createClient, type Client as Daemon, type Output, PanewardError } from "@paneward/sdk";
import { createMcpServer } from "../../src/mcp/server.ts";
import { remoteClient } from "../../src/mcp/tool-client.ts";

type Results = Output<"capability">["results"];

/** An MCP client, with a daemon whose capability returns the given results. */
async function modelWith(t: { after(clean: () => Promise<void>): void }, results: Results) {
  const asked: unknown[] = [];
  const respond = (_method: string, _path: string, body?: string) => {
    asked.push(JSON.parse(body ?? ""));
    return Promise.resolve({ status: 200, text: JSON.stringify({ results }) });
  };
  const daemon: Daemon = createClient({
    request: respond,
    stream: () => Promise.reject(new PanewardError("not_allowed", "no events here")),
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  t.after(() => client.close());
  await createMcpServer(remoteClient(daemon), { version: "1", scope: "admin", persistent: true }).connect(ours);
  await client.connect(theirs);
  return { client, asked };
}

test("the tool tmux passes action and params on, and suggests the next call", async (t) => {
  const { client, asked } = await modelWith(t, [{ success: true, data: { sent: true } }]);
  const params = { pane: "0.1", command: "make" };
  const { structuredContent, isError } = await client.callTool({
    name: "tmux",
    arguments: { action: "send", params },
  });
  assert.deepEqual(asked, [{ action: "send", params }]);
  assert.notEqual(isError, true);
  assert.deepEqual(structuredContent, {
    results: [{ success: true, data: { sent: true } }],
    next: 'tmux {"action":"wait","params":{"pane":"0.1"}}',
  });
});

test("parameters may also stand beside the action, but not twice", async (t) => {
  const { client, asked } = await modelWith(t, [{ success: true, data: { pane: "1.0" } }]);
  const flat = { action: "send", command: "make", clear: true };
  const { structuredContent, isError } = await client.callTool({ name: "tmux", arguments: flat });
  assert.notEqual(isError, true);
  assert.equal(
    (structuredContent as { readonly next?: string }).next,
    'tmux {"action":"wait","params":{"pane":"1.0"}}',
  );
  await client.callTool({ name: "tmux", arguments: { ...flat, params: { pane: "0.1" } } });
  assert.deepEqual(asked, [
    { action: "send", params: { command: "make", clear: true } },
    { action: "send", params: { command: "make", clear: true, pane: "0.1" } },
  ]);
  const twice = { ...flat, params: { command: "rm" } };
  const { content } = await client.callTool({ name: "tmux", arguments: twice });
  assert.match(JSON.stringify(content), /command is given twice/);
  assert.equal(asked.length, 2);
});

test("the next call is on the same host, and a wait that timed out is repeated", async (t) => {
  const { client } = await modelWith(t, [{ success: true, data: { reason: "timeout" } }]);
  const nextOf = async (action: string, params: Readonly<Record<string, string>>) => {
    const { structuredContent } = await client.callTool({ name: "tmux", arguments: { action, params } });
    return (structuredContent as { readonly next?: string }).next;
  };
  const there = { pane: "0.1", host: "box" };
  assert.equal(
    await nextOf("send", { ...there, command: "make" }),
    'tmux {"action":"wait","params":{"pane":"0.1","host":"box"}}',
  );
  assert.equal(
    await nextOf("wait", { ...there, pattern: "ok" }),
    'tmux {"action":"wait","params":{"pane":"0.1","host":"box","pattern":"ok"}}',
  );
  assert.equal(await nextOf("split", { host: "box" }), 'tmux {"action":"list","params":{"host":"box"}}');
  assert.equal(await nextOf("split", {}), 'tmux {"action":"list"}');
});

test("a failed action is an error result with the capability's suggestion", async (t) => {
  const { client } = await modelWith(t, [{ success: false, error: "no pane 0.7", suggestion: "list the panes" }]);
  const { isError, content } = await client.callTool({ name: "tmux", arguments: { action: "read" } });
  assert.equal(isError, true);
  assert.deepEqual(content, [{ type: "text", text: "no pane 0.7\nHint: list the panes" }]);
});

test("exactly one of action and text is required, and is passed on unchanged", async (t) => {
  const { client, asked } = await modelWith(t, [{ success: true, data: {} }]);
  const text = '<capability name="tmux" action="dance" />';
  await client.callTool({ name: "tmux", arguments: { text } });
  await client.callTool({ name: "tmux", arguments: { action: "dance" } });
  assert.deepEqual(asked, [{ text }, { action: "dance", params: {} }]);
  for (const wrong of [{}, { text, action: "list" }]) {
    const { isError, content } = await client.callTool({ name: "tmux", arguments: wrong });
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), /either action or text.*for example: tmux /);
  }
});
