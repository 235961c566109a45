import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  allows,
  type ErrorBody,
  type OperationName,
  operationNames,
  type PanewardError,
  requestOf,
  routes,
  type Scope,
  scopes,
} from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { hookDoor } from "../../src/http/doors/hook-door.ts";
import type { Mount } from "../../src/http/doors/mount.ts";
import type { SocketRoute } from "../../src/http/sockets/upgrades.ts";
import { catalogue, missingScope } from "../../src/mcp/catalogue.ts";
import { createMcpEndpoint } from "../../src/mcp/endpoint.ts";
import type { Tool } from "../../src/mcp/tool.ts";
import { ask } from "../http/support/ask.ts";
import { openRawLink, refusedLink } from "../http/support/link.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { sampleInputs } from "../support/samples.ts";
import { type ServedTeam, servedTeam } from "../team/support/served-team.ts";
import { everybody, headOnly, type Somebody } from "./support/callers.ts";
import { type Way, waysOf } from "./support/ways-of-a-tool.ts";

const cleanups: (() => unknown)[] = [];
const place = { after: (work: () => unknown) => void cleanups.push(work) };
const reported: string[] = [];
const opened: string[] = [];
let stage: ServedTeam;
let port: number;
let all: readonly Somebody[];
let teams: readonly string[];

/** A door that forgets to look at the scope of its caller; it says what it was refused. */
const everyOperation: Mount = {
  path: "/everything",
  door: "mcp",
  async answer(_request, { call }) {
    const tries = operationNames.map((name) => {
      const input = operations[name].input.parse(sampleInputs[name]);
      return call(name, input as never).then(
        () => undefined,
        ({ code }: PanewardError) => `${name} ${code}`,
      );
    });
    return Response.json((await Promise.all(tries)).filter((one) => one !== undefined));
  },
};

before(async () => {
  const mcp = createMcpEndpoint({ version: "1.2.3" });
  cleanups.push(mcp.close);
  const receive = async ({ event }: { readonly event: string }) => {
    reported.push(event);
    return { status: "dropped", reason: "nobody has this conversation" } as const;
  };
  const hooks = hookDoor({ clock: new FakeClock() } as never, { receive } as never);
  const noted = (path: RegExp): SocketRoute => ({ path, open: async () => void opened.push(path.source) });
  stage = await servedTeam(
    place,
    { perSecond: 1e9, burst: 1e9 },
    {
      mounts: [{ path: "/mcp", door: "mcp", answer: mcp.answer }, everyOperation, hooks],
      sockets: [noted(/^\/api\/terminals\/t1\/stream$/), noted(/^\/api\/activity\/ws$/)],
    },
  );
  const open = async (teamId: string) => {
    const team = { schemaVersion: "1.0.0" as const, teamId, agents: [], createdAt: "" };
    stage.store.write((writer) => writer.team.putTeam(team));
    return (await stage.team.files.open(team)).token;
  };
  teams = [await open("one"), await open("two")];
  port = stage.daemon.port;
  all = await everybody(stage.daemon, teams);
  // The first use of a token or login is noted.
  for (const { headers } of all) await ask(port, { path: "/api/ping", headers });
});

after(async () => {
  for (const work of cleanups.reverse()) await work();
});

/** What may never change by something that is refused. */
function state() {
  const { calls } = stage.daemon;
  return { written: stage.version(), calls: calls.length, reported: reported.length, opened: opened.length };
}

/** Why this caller may not do what needs the scope; undefined if it may. */
function refusal({ scope }: Somebody, needed: Scope): { readonly status: number; readonly code: string } | undefined {
  if (scope === undefined) return { status: 401, code: "unauthorized" };
  return allows(scope, needed) ? undefined : { status: 403, code: "not_allowed" };
}

function codeIn(text: string): string {
  return (JSON.parse(text) as ErrorBody).error.code;
}

const typed = { "content-type": "application/json" };
const unsent = { ...typed, "content-length": "1000" };

async function nothingBut(what: string, refusing: () => Promise<void>): Promise<void> {
  const earlier = state();
  await refusing();
  assert.deepEqual(state(), earlier, `${what} had an effect`);
}

describe("every scope against every operation", () => {
  test("over a route: refused before its body is there, else performed", async () => {
    for (const somebody of all) {
      const { name: who, headers } = somebody;
      await nothingBut(who, async () => {
        const tries = operationNames.map(async (name) => {
          const refused = refusal(somebody, routes[name].scope);
          if (!refused) return;
          const { method, path } = requestOf(routes[name], sampleInputs[name]);
          const { status, text } = await headOnly(port, method, path, { ...headers, ...unsent });
          assert.deepEqual({ status, code: codeIn(text) }, refused, `${who}: ${name}`);
        });
        await Promise.all(tries);
      });
      for (const name of operationNames.filter((one) => !refusal(somebody, routes[one].scope))) {
        const { method, path, body } = requestOf(routes[name], sampleInputs[name]);
        const answer = await ask(port, { method, path, headers: { ...headers, ...typed }, ...(body ? { body } : {}) });
        assert.equal(answer.status, 200, `${who}: ${name}: ${answer.text}`);
        assert.deepEqual([lastCall()?.name, lastCall()?.caller.scope], [name, somebody.scope], who);
      }
    }
  });

  test("over a call link: refused before its input is looked at, else performed", async () => {
    for (const somebody of all) {
      const { name: who, scope, headers } = somebody;
      if (scope === undefined) {
        await nothingBut(who, async () => {
          const { status, text } = await refusedLink(port, headers);
          assert.deepEqual([status, codeIn(text)], [401, "unauthorized"], who);
        });
        continue;
      }
      const link = await openRawLink(place, port, headers);
      let id = 0;
      const call = (name: OperationName, input: unknown) => {
        link.send({ id: ++id, call: name, input });
        return link.answer(id);
      };
      await nothingBut(who, async () => {
        const tries = operationNames.map(async (name) => {
          const refused = refusal(somebody, routes[name].scope);
          if (refused) assert.equal((await call(name, ["wrong"])).error?.code, refused.code, `${who}: ${name}`);
        });
        await Promise.all(tries);
      });
      for (const name of operationNames.filter((one) => !refusal(somebody, routes[one].scope))) {
        const { error } = await call(name, sampleInputs[name]);
        assert.equal(error, undefined, `${who}: ${name}: ${error?.message}`);
        assert.equal(lastCall()?.name, name, who);
      }
    }
  });

  test("as an MCP tool: only callers that may do all that it can do see and call it", async () => {
    const ways = new Map<Tool, readonly Way[]>();
    for (const tool of catalogue) ways.set(tool, await waysOf(tool));
    for (const somebody of all) {
      const { name: who, scope, headers } = somebody;
      if (scope === undefined) {
        await nothingBut(who, async () => {
          for (const method of ["POST", "GET", "DELETE"])
            assert.equal((await headOnly(port, method, "/mcp", { ...headers, ...unsent })).status, 401, who);
        });
        continue;
      }
      const listed = await rpc(headers, "tools/list", {});
      for (const [tool, given] of ways) await tryTool(somebody, tool, given, listed);
    }
  });

  test("from a door inside the daemon that forgets them: refused all the same", async () => {
    for (const somebody of all) {
      const { name: who, scope, headers } = somebody;
      const earlier = state();
      const { status, text } = await ask(port, { path: "/everything", headers });
      assert.equal(status, scope === undefined ? 401 : 200, who);
      const done = stage.daemon.calls.slice(earlier.calls).map(({ name }) => name);
      const allowed = operationNames.filter((name) => !refusal(somebody, routes[name].scope));
      assert.deepEqual(done.toSorted(), allowed.toSorted(), who);
      const refused = operationNames.filter((name) => !allowed.includes(name)).map((name) => `${name} not_allowed`);
      if (scope !== undefined) assert.deepEqual(JSON.parse(text), refused, who);
    }
  });

  test("a tool of any two operations, in any order, needs the scope of both", () => {
    for (const scope of scopes) {
      for (const first of operationNames) {
        for (const second of operationNames) {
          const isRefused = missingScope(scope, { operations: [first, second] }) !== undefined;
          const isAllowed = allows(scope, routes[first].scope) && allows(scope, routes[second].scope);
          assert.equal(isRefused, !isAllowed, `${scope}: ${first} and ${second}`);
        }
      }
    }
  });
});

async function tryTool(somebody: Somebody, tool: Tool, ways: readonly Way[], listed: string): Promise<void> {
  const { name: who, headers } = somebody;
  const reached = new Set(ways.flatMap(({ calls }) => calls));
  assert.deepEqual([...reached].toSorted(), tool.operations.toSorted(), `what ${tool.name} can do`);
  const refused = [...reached].some((name) => refusal(somebody, routes[name].scope));
  assert.equal(listed.includes(`"name":"${tool.name}"`), !refused, `${who}: ${tool.name} is listed`);
  for (const { input, calls } of ways) {
    const before = state();
    const text = await rpc(headers, "tools/call", { name: tool.name, arguments: input }, tool.name);
    assert.equal(/not_allowed/.test(text), refused, `${who}: ${tool.name}: ${text}`);
    if (refused) assert.deepEqual(state(), before, `${who}: ${tool.name}`);
    const called = stage.daemon.calls.slice(before.calls).map(({ name }) => name);
    assert.deepEqual(called, refused ? [] : calls, `${who}: ${tool.name} ${JSON.stringify(input)}`);
  }
}

describe("every caller against every other door", () => {
  test("a WebSocket, an event stream and the metrics need a known caller", async () => {
    const key = { "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
    const upgrade = { connection: "Upgrade", upgrade: "websocket", ...key };
    for (const somebody of all) {
      const refused = refusal(somebody, "read");
      const { name: who, headers } = somebody;
      const before = state();
      for (const path of ["/api/events/ws", "/api/activity/ws", "/api/terminals/t1/stream"]) {
        const { status } = await headOnly(port, "GET", path, { ...headers, ...upgrade });
        assert.equal(status, refused?.status ?? 101, `${who}: ${path}`);
      }
      for (const path of ["/api/events/stream?after=0", "/metrics", "/api/openapi.json"])
        assert.equal((await headOnly(port, "GET", path, headers)).status, refused?.status ?? 200, `${who}: ${path}`);
      if (refused) assert.deepEqual(state(), before, who);
    }
  });

  test("a hook needs the scope send, before its body is there", async () => {
    for (const somebody of all) {
      const refused = refusal(somebody, "send");
      const { name: who, headers } = somebody;
      const before = state();
      if (refused) {
        const { status } = await headOnly(port, "POST", "/hook/stop", { ...headers, ...unsent });
        assert.equal(status, refused.status, who);
        assert.deepEqual(state(), before, who);
      } else {
        const body = JSON.stringify({ session_id: "s" });
        await ask(port, { method: "POST", path: "/hook/stop", headers: { ...headers, ...typed }, body });
        assert.equal(reported.length, before.reported + 1, who);
      }
    }
  });

  test("/v1 is for the token of a team and for its own team only, before its body is there", async () => {
    const paths = ["/v1/teams", "/v1/tasks", "/v1/threads", "/v1/workers"];
    for (const { name: who, headers } of all.filter(({ name }) => name !== "the token of a team")) {
      await nothingBut(who, async () => {
        for (const path of paths)
          assert.equal((await headOnly(port, "POST", path, { ...headers, ...unsent })).status, 401, `${who}: ${path}`);
      });
    }
    for (const [at, token] of teams.entries()) {
      const headers = { authorization: `Bearer ${token}`, ...typed };
      for (const [other, team] of ["one", "two"].entries()) {
        const before = state();
        const read = await ask(port, { path: `/v1/teams/${team}`, headers });
        assert.equal(read.status, at === other ? 200 : 401, team);
        const body = JSON.stringify({ teamId: team, title: "work", description: "d" });
        const made = await ask(port, { method: "POST", path: "/v1/tasks", headers, body });
        assert.equal(made.status < 300, at === other, made.text);
        if (at !== other) assert.deepEqual(state(), before, team);
      }
    }
  });

  test("a session of MCP belongs to the caller that opened it", async () => {
    const [owner, ...others] = all.filter(({ scope }) => scope === "admin" || scope === "read").reverse();
    const sending = { ...typed, accept: "application/json, text/event-stream" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const begin = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const asOwner = { ...owner?.headers, ...sending };
    const answer = await ask(port, { method: "POST", path: "/mcp", headers: asOwner, body: begin });
    const session = { "mcp-session-id": String(answer.headers["mcp-session-id"]) };
    const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    const status = async ({ headers }: Somebody) =>
      (await ask(port, { method: "POST", path: "/mcp", headers: { ...headers, ...sending, ...session }, body: list }))
        .status;
    assert.ok(owner);
    assert.equal(await status(owner), 200);
    for (const other of others) assert.equal(await status(other), 404, other.name);
    for (const stranger of all.filter(({ scope }) => scope === undefined))
      assert.equal(await status(stranger), 401, stranger.name);
  });
});

function lastCall() {
  return stage.daemon.calls.at(-1);
}

/** One message of the protocol of 2026, which needs no session. */
async function rpc(headers: Somebody["headers"], method: string, params: object, name?: string): Promise<string> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } });
  const own = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(name ? { "mcp-name": name } : {}) };
  const accept = "application/json, text/event-stream";
  const { status, text } = await ask(port, {
    ...{ method: "POST", path: "/mcp", headers: { ...headers, ...typed, ...own, accept }, body },
  });
  assert.equal(status, 200, text);
  return text;
}
