import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { random } from "../../../tmux/test/support/random.ts";
import { teamFailures } from "../../src/model/team/failure.ts";
import { ask, json, type RawRequest, type RawResponse } from "../http/support/ask.ts";
import { afterwards } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { randomRequest } from "./support/random-request.ts";
import { type ServedTeam, servedTeam } from "./support/served-team.ts";

const requests = process.env.PANEWARD_SOAK ? 50_000 : 2_000;
const maxBody = 20_000;
const limits = { maxBodyBytes: maxBody, perSecond: 1_000_000, burst: 1_000_000 };

/** Two teams that must not see each other, each with a task, a thread and a worker. */
async function twoTeams(served: ServedTeam) {
  const { daemon, store, team } = served;
  // In the order of the tokens below.
  const names = ["blue", "red"];
  for (const teamId of names) {
    const post = async (path: string, body: object) => {
      const answer = await ask(daemon.socket, json("POST", `/v1${path}`, { teamId, agentId: "lead", ...body }));
      assert.ok(answer.status < 300, answer.text);
    };
    await post("/teams", { agents: [{ id: "lead", role: "leader" }] });
    await post("/tasks", { title: `only ${teamId} may read this` });
    await post("/threads", { title: `only ${teamId} may read this`, participants: ["ann"] });
    await post("/workers", { session: "worker1", workerId: "ann", cwd: "/" });
  }
  const tokens = await Promise.all(store.team.teams().map(async (one) => (await team.files.open(one)).token));
  const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
  const tasks = names.flatMap((name) => ids(store.team.tasks(name)));
  return {
    names,
    tokens,
    known: { tokens, teams: [...names, "nobody"], tasks, threads: ids(store.team.threads()), maxBody },
  };
}

/** The code of a refusal, which must be one of the contract's in its shape. */
function refusalIn({ text }: RawResponse): string {
  const { error, ...rest } = JSON.parse(text);
  assert.deepEqual([Object.keys(rest), Object.keys(error)], [[], ["code", "message"]], text);
  assert.ok(Object.hasOwn(teamFailures, error.code), text);
  assert.match(error.message, /^[^\u0000-\u0009\u000b-\u001f]{1,1001}$/);
  return error.code;
}

function checkRefusal(question: RawRequest, answer: RawResponse, isUnchanged: boolean): void {
  assert.notEqual(answer.status, 500);
  assert.ok(isUnchanged, "a refused request has written");
  if (question.method !== "HEAD") refusalIn(answer);
}

/** A token opens its own team only; without one, only the Unix socket answers. */
function checkSuccess({ headers = {} }: RawRequest, { text }: RawResponse, isUnix: boolean, teams: Teams): void {
  const own = teams.tokens.findIndex((token) => headers.authorization === `Bearer ${token}`);
  assert.ok(own >= 0 || isUnix, "answered without a token");
  for (const other of teams.names.keys()) {
    if (own >= 0 && other !== own) assert.ok(!text.includes(`only ${teams.names[other]} may`), "reveals another team");
  }
}

type Teams = Awaited<ReturnType<typeof twoTeams>>;

function explain(question: RawRequest, answer: RawResponse): string {
  const { method, path, headers, body } = question;
  return JSON.stringify({
    method,
    path,
    headers,
    body: String(body).slice(0, 500),
    status: answer.status,
    text: answer.text,
  });
}

describe("/v1 and hostile requests", () => {
  test("random requests: never 500, refusals have the contract's shape and write nothing, teams stay apart", async (t) => {
    const source = random(t);
    const served = await servedTeam(t, limits);
    const { daemon } = served;
    const teams = await twoTeams(served);
    const statuses = new Map<number, number>();
    for (let count = 0; count < requests; count++) {
      const question = randomRequest(source, teams.known);
      const isUnix = source.below(4) === 0;
      const before = served.version();
      const answer = await ask(isUnix ? daemon.socket : daemon.port, question);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      try {
        if (answer.status >= 400) checkRefusal(question, answer, before === served.version());
        else checkSuccess(question, answer, isUnix, teams);
      } catch (cause) {
        const message = `request ${count}: ${explain(question, answer)}`;
        throw new Error(message, { cause });
      }
    }
    t.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
    const failures = daemon.logged.filter(({ level }) => level === "error");
    assert.deepEqual(failures, []);
    assert.ok((statuses.get(200) ?? 0) > requests / 20, "some requests are answered");
  });

  test("a team's token cannot have many long bodies read, or many requests wait, at the same time", async (t) => {
    const served = await servedTeam(t, { maxLongBodies: 2, maxRequests: 4 });
    const { port } = served.daemon;
    const [blue = "", red = ""] = (await twoTeams(served)).tokens;
    const send = async (text: string) => {
      const socket = connect(port, "127.0.0.1");
      afterwards(t, () => void socket.destroy());
      await once(socket, "connect");
      socket.write(text);
      return socket;
    };
    const head = (method: string, path: string, token: string, length: number) =>
      `${method} /v1${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${length}\r\n\r\n`;
    const answerTo = async (text: string) => {
      const [chunk] = (await once(await send(text), "data")) as [Buffer];
      return chunk.toString();
    };
    const long = head("POST", "/tasks", red, 1_000_000);
    await send(long);
    await send(long);
    let refused = "";
    await until("a third one is refused", async () => {
      refused = await answerTo(long);
      return refused.startsWith("HTTP/1.1 429");
    });
    assert.match(refused, /TOO_MANY_REQUESTS/);
    const inbox = head("GET", "/inbox?agentId=ann&wait=600", red, 0);
    for (let count = 0; count < 2; count++) await send(inbox);
    const tasks = (token: string) => answerTo(head("GET", "/tasks", token, 0));
    await until("a fifth request is refused", async () => (await tasks(red)).startsWith("HTTP/1.1 429"));
    assert.match(await tasks(blue), /^HTTP\/1.1 200/);
  });

  test("each kind of nonsense has its code", async (t) => {
    const served = await servedTeam(t, limits);
    const { daemon, version } = served;
    const { tokens, known } = await twoTeams(served);
    const [blue = "", red = ""] = tokens;
    const [blueTask = "", redTask = ""] = known.tasks;
    const [thread = ""] = known.threads;
    const authorization = `Bearer ${red}`;
    const post = (path: string, body: string | Buffer, headers = {}): RawRequest => ({
      ...{ method: "POST", path: `/v1${path}`, body, headers: { authorization, ...headers } },
    });
    const get = (path: string, headers = {}): RawRequest => ({
      path: `/v1${path}`,
      headers: { authorization, ...headers },
    });
    const deep = `{"title":"x","deep":${"[".repeat(9_000)}${"]".repeat(9_000)}}`;
    const long = JSON.stringify({ title: "x".repeat(maxBody) });
    const cases: readonly (readonly [name: string, status: number, code: string, question: RawRequest])[] = [
      [
        "invalid UTF-8",
        400,
        "INVALID_JSON",
        post("/tasks", Buffer.from([...Buffer.from('{"title":"'), 0xff, 0x22, 0x7d])),
      ],
      ["deep nesting", 400, "INVALID_JSON", post("/tasks", deep)],
      ["deep nesting with a key", 400, "INVALID_JSON", post("/tasks", deep, { "idempotency-key": "k" })],
      ["a repeated query name", 400, "INVALID_JSON", get("/tasks?teamId=red&teamId=blue")],
      ["a long body", 413, "PAYLOAD_TOO_LARGE", post("/tasks", long)],
      ["a long body in chunks", 413, "PAYLOAD_TOO_LARGE", post("/tasks", long, { "transfer-encoding": "chunked" })],
      ["a long key", 400, "INVALID_JSON", post("/tasks", '{"title":"x"}', { "idempotency-key": "k".repeat(201) })],
      ["a list instead of a text", 400, "INVALID_TASK", post("/tasks", '{"title":["x"]}')],
      ["a number instead of a text", 400, "INVALID_TASK", post("/tasks", '{"title":3}')],
      ["a title only in the prototype", 400, "INVALID_TASK", post("/tasks", '{"__proto__":{"title":"x"}}')],
      [
        "a team in the prototype",
        404,
        "TASK_NOT_FOUND",
        post(`/tasks/${blueTask}/claim`, '{"__proto__":{"teamId":"blue"},"agentId":"ann"}'),
      ],
      [
        "an id that is no name",
        400,
        "INVALID_AGENT_ID",
        post(`/tasks/${redTask}/claim`, `{"agentId":"${"x".repeat(5_000)}"}`),
      ],
      ["the task of another team", 404, "TASK_NOT_FOUND", get(`/tasks/${blueTask}`)],
      [
        "another team's token",
        404,
        "THREAD_NOT_FOUND",
        get(`/threads/${thread}/tail`, {
          authorization: `Bearer ${known.threads.length === 2 ? tokenNot(thread) : ""}`,
        }),
      ],
      ["an encoded path", 404, "TASK_NOT_FOUND", get("/tasks/%00%1b%5b31m")],
      ["a wrong method", 404, "NOT_FOUND", { ...get("/tasks"), method: "TRACE" }],
      ["no route", 404, "NOT_FOUND", get("")],
    ];
    function tokenNot(id: string): string {
      return served.store.team.thread(id)?.teamId === "red" ? blue : red;
    }
    for (const [name, status, code, question] of cases) {
      const before = version();
      const answer = await ask(daemon.port, question);
      assert.deepEqual([answer.status, refusalIn(answer)], [status, code], `${name}: ${answer.text}`);
      assert.equal(version(), before, name);
    }
    for (const team of ["blue", "nobody", "__proto__", "..", ""]) {
      for (const path of [
        "/tasks",
        `/tasks/${redTask}`,
        "/inbox",
        "/can-write",
        "/threads/search",
        "/workers",
        "/workers/worker1",
      ]) {
        assert.equal(
          refusalIn(await ask(daemon.port, get(`${path}?agentId=ann&teamId=${team}`))),
          "UNAUTHORIZED",
          path,
        );
      }
      for (const path of [
        "/teams",
        "/tasks",
        `/tasks/${redTask}/claim`,
        "/threads",
        "/workers",
        "/workers/worker1/send",
        "/workers/worker1/answer",
      ]) {
        const body = JSON.stringify({
          teamId: team,
          agentId: "ann",
          title: "x",
          text: "x",
          session: "worker1",
          workerId: "ann",
          cwd: "/",
        });
        assert.equal(refusalIn(await ask(daemon.port, post(path, body))), "UNAUTHORIZED", path);
      }
    }
  });

  test("the same idempotency key of two teams is two keys", async (t) => {
    const served = await servedTeam(t, limits);
    const { tokens } = await twoTeams(served);
    const made = [];
    for (const token of [...tokens, ...tokens]) {
      const headers = { authorization: `Bearer ${token}`, "idempotency-key": "same" };
      made.push(await ask(served.daemon.port, { method: "POST", path: "/v1/tasks", headers, body: '{"title":"x"}' }));
    }
    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201, 200, 200],
    );
    const teams = made.map(({ text }) => JSON.parse(text).task.teamId);
    assert.deepEqual(teams, ["blue", "red", "blue", "red"]);
  });

  test("a body on GET is ignored", async (t) => {
    const served = await servedTeam(t, limits);
    const { tokens } = await twoTeams(served);
    const headers = { authorization: `Bearer ${tokens[0]}` };
    const answer = await ask(served.daemon.port, { path: "/v1/tasks", headers, body: '{"teamId":"red"' });
    assert.equal(answer.status, 200);
    assert.equal(JSON.parse(answer.text).tasks[0].teamId, "blue");
  });

  test("each team has its own rate limit, callers without a token share one, and the pause is named", async (t) => {
    const served = await servedTeam(t, { perSecond: 1, burst: 3 });
    const { tokens } = await twoTeams(served);
    for (const headers of [...tokens.map((token) => ({ authorization: `Bearer ${token}` })), {}]) {
      const answers = [];
      for (let count = 0; count < 4; count++)
        answers.push(await ask(served.daemon.port, { path: "/v1/tasks", headers }));
      const [first, , third, last] = answers;
      const usual = "authorization" in headers ? 200 : 401;
      assert.deepEqual([first?.status, third?.status, last?.status], [usual, usual, 429]);
      assert.equal(refusalIn(last as RawResponse), "TOO_MANY_REQUESTS");
      assert.equal(last?.headers["retry-after"], "1");
    }
    assert.equal((await ask(served.daemon.socket, { path: "/v1/teams" })).status, 200);
  });

  test("callers without a token cannot use up the rate limit of a team, whatever its name", async (t) => {
    const { daemon, team, store } = await servedTeam(t, { perSecond: 1, burst: 1 });
    for (const teamId of ["strangers", "no-token", "undefined"]) {
      const answer = await ask(daemon.socket, json("POST", "/v1/teams", { teamId, agents: [] }));
      assert.ok(answer.status < 300, answer.text);
    }
    const statusFor = async (headers: Record<string, string>) =>
      (await ask(daemon.port, { path: "/v1/tasks", headers })).status;
    assert.deepEqual([await statusFor({}), await statusFor({})], [401, 429]);
    for (const one of store.team.teams()) {
      const { token } = await team.files.open(one);
      assert.equal(await statusFor({ authorization: `Bearer ${token}` }), 200, one.teamId);
    }
  });
});
