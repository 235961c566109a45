import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { mcpDoors } from "./support/doors.ts";
import { call, callNext, refused, startScript } from "./support/tool-calls.ts";

type Case = (client: Client, daemon: TestDaemon) => Promise<void>;

const exited = [{ kind: "exited" }];

/** Run over every door. */
const cases: Readonly<Record<string, Case>> = {
  "a program is started, and following the suggested calls yields its output": async (client) => {
    const started = await call(client, "terminal_start", { argv: ["sh", "-c", "echo héllo; exit 3"], name: "greeter" });
    assert.equal(started.data.name, "greeter");
    const waited = await callNext(client, started);
    assert.deepEqual(waited.data.results, [{ kind: "exited", id: started.data.id, code: 3 }]);
    assert.match(waited.text, /exited with code 3/);
    const read = await callNext(client, waited);
    assert.equal(read.data.output, "héllo\n");
    assert.equal(read.data.state, "Exited");
    assert.match(read.text, /^héllo\n\[Exited; cursor /);
    assert.equal(read.data.next, undefined);
  },

  "the list shows running terminals, with ids that the next call accepts": async (client) => {
    const id = await startScript(client, "sleep 100");
    const listed = await call(client, "terminal_list", {});
    const terminals = listed.data.terminals as readonly { readonly id: string; readonly status: string }[];
    assert.ok(terminals.some((terminal) => terminal.id === id && terminal.status !== "Exited"));
    assert.match(listed.text, new RegExp(`^${id} `, "m"));
    await callNext(client, listed);
    await call(client, "terminal_stop", { id });
  },

  "reading by cursor returns new output, and waits for it": async (client) => {
    const id = await startScript(client, "echo one; read -r line; echo got $line; sleep 100");
    await call(client, "terminal_wait", { ids: [id], for: [{ kind: "output", pattern: "one" }] });
    const first = await call(client, "terminal_read", { id });
    assert.equal(first.data.output, "one\n");
    const waiting = call(client, "terminal_read", { id, cursor: first.data.cursor, wait: 60 });
    const sent = await call(client, "terminal_send", { id, text: "two words" });
    assert.match(sent.text, /Delivery to t\d+ is submitted/);
    assert.match(String((await waiting).data.output), /^two/);
    await call(client, "terminal_wait", { ids: [id], for: [{ kind: "output", pattern: "got two words" }] });
    const all = await call(client, "terminal_read", { id, cursor: first.data.cursor });
    assert.equal(all.data.output, "two words\ngot two words\n");
    const little = await call(client, "terminal_read", { id, cursor: first.data.cursor, budget: 1 });
    assert.notEqual(little.data.left_out, undefined, little.text);
    const whole = await call(client, "terminal_read", { id, all: true });
    assert.equal(whole.data.output, "one\ntwo words\ngot two words\n");
    await call(client, "terminal_stop", { id });
  },

  "the screen is returned as rendered": async (client) => {
    const id = await startScript(client, "printf '\\033[2J\\033[3;5Hdown here'; sleep 100");
    await call(client, "terminal_wait", { ids: [id], for: [{ kind: "output", pattern: "here" }] });
    const { data, text } = await call(client, "terminal_screen", { id });
    assert.equal(data.screen, "\n\n    down here");
    assert.match(text, /^\n\n {4}down here\nNext: terminal_wait /);
    await call(client, "terminal_stop", { id });
  },

  "keys are pressed": async (client) => {
    const id = await startScript(
      client,
      "trap 'echo interrupted; exit 7' INT; echo ready; while :; do sleep 0.1; done",
    );
    await call(client, "terminal_wait", { ids: [id], for: [{ kind: "output", pattern: "ready" }] });
    await call(client, "terminal_send", { id, keys: ["C-c"] });
    const { data } = await call(client, "terminal_wait", { ids: [id], for: exited });
    assert.deepEqual(data.results, [{ kind: "exited", id, code: 7 }]);
  },

  "a repeated delivery with the same key is typed once": async (client) => {
    const id = await startScript(client, "cat");
    await call(client, "terminal_send", { id, text: "once", idempotency_key: "k1" });
    const again = await call(client, "terminal_send", { id, text: "once", idempotency_key: "k1" });
    assert.match(again.text, /nothing was typed again/);
    await call(client, "terminal_stop", { id });
  },

  "stopping twice is reported, and the output is kept": async (client) => {
    const id = await startScript(client, "echo kept; sleep 100");
    await call(client, "terminal_wait", { ids: [id], for: [{ kind: "output", pattern: "kept" }] });
    const stopped = await call(client, "terminal_stop", { id });
    assert.equal(stopped.data.stopped, true);
    assert.equal((await callNext(client, stopped)).data.output, "kept\n");
    assert.match((await call(client, "terminal_stop", { id })).text, /had already ended/);
  },

  "an unknown id is an error result that suggests where to look": async (client) => {
    const { code, text, data } = await refused(client, "terminal_read", { id: "nobody" });
    assert.equal(code, "not_found");
    assert.match(text, /nobody/);
    assert.match(text, /Next: terminal_list \{\}/);
    assert.equal(data.next, "terminal_list {}");
  },

  "an error names the wrong field and shows a call that works": async (client) => {
    const { code, text } = await refused(client, "terminal_start", { argv: "npm test" });
    assert.equal(code, "bad_input");
    assert.match(text, /^argv: .*array/);
    assert.match(text, /for example: terminal_start \{"argv":\["npm","run","dev"\]/);
    const stray = await refused(client, "terminal_read", { id: "t1", since: "1.0" });
    assert.match(stray.text, /since.*known fields: id, cursor, lines, wait, budget, all/);
    const pattern = await refused(client, "terminal_wait", { ids: ["t1"], for: [{ kind: "output", pattern: "(" }] });
    assert.equal(pattern.code, "bad_input");
  },

  "an error for an unknown tool lists the existing ones": async (client) => {
    const { code, text } = await refused(client, "terminal_explode", {});
    assert.equal(code, "bad_input");
    assert.match(text, /terminal_start, terminal_list/);
  },

  "calls are in the audit with the door mcp": async (client, daemon) => {
    const id = await startScript(client, "true");
    const { entries } = await daemon.client.audit({ limit: 5 });
    assert.ok(entries.some(({ door, operation, subject }) => door === "mcp" && operation === "run" && subject === id));
  },
};

describe("terminals", { concurrency: 2 }, () => {
  for (const door of mcpDoors) {
    test(`over ${door.name}`, async (t) => {
      const daemon = await startDaemon(t);
      const client = await door.connect(t, daemon);
      for (const [name, run] of Object.entries(cases)) await t.test(name, () => run(client, daemon));
    });
  }
});
