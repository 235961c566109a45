import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { operationNames, routes, scopes } from "@paneward/sdk";
import { catalogue } from "../../src/mcp/catalogue.ts";
import { guide, instructions } from "../../src/mcp/guide.ts";
import { startDaemon } from "../support/daemon.ts";
import { mcpDoors, overHttp, tokenFor } from "./support/doors.ts";
import { call, refused, startScript } from "./support/tool-calls.ts";
import { openSession, post } from "./support/wire.ts";

const everyTool = [
  "terminal_start",
  "terminal_list",
  "terminal_read",
  "terminal_send",
  "terminal_screen",
  "terminal_stop",
  "terminal_restore",
  "terminal_wait",
  "task_start",
  "task_list",
  "task_merge",
  "agent_respond",
  "thread_post",
  "thread_read",
  "tmux",
  "pane_bridge",
];
const readOnlyTools = [
  "terminal_list",
  "terminal_read",
  "terminal_screen",
  "terminal_wait",
  "task_list",
  "thread_read",
];

describe("the catalogue", { concurrency: 2 }, () => {
  test("is the same over every door, with annotations", async (t) => {
    const daemon = await startDaemon(t);
    for (const door of mcpDoors) {
      const client = await door.connect(t, daemon);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        everyTool,
      );
      for (const { name, annotations, inputSchema, description } of tools) {
        // A hint that is not given is false.
        assert.equal(annotations?.readOnlyHint ?? false, readOnlyTools.includes(name), name);
        assert.ok(!(annotations?.readOnlyHint && annotations.destructiveHint), name);
        assert.equal(inputSchema.type, "object");
        assert.ok((description ?? "").length > 20, name);
      }
    }
  });

  test("takes less than 12,000 characters on the wire, and the instructions less than 1,000", async (t) => {
    const daemon = await startDaemon(t);
    const session = await openSession(daemon, await tokenFor(daemon, "admin"));
    const answer = await post(daemon, { ...session, body: { jsonrpc: "2.0", id: 2, method: "tools/list" } });
    const text = await answer.text();
    assert.match(text, /"terminal_start"/);
    assert.ok(text.length < 12_000, `${text.length} characters`);
    assert.ok(instructions.length < 1_000, `${instructions.length} characters`);
  });

  test("the guide names only existing tools", () => {
    const named = new Set([...`${guide}${instructions}`.matchAll(/\b(?:terminal|task)_(?!id)[a-z]+/g)].map(String));
    assert.deepEqual(
      [...named].filter((name) => !everyTool.includes(name)),
      [],
    );
  });

  test("every call in the guide and every example matches its tool's schema", () => {
    const written = [...guide.matchAll(/\b([a-z]+_[a-z]+|tmux) (\{.*?\})(?=$|[ .;)])/gm)];
    assert.ok(written.length > 15, String(written.length));
    const calls = written.map(([, name = "", input = ""]) => ({ name, input: JSON.parse(input) as unknown }));
    for (const { name, input } of [...calls, ...catalogue.map((tool) => ({ name: tool.name, input: tool.example }))]) {
      const tool = catalogue.find((one) => one.name === name);
      assert.ok(tool, name);
      const fits = tool.input.strict().safeParse(input);
      assert.ok(fits.success, `${name} ${JSON.stringify(input)}: ${fits.error}`);
    }
  });

  test("serves every operation that has the door mcp, and no other", () => {
    const served = new Set(catalogue.flatMap(({ operations }) => operations));
    const wanted = operationNames.filter((name) => (routes[name].doors as readonly string[]).includes("mcp"));
    assert.deepEqual([...served].toSorted(), wanted.toSorted());
  });
});

describe("scopes", { concurrency: 2 }, () => {
  const listed = { read: 6, send: 13, approve: 16, admin: 16 } as const;

  test("each token lists what it may call", async (t) => {
    const daemon = await startDaemon(t);
    for (const scope of scopes) {
      const client = await overHttp(t, daemon, scope);
      assert.equal((await client.listTools()).tools.length, listed[scope], scope);
    }
  });

  test("a token for reading can read, and errors name the scope the rest needs", async (t) => {
    const daemon = await startDaemon(t);
    const reader = await overHttp(t, daemon, "read");
    const sender = await overHttp(t, daemon, "send");
    const id = await startScript(sender, "cat");
    assert.match((await call(reader, "terminal_list", {})).text, new RegExp(`^${id} `));
    const { code, text } = await refused(reader, "terminal_send", { id, text: "rm -rf /" });
    assert.equal(code, "not_allowed");
    assert.match(text, /needs the scope send; this caller has read/);
    const { code: merge } = await refused(sender, "task_merge", { id: "1" });
    assert.equal(merge, "not_allowed");
    assert.equal((await call(reader, "terminal_read", { id })).data.output, "");
    await call(sender, "terminal_stop", { id });
  });

  test("a revoked token ends its sessions", async (t) => {
    const daemon = await startDaemon(t);
    const client = await overHttp(t, daemon, "read");
    const { tokens } = await daemon.client.token_list({});
    for (const { id } of tokens) await daemon.client.token_revoke({ id });
    await assert.rejects(client.listTools(), /401|unauthorized|not known/i);
  });
});
