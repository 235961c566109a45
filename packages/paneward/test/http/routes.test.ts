import assert from "node:assert/strict";
import { lstat } from "node:fs/promises";
import { describe, test } from "node:test";
import { createClient, operationNames, PanewardError, requestOf, routes } from "@paneward/sdk";
import { linkTransport, unixTransport } from "@paneward/sdk/node";
import { operations } from "@paneward/sdk/operations";
import { isWriting } from "../../src/http/access/audit.ts";
import { afterwards } from "../support/folder.ts";
import { inputsOf, outputsOf, sampleInputs, sampleOutputs } from "../support/samples.ts";
import { ask, failureIn, json } from "./support/ask.ts";
import { served, version } from "./support/served.ts";

const ways = [
  ["a route", unixTransport],
  ["a call link", linkTransport],
] as const;

const sizes = ["full", "minimal"] as const;

describe("every row of the operation table", () => {
  for (const [way, transportTo, size] of ways.flatMap((way) => sizes.map((size) => [...way, size] as const))) {
    test(`has a client method over ${way} and a handler that gets the parsed ${size} input`, async (t) => {
      const [inputs, outputs] = [inputsOf(size), outputsOf(size)];
      const { socket, calls } = await served(t, { outputs });
      const transport = transportTo(socket, "cli");
      afterwards(t, () => transport.close());
      const client = createClient(transport);
      for (const name of operationNames) {
        const call = client[name] as (input: unknown) => Promise<unknown>;
        const output = await call(inputs[name]);
        assert.deepEqual(output, outputs[name], name);
        const { success, data } = operations[name].input.safeParse(inputs[name]);
        assert.ok(success, name);
        const caller = { who: "uid:1000", scope: "admin", door: "cli" };
        assert.deepEqual(calls.at(-1), { name, input: data, caller });
      }
      assert.equal(calls.length, operationNames.length);
    });
  }

  test("is reachable through HTTP, the client and the command line, unless it is for what shows the daemon", () => {
    for (const name of operationNames) {
      const isReport = name === "focus" || name === "presence";
      // Only a browser has a push service.
      const own = isReport ? "tui" : name.startsWith("push_") ? "web" : "cli";
      for (const door of ["http", "client", own])
        assert.ok((routes[name].doors as readonly string[]).includes(door), name);
    }
  });

  test("has its version in every answer", async (t) => {
    const { socket } = await served(t);
    for (const path of ["/api/ping", "/healthz", "/nowhere"]) {
      assert.equal((await ask(socket, { path })).headers["x-paneward-version"], version);
    }
  });
});

test("an id may contain any letter, and arrives unchanged", async (t) => {
  const { socket, calls } = await served(t);
  for (const id of ["ü 日本 🙂", "100%", "a?b#c&d=e", "%2F", "a;b,c:@+"]) {
    const { method, path } = requestOf(routes.screen, { id });
    assert.equal((await ask(socket, { method, path })).status, 200);
    assert.deepEqual(calls.at(-1)?.input, { id });
  }
});

describe("a failure", () => {
  test("has code, message, hint and retry", async (t) => {
    const error = new PanewardError("conflict", "two of them", { hint: "choose one" });
    const { socket } = await served(t, { handlers: { merge: () => Promise.reject(error) } });
    const answer = await ask(socket, json("POST", "/api/tasks/7/merge", {}));
    assert.equal(answer.status, 409);
    assert.deepEqual(failureIn(answer), {
      code: "conflict",
      message: "two of them",
      hint: "choose one",
      retry: "after_looking",
    });
  });

  test("that is unexpected reveals nothing and is logged with its stack", async (t) => {
    const cause = new Error("EACCES: /home/somebody/secret");
    const { socket, logged } = await served(t, { handlers: { ps: () => Promise.reject(cause) } });
    const answer = await ask(socket, { path: "/api/ps" });
    assert.equal(failureIn(answer).code, "unexpected");
    assert.ok(!answer.text.includes("/home"));
    assert.match(JSON.stringify(logged.at(-1)), /error.*EACCES.*routes\.test\.ts/);
  });

  test("of a path that the system does not take is the caller's", async (t) => {
    const handlers = { ps: () => lstat(`/${"x".repeat(300)}`) as never };
    const { socket } = await served(t, { handlers });
    assert.equal(failureIn(await ask(socket, { path: "/api/ps" })).code, "bad_input");
  });

  test("is also an output that does not fit the table", async (t) => {
    const wrong = async () => ({ stopping: "yes", pid: 1 }) as never;
    const { socket, store } = await served(t, { handlers: { shutdown: wrong } });
    assert.equal(failureIn(await ask(socket, json("POST", "/api/shutdown", {}))).code, "unexpected");
    assert.deepEqual(
      store.audits(9).map(({ outcome }) => outcome),
      ["ok"],
      "it did happen",
    );
  });

  test("is also an unknown route or method", async (t) => {
    const { socket } = await served(t);
    const unknown = [
      ["GET", "/"],
      ["PUT", "/api/ping"],
      ["GET", "/api/terminals/t1"],
      ["POST", "/api/terminals//stop"],
      ["GET", `/${"x".repeat(9_000)}`],
      ["GET", "/api/%zz"],
    ] as const;
    for (const [method, path] of unknown) {
      const answer = await ask(socket, { method, path });
      assert.equal(failureIn(answer).code, "not_found", path);
      assert.ok(answer.text.length < 1_000);
    }
  });
});

describe("the audit", () => {
  test("has one entry for each writing operation, with caller, door, subject and outcome", async (t) => {
    const { socket, store, clock } = await served(t);
    const client = createClient(unixTransport(socket, "cli"));
    for (const name of operationNames) await (client[name] as (input: unknown) => Promise<unknown>)(sampleInputs[name]);
    const entries = store.audits(100).toReversed();
    const writing = operationNames.filter(isWriting);
    assert.deepEqual(
      entries.map(({ operation }) => operation),
      writing,
    );
    for (const name of ["shutdown", "run", "send", "rm", "new", "merge", "token_create", "token_revoke"] as const) {
      assert.ok(writing.includes(name), name);
    }
    for (const entry of entries) {
      assert.deepEqual(
        { ...entry, operation: "", subject: "" },
        {
          at: clock.now(),
          who: "uid:1000",
          door: "cli",
          operation: "",
          subject: "",
          outcome: "ok",
        },
      );
    }
    const subject = Object.fromEntries(entries.map((entry) => [entry.operation, entry.subject]));
    const made = [sampleOutputs.run.id, sampleInputs.send.id, String(sampleOutputs.new.id), ""];
    assert.deepEqual([subject.run, subject.send, subject.new, subject.shutdown], made);
    assert.equal(new Set(made).size, 4);
  });

  test("has hints with the id that the caller gave", async (t) => {
    const hint = "look at it: `paneward screen ID`, then `paneward respond ID --option N`";
    const send = () => Promise.reject(new PanewardError("wrong_state", "no", { hint, errorType: "not_whole" }));
    const respond = () => Promise.reject(new PanewardError("wrong_state", "no"));
    const { socket } = await served(t, { handlers: { send, respond } });
    const hintFor = async (path: string) => failureIn(await ask(socket, json("POST", path, { text: "x" }))).hint;
    assert.equal(
      await hintFor("/api/terminals/12/send"),
      "look at it: `paneward screen 12`, then `paneward respond 12 --option N`",
    );
    assert.equal(
      await hintFor("/api/respond/fix-login"),
      "`paneward explain fix-login` shows its state and the reason",
    );
    assert.equal(await hintFor("/api/terminals/a%20%60b/send"), hint);
  });

  test("has the codes of failures, and never texts, environments or tokens", async (t) => {
    const refuse = () => Promise.reject(new PanewardError("wrong_state", "it is over: hunter2"));
    const { socket, store } = await served(t, { handlers: { send: refuse } });
    await ask(socket, json("POST", "/api/terminals/t1/send", { text: "hunter2" }));
    await ask(socket, json("POST", "/api/terminals", { argv: ["hunter2"], env: { PASSWORD: "hunter2" } }));
    await ask(socket, { method: "DELETE", path: `/api/tokens/pw_0a1b2c3d_${"5".repeat(64)}` });
    const entries = store.audits(9).toReversed();
    assert.deepEqual(
      entries.map(({ operation, outcome }) => [operation, outcome]),
      [
        ["send", "wrong_state"],
        ["run", "ok"],
        ["token_revoke", "ok"],
      ],
    );
    assert.doesNotMatch(JSON.stringify(entries), /hunter2|5555/);
  });

  test("does not turn a success into a failure when it cannot be written", async (t) => {
    const { socket, store, logged } = await served(t);
    t.mock.method(store, "keep", () => {
      throw new PanewardError("storage_full", "no space left");
    });
    assert.equal((await ask(socket, json("POST", "/api/terminals/t1/stop", {}))).status, 200);
    assert.match(JSON.stringify(logged), /audit record could not be stored.*"subject":"t1"/);
  });
});
