import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentRecord } from "../records.ts";
import { correlate, type HookOrigin } from "./correlate.ts";

const agent = (id: string, more: Partial<AgentRecord> = {}): AgentRecord => ({
  id,
  kind: "claude",
  name: id,
  cwd: "/work",
  tmux_pane_id: "%1",
  iterm_pane_id: null,
  server: "100.5",
  state: "processing",
  stateSince: 0,
  adopted: false,
  startedAt: 0,
  ...more,
});

const from = (more: Partial<HookOrigin>): HookOrigin => ({
  sessionId: "s1",
  pane: "%1",
  serverPid: "100",
  cwd: "/work",
  kind: "claude",
  renamed: false,
  ...more,
});

const cases: readonly (readonly [string, readonly AgentRecord[], HookOrigin, string])[] = [
  ["its conversation", [agent("a1", { session_id: "s1" })], from({}), "a1 session_id"],
  ["its conversation, without a pane", [agent("a1", { session_id: "s1" })], from({ pane: undefined }), "a1 session_id"],
  ["its conversation from another pane", [agent("a1", { session_id: "s1" })], from({ pane: "%2" }), "refused"],
  ["its conversation from another server", [agent("a1", { session_id: "s1" })], from({ serverPid: "7" }), "refused"],
  [
    "its conversation in its pane, without the server, other folder",
    [agent("a1", { session_id: "s1" })],
    from({ serverPid: undefined, cwd: "/x" }),
    "a1 session_id",
  ],
  [
    "its conversation from another pane, without the server",
    [agent("a1", { session_id: "s1" })],
    from({ serverPid: undefined, pane: "%2" }),
    "refused",
  ],
  ["the first hook in its pane", [agent("a1")], from({}), "a1 pane"],
  ["the same pane id of another server", [agent("a1")], from({ serverPid: "7" }), "none"],
  ["a pane without its server, same folder", [agent("a1")], from({ serverPid: undefined }), "a1 pane"],
  ["a pane without its server, other folder", [agent("a1")], from({ serverPid: undefined, cwd: "/x" }), "none"],
  ["after /clear", [agent("a1", { session_id: "s0" })], from({ renamed: true }), "a1 pane"],
  ["an agent that the agent runs", [agent("a1", { session_id: "s0" })], from({}), "refused"],
  ["the next one after the first rests", [agent("a1", { session_id: "s0", state: "complete" })], from({}), "a1 pane"],
  ["only a folder", [agent("a1")], from({ pane: undefined }), "a1 working_directory"],
  ["a folder of two", [agent("a1"), agent("a2")], from({ pane: undefined }), "none"],
  ["a folder of another kind", [agent("a1", { kind: "codex" })], from({ pane: undefined }), "none"],
  ["nothing that fits", [], from({}), "none"],
];

test("a hook belongs to an agent by conversation, pane with server, or folder; a foreign one is refused", () => {
  for (const [name, active, origin, expected] of cases) {
    const found = correlate(active, origin);
    const said = !found ? "none" : "refused" in found ? "refused" : `${found.agent.id} ${found.method}`;
    assert.equal(said, expected, name);
  }
});
