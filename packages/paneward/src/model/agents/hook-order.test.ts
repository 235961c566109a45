import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  afterHook,
  type HookMoment,
  type HookRequest,
  hookRequestId,
  isHookRequest,
  openRequests,
  sameRequest,
} from "./hook-order.ts";

type Request = HookRequest<undefined>;
const request = (id: string, tool: string, more: Partial<Request> = {}): Request => ({
  ...{
    id,
    tool,
    agent: "",
    at: 1_000,
    rule: "",
    asked: undefined,
    sources: ["settings"],
    waits: true,
    approved: false,
  },
  ...more,
});
const ids = (requests: readonly Request[]) => requests.map(({ id }) => id).join(" ");

const make = request("r1", "make");
const again = request("r2", "make");
const test1 = request("r3", "test");
const ofSubagent = request("r4", "make", { agent: "sub" });
const all = [make, again, test1, ofSubagent];
const approved = (one: Request): Request => ({ ...one, approved: true });
const reported = (one: Request): Request => ({ ...one, waits: false });
const none: HookMoment = { phase: undefined, tool: "", agent: "", says: "working", at: 1_500 };

describe("the requests that are left after a hook:", () => {
  const cases: readonly (readonly [string, readonly Request[], Partial<HookMoment>, string])[] = [
    ["a tool that was asked for ended", all, { phase: "tool_ended", tool: "test" }, "r1 r2 r4"],
    ["of identical ones the oldest", all, { phase: "tool_ended", tool: "make" }, "r2 r3 r4"],
    ["but the approved one first", [make, approved(again), test1], { phase: "tool_ended", tool: "make" }, "r1 r3"],
    ["only the subagent's own", all, { phase: "tool_ended", tool: "make", agent: "sub" }, "r1 r2 r3"],
    ["another tool ended", all, { phase: "tool_ended", tool: "ls" }, "r1 r2 r3 r4"],
    ["a tool without a name ended", all, { phase: "tool_ended" }, "r4"],
    ["a tool of the same batch begins", all.map(reported), { phase: "tool_begins", tool: "ls" }, "r1 r2 r3 r4"],
    ["a tool begins much later", all.map(reported), { phase: "tool_begins", tool: "ls", at: 9_000 }, "r4"],
    ["while hooks wait", all, { phase: "tool_begins", tool: "ls", at: 9_000 }, "r1 r2 r3 r4"],
    ["the turn stops", [make, approved(again)], { phase: "turn_ended", says: "idle" }, "r1"],
    ["a notification that it waits", all, { says: "needs_input" }, "r1 r2 r3 r4"],
    ["a prompt instead of an answer", all, {}, ""],
  ];
  for (const [name, requests, hook, left] of cases) {
    test(name, () => assert.equal(ids(afterHook(requests, { ...none, ...hook })), left));
  }
});

test("a request that two installations report is one, and two reports of one installation are two", () => {
  const report = (tool: string, source: string, agent = "") => sameRequest(all, { tool, source, agent })?.id;
  assert.equal(report("make", "settings"), undefined);
  assert.equal(report("make", "plugin"), "r1");
  assert.equal(report("make", "plugin", "sub"), "r4");
  assert.equal(report("ls", "plugin"), undefined);
  const paired = { ...make, sources: ["settings", "plugin"] };
  assert.equal(sameRequest([paired, again], { tool: "make", source: "plugin", agent: "" })?.id, "r2");
  assert.equal(sameRequest([approved(make)], { tool: "make", source: "plugin", agent: "" }), undefined);
  assert.equal(ids(openRequests([approved(make), again])), "r2");
});

test("a request that a hook reported differs from one of the agent's own", () => {
  assert.deepEqual([hookRequestId("x"), undefined, "per_1de1"].map(isHookRequest), [true, false, false]);
});
