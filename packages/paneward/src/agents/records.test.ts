import assert from "node:assert/strict";
import { test } from "node:test";
import { recordPattern } from "../model/agents/record-path.ts";
import { headOf, promptsIn } from "../model/agents/record-rows.ts";
import { sessionIn, withSession } from "./record.ts";
import { agentNamed, codingAgents } from "./registry.ts";

const at = "2026-11-18T20:26:59.739Z";
const moment = Date.parse(at);

/** Rows as the real programs wrote them, shortened; which record, and the prompt that each reports. */
const rows: readonly (readonly [agent: string, record: number, row: object, prompt: string | undefined])[] = [
  [
    "claude",
    0,
    { type: "user", isSidechain: false, message: { role: "user", content: "a\n b" }, timestamp: at },
    "a\n b",
  ],
  ["claude", 0, { type: "queue-operation", operation: "enqueue", timestamp: at, content: "later" }, "later"],
  ["claude", 0, { type: "queue-operation", operation: "dequeue", timestamp: at }, undefined],
  ["claude", 0, { type: "user", isSidechain: true, message: { content: "to a subagent" }, timestamp: at }, undefined],
  [
    "claude",
    0,
    { type: "user", isSidechain: false, isMeta: true, message: { content: "x" }, timestamp: at },
    undefined,
  ],
  [
    "claude",
    0,
    { type: "user", isSidechain: false, message: { content: [{ type: "tool_result" }] }, timestamp: at },
    undefined,
  ],
  ["claude", 0, { type: "user", isSidechain: false, message: { content: "undated" } }, undefined],
  [
    "codex",
    0,
    {
      timestamp: at,
      type: "event_msg",
      payload: { type: "item_completed", item: { type: "UserMessage", content: [{ type: "text", text: "go\ton" }] } },
    },
    "go\ton",
  ],
  [
    "codex",
    0,
    {
      timestamp: at,
      type: "event_msg",
      payload: { type: "item_completed", item: { type: "AgentMessage", content: [] } },
    },
    undefined,
  ],
  ["codex", 1, { session_id: "s1", ts: 1795033619, text: "queued" }, "queued"],
  ["codex", 1, { session_id: "s2", ts: 1795033619, text: "of another one" }, undefined],
  ["gemini", 0, { id: "m", timestamp: at, type: "user", content: [{ text: "one " }, { text: "two" }] }, "one two"],
  ["gemini", 0, { id: "m", timestamp: at, type: "gemini", content: "You said" }, undefined],
  ["gemini", 0, { $set: { messages: [{ type: "user", content: [{ text: "context" }] }] } }, undefined],
  [
    "pi",
    0,
    { type: "message", timestamp: at, message: { role: "user", content: [{ type: "text", text: "go" }] } },
    "go",
  ],
  ["pi", 0, { type: "message", timestamp: at, message: { role: "system", content: "" } }, undefined],
];

test("a row of a record says which prompt the agent was given, or nothing", () => {
  for (const [name, index, row, prompt] of rows) {
    const record = agentNamed(name, {})?.records?.[index];
    assert.ok(record);
    const line = JSON.stringify(row);
    const found = promptsIn(record.rows, line, "s1");
    assert.deepEqual(
      found.map(({ text }) => text),
      prompt === undefined ? [] : [prompt],
      line,
    );
    assert.deepEqual(promptsIn(record.rows, line.slice(0, -1), "s1"), [], "a half line");
    if (record.rows.of !== undefined) assert.deepEqual(promptsIn(record.rows, line, undefined), []);
  }
  const [history] = rows.filter(([name, index]) => name === "codex" && index === 1);
  const { rows: ofHistory } = agentNamed("codex", {})?.records?.[1] ?? {};
  assert.ok(history && ofHistory);
  const [{ at: latest } = { at: 0 }] = promptsIn(ofHistory, JSON.stringify(history[2]), "s1");
  assert.equal(latest, 1_795_033_619_999, "the latest moment that a date in seconds means");
});

test("what is no row of a record is nothing", () => {
  for (const name of codingAgents) {
    for (const record of agentNamed(name, {})?.records ?? []) {
      for (const line of [
        "",
        "null",
        "7",
        '"x"',
        "[]",
        "{",
        '{"type":"user","message":null}',
        '{"__proto__":{"type":"user"}}',
      ]) {
        assert.deepEqual(promptsIn(record.rows, line, "s1"), [], `${name}: ${line}`);
      }
    }
  }
});

test("the first row says whose conversation it is", () => {
  for (const [name, row, expected] of [
    ["codex", { payload: { id: "c1", cwd: "/shop", timestamp: at } }, ["c1", "/shop", undefined, moment]],
    ["gemini", { sessionId: "g1", projectHash: "ab12", startTime: at }, ["g1", undefined, "ab12", moment]],
    ["pi", { type: "session", id: "p1", timestamp: at, cwd: "/shop" }, ["p1", "/shop", undefined, moment]],
  ] as const) {
    const head = agentNamed(name, {})?.records?.[0]?.head;
    assert.ok(head);
    const found = headOf(head, JSON.stringify(row));
    assert.deepEqual([found?.id, found?.folder, found?.folderHash, found?.began], expected, name);
  }
});

test("a record is where the agent's own variables say, and an id is never a pattern", () => {
  const [claude] = agentNamed("claude", {})?.records ?? [];
  const [gemini] = agentNamed("gemini", {})?.records ?? [];
  assert.ok(claude && gemini);
  const home = { HOME: "/home/ann" };
  assert.equal(recordPattern(claude.file, home, "a-1"), "/home/ann/.claude/projects/*/a-1.jsonl");
  assert.equal(recordPattern(claude.file, { ...home, CLAUDE_CONFIG_DIR: "/c" }, undefined), "/c/projects/*/*.jsonl");
  assert.equal(recordPattern(claude.file, home, "../*"), "/home/ann/.claude/projects/*/*.jsonl");
  assert.equal(
    recordPattern(gemini.file, home, "0123456789ab"),
    "/home/ann/.gemini/tmp/*/chats/session-*-01234567.jsonl",
  );
});

test("a new conversation gets an id where the command does not choose one itself; a prompt is not taken for it", () => {
  for (const name of ["claude", "gemini", "pi"]) {
    const session = agentNamed(name, {})?.session;
    assert.ok(session, name);
    assert.deepEqual(withSession([name], session, "u1"), [name, "--session-id", "u1"]);
    assert.deepEqual(withSession([name, "--resume", "x"], session, "u1"), [name, "--resume", "x"]);
    assert.deepEqual(withSession([name, "--session-id=x"], session, "u1"), [name, "--session-id=x"]);
    assert.equal(sessionIn([name, "--session-id", "u1", "--", "go"], session), "u1");
    assert.equal(sessionIn([name, "--", "--session-id", "u1"], session), undefined);
  }
  assert.deepEqual(withSession(["codex"], agentNamed("codex", {})?.session, "u1"), ["codex"]);
});
