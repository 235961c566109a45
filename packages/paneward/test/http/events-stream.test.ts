import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Store } from "../../src/runtime/ports.ts";
import { until } from "../support/until.ts";
import { ask, failureIn, open } from "./support/ask.ts";
import { served } from "./support/served.ts";
import { numbers, range, stream } from "./support/sse.ts";

function append(store: Store, count: number, type: "sessions_changed" | "tasks_changed" = "tasks_changed"): void {
  for (let done = 0; done < count; done++) store.write((writer) => writer.append(type, { reason: "ünï\ncode" }));
}

describe("an event stream", () => {
  test("sends id, type and the whole event, beginning with the next one", async (t) => {
    const { socket, store } = await served(t);
    append(store, 3);
    const { answer, first, heartbeats } = await stream(t, socket);
    assert.equal(answer.headers["content-type"], "text/event-stream");
    assert.deepEqual(numbers(heartbeats), [3], "the first word says where it begins");
    append(store, 1, "sessions_changed");
    const [event] = await first(1);
    assert.equal(event?.id, "4");
    assert.equal(event?.event, "sessions_changed");
    assert.deepEqual(JSON.parse(event?.data ?? ""), store.events(3, 1)[0]);
  });

  test("in the flat shape has the fields beside the type, and agent_id in every event of an agent", async (t) => {
    const { socket, store } = await served(t);
    const { first } = await stream(t, socket, "?after=0&shape=flat");
    const agent = { agent: "a1", agent_id: "a1", name: "mine" };
    const turn = { id: "u1", agent: "a1", actor: "user", intent: "command", text: "go", at: 5 } as const;
    store.write((writer) => {
      writer.append("session_created", { ...agent, kind: "claude", tmux_pane_id: "%1", adopted: false });
      writer.append("state_changed", { agent: "a1", name: "mine", state: "processing", before: "idle", turn_id: "u1" });
      writer.append("turn_created", { turn });
      writer.append("commander_availability", { agent_id: "a1", available: true, timestamp: 7 });
      writer.append("session_ended", { ...agent, reason: "it ended" });
      writer.append("task_created", { task: 3, slug: "x", root: "/r", agent: "claude", draft: false });
    });
    const events = (await first(6)).map(({ data }) => JSON.parse(data) as Readonly<Record<string, unknown>>);
    assert.deepEqual(
      events.map(({ type, agent_id, _eid }) => [type, agent_id, _eid]),
      [
        ["session_created", "a1", 1],
        ["state_changed", "a1", 2],
        ["turn_created", "a1", 3],
        ["commander_availability", "a1", 4],
        ["session_ended", "a1", 5],
        ["task_created", undefined, 6],
      ],
    );
    const [, changed, created] = events;
    assert.deepEqual(
      [changed?.state, changed?.turn_id, created?.turn, typeof changed?.at],
      ["processing", "u1", turn, "number"],
    );
    const { answer } = await stream(t, socket, "?after=0");
    assert.equal(answer.statusCode, 200);
    assert.equal((await ask(socket, { path: "/api/events/stream?shape=round" })).status, 400);
  });

  test("resumes after a number; the header overrides the query", async (t) => {
    const { socket, store } = await served(t);
    append(store, 10);
    assert.deepEqual(numbers(await (await stream(t, socket, "?after=4")).first(6)), range(5, 10));
    assert.deepEqual(numbers(await (await stream(t, socket, "?after=0")).first(10)), range(1, 10));
    const resumed = await stream(t, socket, "?after=4", { "last-event-id": "8" });
    assert.deepEqual(numbers(await resumed.first(2)), [9, 10]);
  });

  test("has every event once and in order while more are appended during catch-up", async (t) => {
    const { socket, store } = await served(t);
    append(store, 5_000);
    const followed = await stream(t, socket, "?after=0");
    for (let round = 0; round < 50; round++) {
      append(store, 20);
      await until("it goes on", () => followed.seen.length > round * 20);
    }
    assert.deepEqual(numbers(await followed.first(6_000)), range(1, 6_000));
    assert.equal(followed.seen.length, 6_000);
  });

  test("reads the past from the store after a restart", async (t) => {
    const before = await served(t);
    append(before.store, 2_000);
    const { socket } = await served(t, { store: before.store });
    const followed = await stream(t, socket, "?after=700");
    append(before.store, 5);
    assert.deepEqual(numbers(await followed.first(1_305)), range(701, 2_005));
  });

  test("begins with a gap where the log was trimmed", async (t) => {
    const { socket, store } = await served(t);
    append(store, 100);
    store.trimEvents(10);
    const { first } = await stream(t, socket, "?after=20");
    const [gap, ...rest] = await first(11);
    assert.deepEqual(gap, { id: "90", event: "gap", data: '{"type":"gap","after":20,"before":90}' });
    assert.deepEqual(numbers(rest), range(91, 100));
    const whole = await stream(t, socket, "?after=90");
    assert.deepEqual(numbers(await whole.first(10)), range(91, 100), "nothing is missing after 90");
  });

  test("sends a gap when everything was trimmed, or when the number is from another database", async (t) => {
    const { socket, store } = await served(t);
    append(store, 5);
    store.trimEvents(0);
    const trimmed = await stream(t, socket, "?after=2");
    const ahead = await stream(t, socket, "?after=900");
    append(store, 1);
    const [gap, next] = await trimmed.first(2);
    assert.deepEqual([gap?.data, next?.id], ['{"type":"gap","after":2,"before":5}', "6"]);
    const [lost, after] = await ahead.first(2);
    assert.deepEqual([lost?.data, after?.id], ['{"type":"gap","after":900,"before":5}', "6"]);
  });

  test("is filtered by types, also in a long log", async (t) => {
    const { socket, store } = await served(t);
    append(store, 3_000);
    append(store, 1, "sessions_changed");
    const { first } = await stream(t, socket, "?after=0&types=sessions_changed,host_changed");
    assert.deepEqual(numbers(await first(1)), [3_001]);
    append(store, 2);
    append(store, 1, "sessions_changed");
    assert.deepEqual(numbers(await first(2)), [3_001, 3_004]);
  });

  test("sends heartbeats without events, with the number to resume from", async (t) => {
    const { socket, store } = await served(t, { limits: { heartbeatMs: 30 } });
    const { heartbeats, seen } = await stream(t, socket, "?types=sessions_changed");
    append(store, 7);
    await until("a heartbeat has counted what was left out", () => heartbeats.at(-1)?.id === "7");
    await until("the heart goes on", () => heartbeats.length > 5);
    assert.deepEqual(seen, []);
    assert.equal(heartbeats[0]?.data, "{}");
  });

  test("refuses a wrong query", async (t) => {
    const { socket } = await served(t);
    const bad = ["?after=x", "?after=-1", "?after=", "?types=nonsense", "?since=4", "?after=1&after=2"];
    for (const query of bad) {
      assert.equal(failureIn(await ask(socket, { path: `/api/events/stream${query}` })).code, "bad_input", query);
    }
    const headers = { "last-event-id": "x" };
    assert.equal(failureIn(await ask(socket, { path: "/api/events/stream", headers })).code, "bad_input");
  });

  test("needs only the scope read", async (t) => {
    const { port, store, token } = await served(t);
    const { first } = await stream(t, port, "", { authorization: `Bearer ${token("read")}` });
    append(store, 1);
    assert.deepEqual(numbers(await first(1)), [1]);
  });
});

describe("a client that reads nothing", () => {
  test("is disconnected after a while and resumes by number", async (t) => {
    const { socket, store } = await served(t, { limits: { blockedMs: 50 } });
    const idle = await open(socket, { path: "/api/events/stream?after=0" });
    const cut = new Promise<void>((resolve) => idle.once("error", () => resolve()).once("close", () => resolve()));
    const reason = "x".repeat(10_000);
    for (let done = 0; done < 500; done++) store.write((writer) => writer.append("tasks_changed", { reason }));
    idle.pause();
    await until("the server has cut it off", async () => (await clientCount(socket)) === 0);
    idle.resume();
    await cut;
    // On a busy machine this client too may take nothing for a moment; then it is cut off and resumes like the other.
    const got: number[] = [];
    while (got.length < 500) {
      const { seen, ended } = await stream(t, socket, `?after=${got.length}`);
      await until("all came, or it was cut off", () => got.length + seen.length >= 500 || ended());
      got.push(...numbers(seen));
    }
    assert.deepEqual(got, range(1, 500));
  });

  test("leaves nothing open, nor does a HEAD request", async (t) => {
    const { socket } = await served(t);
    assert.equal((await ask(socket, { method: "HEAD", path: "/api/events/stream" })).status, 200);
    assert.equal(await clientCount(socket), 0);
  });
});

async function clientCount(socket: string): Promise<number> {
  const { text } = await ask(socket, { path: "/metrics" });
  return Number(/^paneward_event_stream_clients (\d+)$/m.exec(text)?.[1]);
}
