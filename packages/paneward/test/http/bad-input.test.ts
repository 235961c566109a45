import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inQuery, type OperationName, operationNames, pathParameters, requestOf, routes } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { random } from "../../../tmux/test/support/random.ts";
import { sampleInputs } from "../support/samples.ts";
import { ask, failureIn, type RawRequest } from "./support/ask.ts";
import { type Served, served } from "./support/served.ts";

type Values = Readonly<Record<string, unknown>>;

/** Programs may be given any text; everywhere else control characters are refused. */
const freeText = [
  "run.argv",
  "run.env",
  "send.text",
  "respond.text",
  "respond.deny",
  "respond.option_label",
  "new.text",
  "edit.text",
  "send_text.text",
  "wait.resume",
  "capability.text",
];

// The last one is too long for every field but a file, for which its length is wrong.
const wrongInBody: readonly unknown[] = [null, { "no such": { deep: [] } }, [[[]]], "x".repeat(2_200_001)];
const wrongInQuery = ["\u0000", "\u001b[31m\n", "x".repeat(9_000)];
const wrongInPath = ["a\u0000b", "a\nb", "\u007f", "x".repeat(121), "../../etc/passwd", "a/b", "..\\x", "/"];

for (const name of operationNames) {
  test(`${name} refuses what its schema does not have, and calls no handler`, async (t) => {
    const daemon = await served(t, { limits: { maxBodyBytes: 4_000_000 } });
    for (const question of badQuestions(name)) await refused(daemon, question);
    assert.deepEqual(daemon.calls, [], "no handler was called");
    assert.deepEqual(daemon.store.audits(9), []);
    assert.equal(daemon.store.eventRange().newest, 0);
  });
}

test("wrong types are refused, also for numbers and booleans", async (t) => {
  const daemon = await served(t);
  const bad: readonly (readonly [OperationName, Values])[] = [
    ["run", { argv: ["ls"], columns: "80" }],
    ["run", { argv: ["ls"], rows: 1 }],
    ["run", { argv: ["ls"], rows: 24.5 }],
    ["run", { argv: ["ls"], keep: "true" }],
    ["run", { argv: ["ls"], env: { "A=B": "1" } }],
    ["run", { argv: ["ls"], name: "../x" }],
    ["run", { argv: [] }],
    ["undo", { id: true }],
    ["undo", { id: "" }],
    ["send", { id: "t1", ack: 61 }],
    ["wait", { ids: [], for: [{ kind: "idle" }] }],
    ["wait", { ids: ["../x"], for: [{ kind: "idle" }] }],
    ["wait", { ids: ["t1"], for: [{ kind: "never" }] }],
    ["read", { id: "t1", lines: "" }],
    ["read", { id: "t1", lines: "ten" }],
    ["read", { id: "t1", lines: "0x10" }],
    ["read", { id: "t1", wait: "601" }],
    ["events", { after: "-1" }],
    ["events", { after: "1.5" }],
    ["events", { limit: "99999999999999999999" }],
    ["ps", { all: "perhaps" }],
    ["token_create", { scope: "everything" }],
  ];
  for (const [name, input] of bad) await refused(daemon, questionOf(name, input));
  assert.deepEqual(daemon.calls, []);
});

describe("a body", () => {
  const send = (more: Partial<RawRequest>): RawRequest => ({
    method: "POST",
    path: "/api/terminals/t1/send",
    headers: { "content-type": "application/json" },
    ...more,
  });

  test("must be a JSON object in UTF-8 with its content type", async (t) => {
    const daemon = await served(t);
    const bad = [
      send({ body: "{" }),
      send({ body: "[]" }),
      send({ body: "null" }),
      send({ body: '"text"' }),
      send({ body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }),
      send({ body: "{}", headers: { "content-type": "text/plain" } }),
      send({ body: "text=hi", headers: { "content-type": "application/x-www-form-urlencoded" } }),
      send({ body: "{}", headers: {} }),
    ];
    for (const question of bad) assert.equal((await refused(daemon, question)).code, "bad_input");
    assert.deepEqual(daemon.calls, []);
  });

  test("is refused, and never a failure of the daemon, whatever the Host on the Unix socket is", async (t) => {
    const daemon = await served(t);
    const { below, pick } = random(t);
    const letters = [
      "w",
      "27",
      ".",
      "0",
      "1",
      ":",
      "99999",
      "[",
      "]",
      "%",
      "%zz",
      "@",
      "#",
      "?",
      "/",
      "\\",
      "<",
      "^",
      "xn--",
      "-",
    ];
    const hosts = Array.from({ length: 300 }, () => Array.from({ length: 1 + below(6) }, () => pick(letters)).join(""));
    for (const host of ["w27.0.0.1:37719", "1.2.3.4.5", "[::1", ...hosts]) {
      const answer = await ask(
        daemon.socket,
        send({ body: "{", headers: { host, "content-type": "application/json" } }),
      );
      assert.equal(answer.status, 400, `${JSON.stringify(host)}: ${answer.text}`);
    }
    assert.deepEqual(daemon.calls, []);
  });

  test("is optional when no field is required, and may name its charset", async (t) => {
    const { socket, calls } = await served(t);
    assert.equal((await ask(socket, { method: "POST", path: "/api/terminals/t1/stop" })).status, 200);
    const headers = { "content-type": "application/json; charset=utf-8" };
    assert.equal((await ask(socket, send({ body: '{"text":"ü"}', headers }))).status, 200);
    assert.deepEqual(calls.at(-1)?.input, { id: "t1", text: "ü", enter: true, ack: 0, force: false, command: false });
  });

  test("over the limit is refused, with and without a content length", async (t) => {
    const daemon = await served(t, { limits: { maxBodyBytesOf: { send: 1_000 } } });
    const body = JSON.stringify({ text: "x".repeat(1_000) });
    assert.equal((await refused(daemon, send({ body }))).code, "too_large");
    const chunked = { "content-type": "application/json", "transfer-encoding": "chunked" };
    assert.equal((await refused(daemon, send({ body, headers: chunked }))).code, "too_large");
    assert.deepEqual(daemon.calls, []);
  });

  test("of two million letters of three bytes each arrives whole", async (t) => {
    const { socket, calls } = await served(t);
    const text = "日".repeat(2_097_152);
    assert.equal((await ask(socket, send({ body: JSON.stringify({ text }) }))).status, 200);
    assert.deepEqual(calls.at(-1)?.input, { id: "t1", text, enter: true, ack: 0, force: false, command: false });
  });

  test("cannot replace a path parameter, nor can a query", async (t) => {
    const daemon = await served(t);
    await refused(daemon, send({ body: '{"id":"t2","text":"x"}' }));
    await refused(daemon, send({ path: "/api/terminals/t1/send?text=x", body: "{}" }));
    await refused(daemon, { path: "/api/terminals/t1/screen?id=t2" });
    await refused(daemon, { path: "/api/events?after=1&after=2" });
    await refused(daemon, send({ body: '{"__proto__":{"text":"x"}}' }));
    assert.deepEqual(daemon.calls, []);
  });
});

test("errors quote a caller's text shortened and without control characters", async (t) => {
  const daemon = await served(t);
  const key = `\u001b]0;evil\u0007${"k".repeat(100_000)}`;
  const { message } = await refused(daemon, questionOf("run", { argv: ["ls"], [key]: 1 }));
  assert.ok(message.length < 1_100);
  assert.doesNotMatch(message, /[\u0000-\u0009\u000b-\u001f\u007f]/);
});

function* badQuestions(name: OperationName): Generator<RawRequest> {
  const good: Values = sampleInputs[name];
  const inPath = pathParameters(routes[name].path);
  yield questionOf(name, { ...good, surprise: 1 });
  for (const field of Object.keys(operations[name].input.shape)) {
    const without = (value: unknown) => questionOf(name, { ...good, [field]: value });
    if (inPath.includes(field)) yield* wrongInPath.map(without);
    else if (inQuery(routes[name])) yield* wrongInQuery.map(without);
    else {
      yield* wrongInBody.map(without);
      if (!freeText.includes(`${name}.${field}`)) yield without("a\u0000b");
      if (isRequired(name, field)) yield without(undefined);
    }
  }
}

function isRequired(name: OperationName, field: string): boolean {
  return !operations[name].input.safeParse({ ...sampleInputs[name], [field]: undefined }).success;
}

function questionOf(name: OperationName, input: Values): RawRequest {
  const { method, path, body } = requestOf(routes[name], input);
  return body === undefined
    ? { method, path }
    : { method, path, headers: { "content-type": "application/json" }, body };
}

async function refused({ socket }: Served, question: RawRequest) {
  const answer = await ask(socket, question);
  assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} for ${question.path} ${question.body}`);
  return failureIn(answer);
}
