import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import type { InboxEvent } from "@paneward/sdk";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { v1 } from "./support/v1.ts";

const rounds = process.env.PANEWARD_SOAK ? 1_000 : 100;
const cleanups: (() => unknown)[] = [];
const place = { after: (work: () => unknown) => void cleanups.push(work) };
let daemon: TestDaemon;
let ask: ReturnType<typeof v1>;
let token: string;
let runtimePath: string;

before(async () => {
  daemon = await startDaemon(place);
  ({ token, runtimePath } = await daemon.client.team_open({ team: "demo", root: "/repo", agent: "lead" }));
  const bare = v1(daemon, "tcp");
  ask = (method, path, body, options) => bare(method, path, body, { token, ...options });
});

after(async () => {
  for (const work of cleanups.reverse()) await work();
});

async function refused(code: string, status: number, response: ReturnType<typeof ask>): Promise<void> {
  const { body, json, status: actual } = await response;
  assert.equal(actual, status, JSON.stringify(json));
  assert.equal(body.error.code, code);
}

describe("/v1 is teamd's contract", () => {
  test("health needs no token; everything else does, and a token opens its own team only", async () => {
    const { status, version } = (await ask("GET", "/healthz", undefined, { token: undefined })).body;
    assert.deepEqual([status, typeof version], ["ok", "string"]);
    await refused("UNAUTHORIZED", 401, ask("GET", "/v1/tasks", undefined, { token: undefined }));
    await refused(
      "UNAUTHORIZED",
      401,
      ask("GET", "/v1/tasks", undefined, { token: `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}` }),
    );
    const other = await daemon.client.team_open({ team: "other" });
    await refused("UNAUTHORIZED", 401, ask("GET", "/v1/tasks?teamId=other"));
    await refused("UNAUTHORIZED", 401, ask("GET", "/v1/teams/other"));
    assert.deepEqual(
      (await ask("GET", "/v1/teams", undefined, { token: other.token })).body.teams.map(({ teamId }) => teamId),
      ["other"],
    );
    assert.equal((await ask("GET", "/api/ps")).status, 401);
    assert.deepEqual((await ask("GET", "/v1/teams/demo")).body.team.agents, [{ id: "lead", role: "leader" }]);
  });

  test("runtime.json is private and complete, removed by a stop and new after a start", async () => {
    const read = () => JSON.parse(readFileSync(runtimePath, "utf8"));
    assert.equal(statSync(runtimePath).mode & 0o777, 0o600);
    const { url, pid, schemaVersion, socket } = read();
    assert.deepEqual(
      [url, pid, schemaVersion, socket],
      [`http://127.0.0.1:${daemon.port}`, daemon.pid, "1.0.0", daemon.env.PANEWARD_SOCKET_PATH],
    );
    assert.equal(read().token, token);
    assert.deepEqual(readdirSync(dirname(runtimePath)), ["runtime.json"]);
    await daemon.kill("SIGTERM");
    assert.equal(existsSync(runtimePath), false);
    await daemon.start();
    const renewed = read().token;
    assert.notEqual(renewed, token);
    await refused("UNAUTHORIZED", 401, v1(daemon, "tcp")("GET", "/v1/tasks", undefined, { token }));
    token = renewed;
    assert.equal((await ask("GET", "/v1/teams/demo")).status, 200);
  });

  test("a task goes from blocked to completed, with fencing", async () => {
    const made = await ask("POST", "/v1/tasks", { teamId: "demo", title: "One", resources: ["src/"] });
    assert.equal(made.status, 201);
    const one = made.body.task;
    assert.match(one.id, /^task-\d{4}$/);
    assert.deepEqual([one.status, one.owner, one.lease, one.epoch], ["pending", null, null, 0]);
    const two = (await ask("POST", "/v1/tasks", { teamId: "demo", title: "Two", deps: [one.id] })).body.task;
    assert.equal(two.status, "blocked");
    await refused("TASK_NOT_CLAIMABLE", 409, ask("POST", `/v1/tasks/${two.id}/claim`, { agentId: "ann" }));
    const { lease } = (await ask("POST", `/v1/tasks/${one.id}/claim`, { teamId: "demo", agentId: "ann" })).body;
    assert.deepEqual([lease.holder, lease.epoch], ["ann", 1]);
    await refused("TASK_NOT_CLAIMABLE", 409, ask("POST", `/v1/tasks/${one.id}/claim`, { agentId: "bob" }));
    await refused(
      "LEASE_HOLDER_MISMATCH",
      403,
      ask("POST", `/v1/tasks/${one.id}/complete`, { agentId: "bob", epoch: 1 }),
    );
    await refused("EPOCH_MISMATCH", 409, ask("POST", `/v1/tasks/${one.id}/renew`, { agentId: "ann", epoch: 9 }));
    const renewed = await ask("POST", `/v1/tasks/${one.id}/renew`, { agentId: "ann", epoch: 1, ttlMs: 900_000 });
    assert.ok(renewed.body.lease.expiresAt > lease.expiresAt);
    const can = async (query: string) => await ask("GET", `/v1/can-write?${query}`);
    assert.deepEqual((await can("agentId=ann&path=src/a.ts")).json, {
      allow: true,
      reason: "lease_active_for_resource",
    });
    assert.deepEqual((await can("agentId=ann&path=/repo/docs/a")).json, {
      allow: false,
      reason: "no_active_lease_for_path",
    });
    assert.deepEqual((await can("agentId=ann&path=src/../../etc")).json, {
      allow: false,
      reason: "path_traversal_denied",
    });
    assert.deepEqual((await can("agentId=ann&path=")).json, { allow: false, reason: "invalid_path" });
    assert.equal((await can("agentId=ann&path=.&action=run")).body.allow, true);
    assert.equal((await can("agentId=lead&path=.&action=start")).body.allow, true);
    assert.equal((await can("agentId=bob&path=.&action=start")).body.allow, false);
    const done = await ask("POST", `/v1/tasks/${one.id}/complete`, { agentId: "ann", epoch: 1 });
    assert.equal(done.body.task.status, "completed");
    assert.equal((await ask("GET", `/v1/tasks/${two.id}`)).body.task.status, "pending");
    await refused("TASK_NOT_IN_PROGRESS", 409, ask("POST", `/v1/tasks/${one.id}/fail`, { agentId: "ann", epoch: 1 }));
  });

  test("a holder whose lease expired is refused", async () => {
    const { id } = (await ask("POST", "/v1/tasks", { title: "Short", resources: ["short"] })).body.task;
    await ask("POST", `/v1/tasks/${id}/claim`, { agentId: "ann", ttlMs: 1_000 });
    const again = await until("the lease ran out", async () => {
      const answer = await ask("POST", `/v1/tasks/${id}/claim`, { agentId: "bob" });
      return answer.status === 200 && answer.body;
    });
    assert.equal(again.lease.epoch, 2);
    await refused("LEASE_HOLDER_MISMATCH", 403, ask("POST", `/v1/tasks/${id}/complete`, { agentId: "ann", epoch: 1 }));
    assert.equal((await ask("GET", "/v1/can-write?agentId=ann&path=short/x")).body.allow, false);
    assert.equal((await ask("POST", `/v1/tasks/${id}/complete`, { agentId: "bob", epoch: 2 })).status, 200);
  });

  test("messages have authors, and the other participants get one notice each", async () => {
    const before = (await ask("GET", "/v1/inbox?agentId=bob&since=0")).body.nextSince;
    const { thread } = (await ask("POST", "/v1/threads", { agentId: "ann", participants: ["bob"], title: "Parser" }))
      .body;
    assert.deepEqual(thread.participants, ["ann", "bob"]);
    const said = await ask("POST", `/v1/threads/${thread.id}/messages`, { agentId: "ann", message: "x".repeat(300) });
    assert.deepEqual([said.status, said.body.message.from], [201, "ann"]);
    const { events, nextSince } = (await ask("GET", `/v1/inbox?agentId=bob&since=${before}`)).body;
    assert.equal(events.length, 1);
    const [notice] = events;
    assert.deepEqual(
      [notice?.type, notice?.threadId, notice?.actor, notice?.summary?.length],
      ["thread_message", thread.id, "ann", 120],
    );
    assert.deepEqual((await ask("GET", `/v1/inbox?agentId=bob&since=${nextSince}`)).body.events, []);
    assert.deepEqual((await ask("GET", "/v1/inbox?agentId=bob&since=seen")).body.events, []);
    const mine = (await ask("GET", "/v1/inbox?agentId=ann&since=0")).body.events;
    assert.ok(!mine.some((one) => one.threadId === thread.id));
    const { messages } = (await ask("GET", `/v1/threads/${thread.id}/tail?limit=1`)).body;
    assert.equal(messages[0]?.body.length, 300);
    for (const text of ["pars", "bob", "XXXX"]) {
      const { threads } = (await ask("GET", `/v1/threads/search?q=${text}`)).body;
      assert.deepEqual(
        threads.map(({ id }) => id),
        [thread.id],
        text,
      );
    }
    const { task } = (await ask("POST", "/v1/tasks", { title: "Linked" })).body;
    const linked = await ask("POST", `/v1/threads/${thread.id}/link`, { taskId: task.id });
    assert.equal(linked.body.thread.taskId, task.id);
    const aside = { agentId: "ann", message: "by the way", quiet: true };
    await ask("POST", `/v1/threads/${thread.id}/messages`, { ...aside, except: ["bob"] });
    await ask("POST", `/v1/threads/${thread.id}/messages`, aside);
    const quiet = (await ask("GET", `/v1/inbox?agentId=bob&since=${nextSince}`)).json as { events: InboxEvent[] };
    assert.deepEqual(
      [notice, ...quiet.events].map((one) => one && "quiet" in one && one.quiet),
      [false, true],
    );
  });

  test("a wait for the inbox ends with the first notice", async () => {
    const { nextSince } = (await ask("GET", "/v1/inbox?agentId=cyd&since=seen")).body;
    const waiting = ask("GET", `/v1/inbox?agentId=cyd&since=${nextSince}&wait=60`);
    await daemon.client.thread_start({ team: "demo", participants: ["cyd"], text: "hello" });
    assert.equal((await waiting).body.events[0]?.summary, "hello");
  });

  test("a call with the same key is not repeated, also after a restart; another call with it is refused", async () => {
    const body = { title: "Once" };
    const first = await ask("POST", "/v1/tasks", body, { key: "k1" });
    const again = await ask("POST", "/v1/tasks", body, { key: "k1" });
    assert.deepEqual([first.status, again.status, again.json], [201, 200, first.json]);
    const { id } = first.body.task;
    const claimed = await ask("POST", `/v1/tasks/${id}/claim`, { agentId: "ann" }, { key: "k2" });
    await daemon.kill("SIGKILL");
    await daemon.start();
    token = JSON.parse(readFileSync(runtimePath, "utf8")).token;
    const repeated = await ask("POST", `/v1/tasks/${id}/claim`, { agentId: "ann" }, { key: "k2" });
    assert.deepEqual([repeated.status, repeated.json], [claimed.status, claimed.json]);
    await refused("IDEMPOTENCY_KEY_REUSED", 409, ask("POST", "/v1/tasks", { title: "Twice" }, { key: "k1" }));
  });

  test("nonsense has a clear code and changes nothing", async () => {
    const tasks = async () => (await ask("GET", "/v1/tasks")).body.tasks.length;
    const before = await tasks();
    const raw = (text: string) => ask("POST", "/v1/tasks", undefined, { raw: text });
    for (const text of ["{", "[]", "null", '"x"', '{"title":"torn', "\u0000"])
      await refused("INVALID_JSON", 400, raw(text));
    for (const body of [
      {},
      { title: "" },
      { title: 3 },
      { title: "x", deps: "y" },
      { title: "x", deps: ["task-9999"] },
    ])
      await refused("INVALID_TASK", 400, ask("POST", "/v1/tasks", body));
    for (const resource of ["../x", "src/../../x", "/repo/../etc", "*.ts", "a\u0000b"])
      await refused("INVALID_TASK", 400, ask("POST", "/v1/tasks", { title: "x", resources: [resource] }));
    for (const id of ["..", "a/b", "", "a b", "x".repeat(101)])
      await refused("INVALID_AGENT_ID", 400, ask("POST", "/v1/tasks/task-0001/claim", { agentId: id }));
    await refused("UNAUTHORIZED", 401, ask("GET", "/v1/tasks?teamId=../demo"));
    await refused("INVALID_TEAM_ID", 400, v1(daemon, "unix")("GET", "/v1/tasks?teamId=../demo"));
    await refused("TEAM_NOT_FOUND", 404, v1(daemon, "unix")("GET", "/v1/tasks?teamId=nobody"));
    await refused("TASK_NOT_FOUND", 404, ask("GET", "/v1/tasks/..%2f..%2fetc"));
    await refused("THREAD_NOT_FOUND", 404, ask("GET", "/v1/threads/thread-9999/tail"));
    await refused("INVALID_THREAD_MESSAGE", 400, ask("POST", "/v1/threads/thread-0001/messages", { message: " " }));
    await refused("NOT_FOUND", 404, ask("POST", "/v1/inbox", { agentId: "bob", message: "psst" }));
    await refused("NOT_FOUND", 404, ask("DELETE", "/v1/tasks/task-0001"));
    await refused("WORKER_NOT_FOUND", 404, ask("GET", "/v1/workers/nobody"));
    assert.equal(await tasks(), before);
  });

  test("changes are in the audit and in the events", async () => {
    const { entries } = await daemon.client.audit({ limit: 1_000 });
    const done = entries.map(({ operation }) => operation);
    for (const what of [
      "team_created",
      "task_created",
      "task_claimed",
      "task_renewed",
      "task_completed",
      "task_unblocked",
      "thread_started",
      "thread_message",
      "thread_linked_task",
    ])
      assert.ok(done.includes(what), what);
    const { events } = await daemon.client.events({ types: "team_task_changed,thread_message,thread_started" });
    assert.deepEqual([...new Set(events.map(({ type }) => type))].sort(), [
      "team_task_changed",
      "thread_message",
      "thread_started",
    ]);
  });

  test("people and models see the same threads and tasks", async () => {
    const { threads } = await daemon.client.threads({ team: "demo", q: "parser" });
    assert.equal(threads.length, 1);
    const { tasks } = await daemon.client.team_tasks({ team: "demo" });
    assert.deepEqual(tasks, (await ask("GET", "/v1/tasks")).body.tasks);
    await assert.rejects(daemon.client.team_tasks({ team: "nobody" }), { code: "not_found" });
    await assert.rejects(daemon.client.thread_read({ id: "thread-9999" }), { code: "not_found" });
  });
});

describe("two agents race", () => {
  test("for one task, many times: one wins, and no epoch is used twice", async () => {
    const unix = v1(daemon, "unix");
    const { id } = (await unix("POST", "/v1/tasks?teamId=demo", { title: "Raced", resources: ["raced"] })).body.task;
    const seen = new Set<number>();
    for (let round = 0; round < rounds; round++) {
      const claims = await Promise.all(
        ["ann", "bob", "ann", "bob"].map((agentId) =>
          unix("POST", `/v1/tasks/${id}/claim`, { teamId: "demo", agentId, ttlMs: 3_600_000 }),
        ),
      );
      const [won, ...more] = claims.filter(({ status }) => status === 200);
      assert.ok(won);
      assert.deepEqual(more, []);
      const { holder, epoch } = won.body.lease;
      assert.ok(!seen.has(epoch));
      seen.add(epoch);
      const database = new DatabaseSync(`${daemon.env.PANEWARD_HOME}/paneward.db`);
      // Expires the lease without waiting.
      database.exec(
        `UPDATE team_tasks SET record = json_set(record, '$.lease.expiresAt', '2020-01-01T00:00:00.000Z') WHERE id = '${id}'`,
      );
      database.close();
      const late = await unix("POST", `/v1/tasks/${id}/complete`, { teamId: "demo", agentId: holder, epoch });
      assert.equal(late.body.error.code, "LEASE_EXPIRED");
    }
    assert.equal(seen.size, rounds);
  });
});
