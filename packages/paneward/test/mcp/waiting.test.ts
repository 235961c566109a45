import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { mcpDoors, mcpUrl, tokenFor } from "./support/doors.ts";
import { call, callNext, startScript } from "./support/tool-calls.ts";

type Case = (client: Client, daemon: TestDaemon) => Promise<void>;

const cases: Readonly<Record<string, Case>> = {
  "a condition that already holds returns at once": async (client) => {
    const id = await startScript(client, "exit 4");
    for (const _ of ["first", "second"]) {
      const { data } = await call(client, "terminal_wait", { ids: [id], for: [{ kind: "exited" }] });
      assert.deepEqual(data.results, [{ kind: "exited", id, code: 4 }]);
    }
  },

  "matching output ends the wait and is shown": async (client) => {
    const id = await startScript(client, "read -r go; echo listening on 4711; sleep 100");
    const waiting = call(client, "terminal_wait", {
      ids: [id],
      for: [{ kind: "output", pattern: "listening on \\d+" }, { kind: "exited" }],
    });
    await call(client, "terminal_send", { id, text: "go" });
    const { data, text } = await waiting;
    assert.deepEqual(data.results, [{ kind: "output", id, match: "listening on 4711" }]);
    assert.match(text, /Next: terminal_read /);
    await call(client, "terminal_stop", { id });
  },

  "a timeout returns a token, and the next call continues with it": async (client) => {
    const id = await startScript(client, "read -r go; exit 9");
    const late = await call(client, "terminal_wait", { ids: [id], for: [{ kind: "exited" }], timeout: 0.05 });
    const [result] = late.data.results as readonly { readonly kind: string; readonly resume: string }[];
    assert.equal(result?.kind, "timed_out");
    assert.ok(String(late.data.next).includes(result.resume));
    const { data } = await call(client, "terminal_send", { id, text: "go" });
    assert.equal(data.state, "submitted");
    await call(client, "terminal_wait", { ids: [id], for: [{ kind: "exited" }] });
    assert.deepEqual((await callNext(client, late)).data.results, [{ kind: "exited", id, code: 9 }]);
  },

  "a client that asks for progress gets it at once and again": async (client) => {
    const id = await startScript(client, "read -r go");
    const heard: number[] = [];
    const twice = Promise.withResolvers<void>();
    const onprogress = ({ progress, total }: { readonly progress: number; readonly total?: number | undefined }) => {
      assert.equal(total, 20);
      if (heard.push(progress) === 2) twice.resolve();
    };
    const asked = { ids: [id], for: [{ kind: "exited" }], timeout: 20 };
    const waiting = call(client, "terminal_wait", asked, { onprogress });
    await twice.promise;
    assert.equal(heard[0], 0);
    assert.ok((heard[1] ?? 0) >= 2);
    await call(client, "terminal_send", { id, text: "go" });
    assert.deepEqual((await waiting).data.results, [{ kind: "exited", id, code: 0 }]);
  },

  "a question is shown with its options and how it is answered": async (client) => {
    const id = await startScript(client, "printf 'Deploy? [y/N] '; read -r said; echo said $said; sleep 100");
    const { text, data } = await call(client, "terminal_wait", { ids: [id], for: [{ kind: "needs_input" }] });
    const [{ question }] = data.results as readonly [{ readonly question: { readonly id: string } }];
    const asked = new RegExp(
      `^${id} asks: Deploy.*\n  1 .*\n  2 .*\nAnswer: (agent_respond \\{.*?),"option":NUMBER\\}`,
    );
    const [, answer] = asked.exec(text) ?? [];
    assert.ok(answer, text);
    assert.equal(answer, `agent_respond {"id":"${id}","question":"${question.id}"`);
    await callNext(client, { text, data: { next: `${answer},"option":1}` } });
    const said = { ids: [id], for: [{ kind: "output", pattern: "said y" }] };
    assert.match((await call(client, "terminal_wait", said)).text, /printed: said y/);
    await call(client, "terminal_stop", { id });
  },

  "terminal_read and tmux report the progress of their waits too": async (client) => {
    const id = await startScript(client, "read -r go; echo gone; sleep 100");
    const reading = Promise.withResolvers<void>();
    const asked = { id, wait: 100 };
    const read = call(client, "terminal_read", asked, { onprogress: () => reading.resolve() });
    await reading.promise;
    await call(client, "terminal_send", { id, text: "go" });
    assert.match((await read).text, /go/);
    const waiting = Promise.withResolvers<void>();
    const params = { pattern: "never", timeout: "0.1" };
    await call(client, "tmux", { action: "wait", params }, { onprogress: () => waiting.resolve() });
    await waiting.promise;
    await call(client, "terminal_stop", { id });
  },

  "a wait cancelled by the client ends in the daemon too": async (client, daemon) => {
    const id = await startScript(client, "sleep 100");
    const before = await waitsAnswered(daemon);
    const given = new AbortController();
    const asked = { ids: [id], for: [{ kind: "exited" }], timeout: 600 };
    const begun = Promise.withResolvers<void>();
    const options = { signal: given.signal, onprogress: () => begun.resolve() };
    const waiting = call(client, "terminal_wait", asked, options);
    await begun.promise;
    assert.equal(await waitsAnswered(daemon), before);
    given.abort();
    await assert.rejects(waiting);
    await until("the daemon's wait has ended", async () => (await waitsAnswered(daemon)) > before);
    await call(client, "terminal_stop", { id });
  },
};

describe("waiting", { concurrency: 2 }, () => {
  for (const door of mcpDoors) {
    test(`over ${door.name}`, async (t) => {
      const daemon = await startDaemon(t);
      const client = await door.connect(t, daemon);
      for (const [name, run] of Object.entries(cases)) await t.test(name, () => run(client, daemon));
    });
  }
});

/** How many waits the daemon has finished, cancelled ones included. */
async function waitsAnswered(daemon: TestDaemon): Promise<number> {
  const authorization = `Bearer ${await tokenFor(daemon, "read")}`;
  const text = await (await fetch(new URL("/metrics", mcpUrl(daemon)), { headers: { authorization } })).text();
  const counts = [...text.matchAll(/^paneward_http_requests_total\{operation="wait",.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
