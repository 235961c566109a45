import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerEvent, ServerState } from "../server.ts";
import { opencodeServer } from "./server.ts";

const { began, after, reads, interrupt } = opencodeServer;
const folder = "/home/dev/shop";
const fresh = began([{ directory: folder }, [], {}, [], []], { startedAt: 1_000 });

const created = (id: string, more: object = {}): ServerEvent => ({
  type: "session.created",
  properties: { sessionID: id, info: { id, directory: folder, ...more } },
});
const status = (sessionID: string, type: string): ServerEvent => ({
  type: "session.status",
  properties: { sessionID, status: { type } },
});
const idle = (sessionID: string): ServerEvent => ({ type: "session.idle", properties: { sessionID } });
const asks = (sessionID: string, id: string, command: string): ServerEvent => ({
  type: "permission.asked",
  properties: { id, sessionID, permission: "bash", patterns: [command], metadata: { command } },
});
const replied = (requestID: string, type = "permission.replied"): ServerEvent => ({ type, properties: { requestID } });

function stateText(state: ServerState): string {
  const reading = reads(state);
  const question = reading?.question;
  const what = question?.proposal?.command ?? question?.proposal?.path ?? question?.text;
  const then = (reading?.others ?? []).map(({ request, proposal }) => `, then ${request} ${proposal?.command}`);
  return reading
    ? [reading.reading.says, question?.request, what].filter(Boolean).join(" ") + then.join("")
    : "nothing";
}

const cases: readonly (readonly [name: string, events: readonly ServerEvent[], says: string])[] = [
  ["unknown before a conversation is known", [], "nothing"],
  ["a new conversation is unknown until something happens in it", [created("s")], "nothing"],
  ["a prompt makes it work", [created("s"), status("s", "busy")], "working"],
  ["a retry of the model is work", [created("s"), status("s", "retry")], "working"],
  ["its end makes it idle", [created("s"), status("s", "busy"), status("s", "idle"), idle("s")], "idle"],
  [
    "an open permission needs input",
    [created("s"), status("s", "busy"), asks("s", "p1", "touch a")],
    "needs_input p1 touch a",
  ],
  [
    "a busy session does not close a permission",
    [created("s"), asks("s", "p1", "touch a"), status("s", "busy")],
    "needs_input p1 touch a",
  ],
  [
    "a permission that is reported twice is open once",
    [created("s"), asks("s", "p1", "a"), asks("s", "p1", "a"), replied("p1")],
    "idle",
  ],
  [
    "of two permissions the older is shown first, then the other",
    [created("s"), asks("s", "p1", "a"), asks("s", "p2", "b"), replied("p1")],
    "needs_input p2 b",
  ],
  ["a session that was not announced does not count", [created("s"), status("x", "busy")], "nothing"],
  ["nor is its end", [created("s"), status("s", "busy"), idle("ses_nope")], "working"],
  ["nor its question", [created("s"), asks("x", "p1", "rm -r /")], "nothing"],
  ["nor one of another folder", [created("s"), created("x", { directory: "/tmp" }), asks("x", "p1", "a")], "nothing"],
  [
    "a subagent's permission is asked in its parent's conversation",
    [created("s"), status("s", "busy"), created("c", { parentID: "s" }), asks("c", "p1", "a")],
    "needs_input p1 a",
  ],
  [
    "a subagent that is done does not end the turn",
    [created("s"), status("s", "busy"), created("c", { parentID: "s" }), status("c", "busy"), idle("c")],
    "working",
  ],
  ["the conversation that began last is current", [created("s"), created("n"), status("n", "busy")], "working"],
  [
    "but not while the one before works",
    [created("s"), status("s", "busy"), created("n"), asks("n", "p1", "a")],
    "working",
  ],
  [
    "it becomes current when that one is idle",
    [created("s"), status("s", "busy"), created("n"), asks("n", "p1", "a"), idle("s")],
    "needs_input p1 a",
  ],
  [
    "of two permissions the older one is asked first",
    [created("s"), asks("s", "p1", "a"), asks("s", "p2", "b")],
    "needs_input p1 a, then p2 b",
  ],
  [
    "an answer to the older one leaves the other",
    [created("s"), asks("s", "p1", "a"), asks("s", "p2", "a"), replied("p1")],
    "needs_input p2 a",
  ],
  ["a rejected question is closed", [created("s"), asks("s", "q1", "a"), replied("q1", "question.rejected")], "idle"],
  ["other events change nothing", [created("s"), { type: "message.part.updated", properties: {} }], "nothing"],
  ["nor do events without their fields", [{ type: "session.created", properties: {} }, idle("")], "nothing"],
];

for (const [name, events, says] of cases) {
  test(`opencode's events: ${name}`, () => assert.equal(stateText(events.reduce(after, fresh)), says));
}

test("open requests are known after a connection, in the conversation that was known before", () => {
  const sessions = [
    { id: "s", directory: folder },
    { id: "old", directory: folder },
  ];
  const waiting = [
    { id: "p1", sessionID: "s", permission: "edit", metadata: { filepath: `${folder}/a.md`, diff: "+a" } },
  ];
  const state = began([{ directory: folder }, sessions, { s: { type: "busy" } }, waiting, []], { startedAt: 1_000 });
  assert.equal(stateText(state), "needs_input p1 a.md");
  assert.deepEqual(reads(state)?.question?.proposal, { tool: "edit", path: "a.md", diff: "+a" });
  assert.equal(
    stateText(began([{ directory: folder }, sessions, {}, [], []], { current: "old", startedAt: 1_000 })),
    "idle",
  );
  assert.equal(
    stateText(began([{ directory: folder }, sessions, {}, [], []], { current: "gone", startedAt: 1_000 })),
    "nothing",
  );
  assert.equal(stateText(began(["garbage", 7, null, {}, [3]], { startedAt: 1_000 })), "nothing");
});

test("the only conversation that began since the process did is its own", () => {
  const at = (id: string, created: number) => ({ id, directory: folder, time: { created } });
  const known = (...sessions: readonly object[]) =>
    began([{ directory: folder }, sessions, {}, [], []], { startedAt: 1_000 }).current;
  assert.equal(known(at("old", 999), at("s", 1_000)), "s");
  assert.equal(known(at("one", 1_001), at("two", 1_002)), undefined);
});

test("an interrupt aborts the conversation on the screen", () => {
  const events = [created("s"), status("s", "busy"), created("c", { parentID: "s" }), status("c", "busy")];
  assert.deepEqual(interrupt(events.reduce(after, fresh)), { method: "POST", path: "/session/s/abort" });
  assert.equal(interrupt(fresh), undefined);
});
