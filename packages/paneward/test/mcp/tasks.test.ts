import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { makeRepository, scriptedAgent } from "../support/repository.ts";
import { mcpDoors } from "./support/doors.ts";
import { call, callNext, refused } from "./support/tool-calls.ts";

const agent = scriptedAgent('echo "working on $1"; echo "$1" > done.txt; git add -A; git commit -q -m "done"; exit 0');

describe("a task", { concurrency: 2 }, () => {
  for (const door of mcpDoors) {
    test(`is started, awaited, read and merged over ${door.name}`, async (t) => {
      const daemon = await startDaemon(t, agent);
      const { root, git } = makeRepository(daemon);
      const client = await door.connect(t, daemon);
      const started = await call(client, "task_start", { root, text: "Write it down" });
      assert.equal(started.data.branch, "paneward/1-write-it-down");
      // A quick agent may already have ended; then reading is suggested.
      assert.match(String(started.data.next), /^terminal_(wait|read) \{/);
      const ends = [{ kind: "exited" }, { kind: "needs_input" }];
      const waited = await call(client, "terminal_wait", { ids: ["1"], for: ends });
      assert.deepEqual(waited.data.results, [{ kind: "exited", id: "1", code: 0 }]);
      const read = await callNext(client, waited);
      assert.match(String(read.data.output), /working on Write it down/);
      const listed = await call(client, "task_list", {});
      assert.match(listed.text, /^1 write-it-down: Exited/);
      const { resources } = await client.listResources();
      const uri = `paneward://terminals/${started.data.terminal}/journal`;
      assert.ok(resources.some((one) => one.uri === uri && one.name === "write-it-down journal"));
      const merged = await call(client, "task_merge", { id: 1 });
      assert.deepEqual([merged.data.base, merged.data.commits], ["main", 1]);
      assert.equal(git("show", "main:done.txt"), "Write it down\n");
      await daemon.client.complete({ id: "1" });
      assert.equal((await call(client, "task_list", {})).text.split("\n")[0], "No tasks.");
      assert.match((await call(client, "task_list", { all: true })).text, /^1 write-it-down: Completed/);
    });
  }

  test("a draft is started by its id; errors name missing fields", async (t) => {
    const daemon = await startDaemon(t, agent);
    const { root } = makeRepository(daemon);
    const [, , overHttp] = mcpDoors;
    const client = await overHttp?.connect(t, daemon);
    assert.ok(client);
    const draft = await call(client, "task_start", { root, text: "later", draft: true });
    assert.equal(draft.data.status, "Draft");
    const started = await callNext(client, draft);
    assert.equal(started.data.id, "1");
    const noText = await refused(client, "task_start", { root });
    assert.match(noText.text, /^text is missing: .*\n.*for example: task_start /);
    const noRoot = await refused(client, "task_start", { text: "where?" });
    assert.match(noRoot.text, /^root is missing: /);
    const unknown = await refused(client, "task_merge", { id: "nobody" });
    assert.match(unknown.text, /Next: task_list/);
  });
});
