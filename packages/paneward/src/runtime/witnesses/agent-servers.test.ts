import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { WitnessStage } from "../../../test/support/witness-stage.ts";
import { Prompts } from "../courier/prompts.ts";
import type { AgentHttp, StreamListener } from "../ports.ts";
import { AgentServers } from "./agent-servers.ts";

const folder = "/shop/1";

/** An agent with a server on port 4000, and what that server answers. */
async function stage(t: TestContext) {
  const on = await WitnessStage.on(t);
  const began = on.clock.monotonic();
  const attempts: number[] = [];
  const asked: string[] = [];
  const answers: Record<string, unknown> = {
    "/path": { directory: folder },
    "/session?limit=100": [],
    "/session/status": {},
    "/permission": [],
    "/question": [],
  };
  let isUp = false;
  let held: Promise<void> | undefined;
  let stream: { readonly heard: StreamListener; readonly end: (reason: string) => void } | undefined;
  const http: AgentHttp = {
    freePort: async (taken) => [4_000, 4_001, 4_002].find((port) => !taken.includes(port)) ?? 0,
    isFree: async (port) => port !== 4_000,
    async ask(_at, { path }) {
      asked.push(path);
      await held;
      return isUp
        ? { kind: "said", status: path in answers ? 200 : 404, body: answers[path] }
        : { kind: "unreached", reason: "refused" };
    },
    follow(_at, path, heard, signal) {
      attempts.push(Math.round(on.clock.monotonic() - began));
      assert.equal(path, "/event");
      if (!isUp) return Promise.resolve("refused");
      return new Promise((resolve) => {
        stream = { heard, end: resolve };
        signal.addEventListener("abort", () => resolve("aborted"));
        heard.opened();
      });
    },
  };
  const log = { info() {}, warn() {}, error() {} };
  const { clock, store, attention, agents } = on;
  const prompts = new Prompts(clock);
  const servers = new AgentServers({ clock, log, store, attention, agents, prompts, http });
  t.after(() => servers.stop());
  const start = () => {
    on.begins(1, "opencode", { argv: ["opencode", "--port", "4000"], cwd: folder });
    servers.begin();
  };
  const event = (type: string, properties: object) => stream?.heard.message(JSON.stringify({ type, properties }));
  return {
    ...{ on, prompts, servers, attempts, asked, answers, start, event },
    up: (now: boolean) => {
      isUp = now;
    },
    hold: (until: Promise<void> | undefined) => {
      held = until;
    },
    breaks: (reason: string) => stream?.end(reason),
    raw: (data: string) => stream?.heard.message(data),
    heard: () => {
      const found = on.attention.witnesses("t1").find(({ witness }) => witness === "event_stream");
      return found && `${found.says}, ${on.clock.now() - found.at} old`;
    },
  };
}

const busy = { sessionID: "s", status: { type: "busy" } };
const created = { sessionID: "s", info: { id: "s", directory: folder } };
const permission = { id: "p1", sessionID: "s", permission: "bash", patterns: ["ls"], metadata: { command: "ls" } };

test("a server that is not there yet is tried again, first after 0.2 s, then never less often than every 2 s", async (t) => {
  const { on, start, attempts } = await stage(t);
  start();
  await on.clock.advance(9_000);
  assert.deepEqual(attempts, [0, 200, 600, 1_400, 3_000, 5_000, 7_000, 9_000]);
});

test("a stream that was open for 10 s and breaks is tried again at once; one that breaks at once is not", async (t) => {
  const { on, start, attempts, up, breaks } = await stage(t);
  up(true);
  start();
  const waits: number[] = [];
  for (const openMs of [100, 100, 100, 100, 11_000]) {
    await on.clock.advance(openMs);
    breaks("reset");
    const before = attempts.length;
    waits.push(await on.clock.until("it is tried again", () => attempts.length > before, 5_000));
  }
  assert.deepEqual(waits, [200, 400, 800, 1_600, 200]);
});

test("what happened before the stream opened is asked for, and events during that are not lost", async (t) => {
  const { on, start, up, hold, event, heard, answers, asked } = await stage(t);
  answers["/session?limit=100"] = [{ id: "s", directory: folder, time: { created: on.clock.now() } }];
  answers["/session/status"] = { s: { type: "busy" } };
  const answer = Promise.withResolvers<void>();
  hold(answer.promise);
  up(true);
  start();
  await on.clock.advance(50);
  assert.deepEqual(asked, ["/path"]);
  event("permission.asked", permission);
  assert.equal(heard(), undefined);
  answer.resolve();
  await on.clock.advance(0);
  assert.equal(heard(), "needs_input, 0 old");
  await on.clock.advance(1_000);
  assert.equal(on.questions.of("t1")?.request, "p1");
  assert.equal(on.agents.of("t1")?.session_id, "s");
});

test("events become evidence, each once; the same again, and invalid JSON, change nothing", async (t) => {
  const { on, start, up, event, raw, heard } = await stage(t);
  up(true);
  start();
  await on.clock.advance(0);
  event("session.created", created);
  assert.equal(heard(), undefined, "a new conversation says nothing");
  event("session.status", busy);
  assert.equal(heard(), "working, 0 old");
  await on.clock.advance(1_000);
  event("session.status", busy);
  for (const data of ["", "{", "[]", "null", '{"type":1}']) raw(data);
  assert.equal(heard(), "working, 1000 old");
  event("permission.asked", permission);
  await on.clock.advance(500);
  assert.equal(heard(), "needs_input, 500 old");
  event("permission.replied", { requestID: "p1", sessionID: "s" });
  assert.equal(heard(), "working, 0 old");
});

test("two permissions at once are two questions, also in the same words; an answer to one leaves the other", async (t) => {
  const { on, start, up, event } = await stage(t);
  up(true);
  start();
  await on.clock.advance(0);
  event("session.created", created);
  event("session.status", busy);
  event("permission.asked", permission);
  event("permission.asked", { ...permission, id: "p2" });
  await on.clock.advance(1_000);
  const first = on.questions.of("t1");
  assert.equal(first?.request, "p1");
  event("permission.replied", { requestID: "p1", sessionID: "s" });
  await on.clock.advance(1_000);
  const second = on.questions.of("t1");
  assert.equal(second?.request, "p2");
  assert.notEqual(second?.id, first?.id);
  assert.equal(on.store.question(first?.id ?? "")?.state, "closed");
});

test("a stream that was broken says again what is so now", async (t) => {
  const { on, start, up, event, heard, breaks, answers, servers } = await stage(t);
  up(true);
  start();
  await on.clock.advance(0);
  event("session.created", created);
  event("session.status", busy);
  await on.clock.advance(20_000);
  breaks("reset");
  answers["/session?limit=100"] = [{ id: "s", directory: folder, time: { created: on.clock.now() } }];
  await on.clock.advance(100);
  const known = await servers.known("t1");
  assert.equal(known?.state.current, "s", "asked for while no stream is open");
  assert.equal(heard(), "working, 20100 old");
  await on.clock.advance(400);
  assert.match(heard() ?? "", /^idle, \d+ old$/);
});

test("a catch-up that fails ends the attempt", async (t) => {
  const { on, start, up, answers, attempts, servers } = await stage(t);
  delete answers["/permission"];
  up(true);
  start();
  await on.clock.advance(1_500);
  assert.deepEqual(attempts, [0, 200, 600, 1_400]);
  assert.equal(await servers.known("t1"), undefined);
});

test("a program that ended is not followed, and one that was started again is followed in its new process", async (t) => {
  const { on, servers, start, attempts } = await stage(t);
  start();
  await on.clock.advance(300);
  const record = on.store.terminal("t1");
  assert.ok(record);
  on.store.write((writer) => {
    writer.putTerminal({ ...record, phase: "ended" });
    writer.append("terminal_closed", { terminal: "t1", name: record.name, end: { kind: "exited", code: 0 } });
  });
  await on.clock.advance(10_000);
  assert.deepEqual(attempts, [0, 200]);
  assert.deepEqual(await servers.ask("t1", { method: "GET", path: "/path" }), {
    kind: "unreached",
    reason: "the agent has no server",
  });
  on.store.write((writer) => {
    writer.putTerminal({ ...record, place: { ...on.place(1), pid: 9 } });
    writer.append("terminal_opened", { terminal: "t1", name: record.name, argv: [], cwd: folder, restarted: true });
  });
  assert.deepEqual(attempts, [0, 200, 10_300]);
});

test("a new address has a port that no terminal uses, and a restart leaves one that is taken", async (t) => {
  const { on, servers, start } = await stage(t);
  start();
  const { port, user, password } = await servers.newAddress();
  assert.deepEqual([port, user, (password ?? "").length > 20], [4_001, "paneward", true]);
  const record = on.store.terminal("t1");
  assert.ok(record);
  assert.deepEqual((await servers.again(record)).argv, ["opencode", "--port", "4001"]);
});

for (const by of [-3_600_000, 86_400_000]) {
  test(`the back-off and the age of an event are as ever when the clock is set by ${by} ms`, async (t) => {
    const { on, start, attempts, up, event, heard, breaks } = await stage(t);
    start();
    await on.clock.advance(1_000);
    on.clock.setWall(by);
    await on.clock.advance(1_000);
    assert.deepEqual(attempts, [0, 200, 600, 1_400]);
    up(true);
    await on.clock.advance(1_000);
    event("session.created", created);
    event("session.status", busy);
    on.clock.setWall(by);
    await on.clock.advance(500);
    assert.equal(heard(), "working, 500 old");
    breaks("reset");
    await on.clock.advance(2_000);
    assert.deepEqual(attempts, [0, 200, 600, 1_400, 3_000, 5_500], "half a second is no steady stream");
  });
}
