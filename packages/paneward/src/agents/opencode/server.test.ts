import assert from "node:assert/strict";
import { test } from "node:test";
import type { GivenAnswer } from "../../model/answer.ts";
import type { ServerAsked } from "../server.ts";
import { permissionAsked } from "./asked.ts";
import { opencodeServer, withOpencodeServer } from "./server.ts";

const facts = { reportCommand: "", waitCommand: "", folder: "" };
const server = { port: 23_456, user: "paneward", password: "secret" };

test("opencode starts on loopback with a password; its argv and environment say where it listens", () => {
  const { cmd, env = {} } = withOpencodeServer(["opencode"], { ...facts, server });
  assert.deepEqual(cmd, ["opencode", "--port", "23456", "--hostname", "127.0.0.1"]);
  assert.deepEqual(opencodeServer.at(cmd, env), server);
  const elsewhere = opencodeServer.moved({ argv: cmd, env }, { ...server, port: 23_457, password: "other" });
  assert.deepEqual(opencodeServer.at(elsewhere.argv, elsewhere.env), { ...server, port: 23_457, password: "other" });
});

test("a port of the user's own is kept", () => {
  for (const cmd of [
    ["opencode", "--port", "4096"],
    ["opencode", "--port=4096", "-m", "x"],
  ]) {
    assert.deepEqual(withOpencodeServer(cmd, { ...facts, server }), { cmd });
    assert.deepEqual(opencodeServer.at(cmd, {}), { port: 4096, user: "opencode", password: undefined });
  }
  assert.equal(opencodeServer.at(["opencode"], {}), undefined);
  assert.equal(opencodeServer.at(["opencode", "--port", "0"], {}), undefined);
});

const option = (number: number): GivenAnswer => ({ kind: "option", number });
const permission: ServerAsked = { id: "per_1", session: "s", kind: "permission", payload: {} };
const question = (more: object): ServerAsked => ({
  ...{ id: "que_1", session: "s", kind: "question" },
  payload: { questions: [{ question: "Which?", options: [{ label: "Red" }, { label: "Blue" }], ...more }] },
});
const { options } = permissionAsked({});
const stage = [{ number: 1, label: "Confirm" }];

for (const [name, asked, shown, answer, body] of [
  ["once", permission, options, option(1), { reply: "once" }],
  ["always", permission, options, option(2), { reply: "always" }],
  ["no", permission, options, option(3), { reply: "reject" }],
  ["approved", permission, options, { kind: "approve" }, { reply: "once" }],
  ["denied", permission, options, { kind: "deny" }, { reply: "reject" }],
  ["denied in words", permission, options, { kind: "deny", message: "not so" }, { reply: "reject", message: "not so" }],
  ["words that do not deny", permission, options, { kind: "text", text: "not so" }, undefined],
  ["the second stage of always", permission, stage, option(1), undefined],
  ["an option that is not there", permission, options, option(4), undefined],
  ["one option", question({}), [], option(2), { answers: [["Blue"]] }],
  ["free text", question({}), [], { kind: "text", text: "Green" }, { answers: [["Green"]] }],
  ["free text where none is accepted", question({ custom: false }), [], { kind: "text", text: "Green" }, undefined],
  ["the free-text option, without a text", question({}), [], option(3), undefined],
  ["several", question({ multiple: true }), [], { kind: "options", numbers: [1, 2] }, { answers: [["Red", "Blue"]] }],
  ["two questions in one", { ...question({}), payload: { questions: [{}, {}] } }, [], option(1), undefined],
] satisfies readonly (readonly [string, ServerAsked, typeof options | [], GivenAnswer, object | undefined])[]) {
  test(`an answer over HTTP: ${name}`, () => {
    const request = opencodeServer.answer(asked, shown, answer);
    assert.deepEqual(request?.body, body);
    if (request) assert.equal(request.path, `/${asked.kind}/${asked.id}/reply`);
  });
}
