import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { until } from "../support/until.ts";
import { paneward, startPaneward } from "./support/cli.ts";
import { fakeAnswers, sampleTask } from "./support/fake-answers.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";

describe("following", { concurrency: 4 }, () => {
  test("events --follow prints new events as JSON lines until Ctrl-C", async (t) => {
    const daemon = await fakeDaemon(t);
    const cli = startPaneward(t, ["events", "--follow", "--json"], daemon);
    await until("a client follows events", () => daemon.followers.size > 0);
    daemon.emit({ seq: 8, type: "tasks_changed", data: { reason: "a" } });
    daemon.emit({ seq: 9, type: "tasks_changed", data: { reason: "b" } });
    await until("both are printed", () => cli.printed.stdout.split("\n").length === 3);
    const seen = cli.printed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      seen.map(({ seq, data }) => [seq, data.reason]),
      [
        [8, "a"],
        [9, "b"],
      ],
    );
    cli.child.kill("SIGINT");
    const { signal, stderr } = await cli.ended;
    assert.deepEqual([signal, stderr], ["SIGINT", ""]);
  });

  test("events --follow continues after the daemon was away, and prints a note", async (t) => {
    const daemon = await fakeDaemon(t);
    const cli = startPaneward(t, ["events", "--follow"], daemon);
    const [first] = await until("a client follows events", () => daemon.followers.size > 0 && [...daemon.followers]);
    daemon.emit({ seq: 8, type: "tasks_changed", data: { reason: "before" } });
    await until("the first is printed", () => cli.printed.stdout.includes("  before\n"));
    first?.destroy();
    await until("it follows again", () => daemon.followers.size === 1 && !daemon.followers.has(first as never));
    daemon.emit({ seq: 9, type: "tasks_changed", data: { reason: "after" } });
    await until("the second is printed", () => cli.printed.stdout.includes("  after\n"));
    assert.match(cli.printed.stderr, /the daemon does not answer .*; retrying/);
  });

  test("a closed stdout ends it quietly", async (t) => {
    const daemon = await fakeDaemon(t);
    const cli = startPaneward(t, ["events", "--follow"], daemon);
    await until("a client follows events", () => daemon.followers.size > 0);
    daemon.emit({ seq: 8, type: "tasks_changed", data: { reason: "a" } });
    await once(cli.child.stdout, "data");
    cli.child.stdout.destroy();
    daemon.emit({ seq: 9, type: "tasks_changed", data: { reason: "b" } });
    const { code, stderr } = await cli.ended;
    assert.deepEqual([code, stderr], [0, ""]);
  });

  test("a long list may be cut off by head", async (t) => {
    const many = Array.from({ length: 20_000 }, (_, at) => ({ ...sampleTask, id: at, slug: `task-${at}` }));
    const daemon = await fakeDaemon(t, { ps: () => ({ ...fakeAnswers.ps, tasks: many }) });
    const cli = startPaneward(t, ["ps"], daemon);
    await once(cli.child.stdout, "data");
    cli.child.stdout.destroy();
    const { code, stderr } = await cli.ended;
    assert.deepEqual([code, stderr], [0, ""]);
  });

  test("ps --watch refreshes after an event and at no other time", async (t) => {
    let asks = 0;
    const ps = () => ({ ...fakeAnswers.ps, tasks: [{ ...sampleTask, slug: `look-${++asks}` }] });
    const daemon = await fakeDaemon(t, { ps });
    const cli = startPaneward(t, ["ps", "--watch"], daemon);
    await until("a client follows events", () => daemon.followers.size > 0);
    assert.match(cli.printed.stdout, /look-1/);
    assert.equal(asks, 1);
    daemon.emit({ seq: 8, type: "task_status_changed", data: {} });
    await until("the change is shown", () => cli.printed.stdout.includes("look-2"));
    assert.equal(asks, 2);
  });

  test("logs -f keeps reading from the cursor until the program has ended", async (t) => {
    const pieces = [
      { ...fakeAnswers.read, output: "one\n", cursor: "c1", has_more: true },
      { ...fakeAnswers.read, output: "two\n", cursor: "c2", state: "Running" as const, missed: 12 },
      { ...fakeAnswers.read, output: "three\n", cursor: "c3", state: "Exited" as const },
    ];
    const read = () => pieces.shift() ?? fakeAnswers.read;
    const daemon = await fakeDaemon(t, { read });
    const { stdout, stderr, code } = await paneward(["logs", "12", "-f"], daemon);
    assert.deepEqual([stdout, code], ["one\ntwo\nthree\n", 0]);
    assert.match(stderr, /12 bytes before this are no longer kept/);
    assert.deepEqual(
      daemon.asked.map(({ input }) => [input.since, input.wait]),
      [
        [undefined, undefined],
        ["c1", "0"],
        ["c2", "600"],
      ],
    );
  });
});

describe("wait", { concurrency: 4 }, () => {
  test("continues with the previous request's token when it outlasts one request", async (t) => {
    const answers = [
      [{ kind: "timed_out", resume: "r1" } as const],
      [{ kind: "timed_out", resume: "r2" } as const],
      [{ kind: "idle", id: "12" } as const],
    ];
    const daemon = await fakeDaemon(t, { wait: () => ({ results: answers.shift() ?? [] }) });
    const { stdout, code } = await paneward(["wait", "12", "--for", "idle", "--json"], daemon);
    assert.deepEqual([stdout, code], ['{"kind":"idle","id":"12"}\n', 0]);
    assert.deepEqual(
      daemon.asked.map(({ input }) => input.resume),
      [undefined, "r1", "r2"],
    );
  });

  test("exits with 124 on a timeout and prints the token", async (t) => {
    const results = [{ kind: "exited", id: "1", code: 0 } as const, { kind: "timed_out", resume: "tok" } as const];
    const daemon = await fakeDaemon(t, { wait: () => ({ results }) });
    const typed = ["wait", "1", "2", "--for", "exited", "--timeout", "0", "--resume", "old"];
    const forPeople = await paneward(typed, daemon);
    assert.deepEqual([forPeople.stdout, forPeople.code], ["1 exited with code 0\n", 124]);
    assert.match(forPeople.stderr, /timed out; continue with --resume tok/);
    const forPrograms = await paneward([...typed, "--json"], daemon);
    assert.equal(forPrograms.stdout, `${results.map((result) => JSON.stringify(result)).join("\n")}\n`);
    assert.deepEqual([daemon.asked[0]?.input.resume, daemon.asked[0]?.input.timeout], ["old", 0]);
  });

  test("survives one broken connection and reports the second", async (t) => {
    let asks = 0;
    const broken = () => {
      asks++;
      throw new PanewardError("outcome_unknown", "the daemon went away");
    };
    const daemon = await fakeDaemon(t, { wait: () => (asks < 1 ? broken() : fakeAnswers.wait) });
    assert.equal((await paneward(["wait", "12", "--for", "exited"], daemon)).code, 0);
    const gone = await fakeDaemon(t, { wait: broken });
    assert.equal((await paneward(["wait", "12", "--for", "exited"], gone)).code, 5);
    assert.equal(asks, 3);
  });
});

describe("a daemon of another version", () => {
  for (const [version, hint] of [
    ["9.9.9", "paneward update"],
    ["0.0.9", "paneward daemon restart"],
  ]) {
    test(`${version} is noted once on stderr, with what renews the older of the two; commands work`, async (t) => {
      const daemon = await fakeDaemon(t, {}, version);
      const { stdout, stderr, code } = await paneward(["stop", "a", "b"], daemon);
      assert.equal(stderr, `paneward: the daemon is version ${version} and this is 0.1.0; hint: \`${hint}\`\n`);
      assert.deepEqual([stdout.split("\n").length, code], [3, 0]);
    });
  }

  test("without the operation that a command needs is named, with what to do", async (t) => {
    const trust = () => {
      throw new PanewardError("not_found", "there is no POST /api/trust here");
    };
    const daemon = await fakeDaemon(t, { ps: trust }, "0.0.9");
    const { stderr, code } = await paneward(["ps"], daemon);
    assert.match(stderr, /the daemon is version 0\.0\.9 and this is 0\.1\.0; hint: `paneward daemon restart`\n/);
    assert.equal(code, 3);
  });
});
