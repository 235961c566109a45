import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readPlainHook } from "./plain-hooks.ts";
import { agentNamed } from "./registry.ts";

type Case = readonly [event: string, payload: object, expected: string];

/** What a hook says, in one line: state, detail, question, turn, session. */
function said(agent: string, event: string, payload: object): string {
  const reading = agentNamed(agent, {})?.readHook?.(event, payload as Readonly<Record<string, unknown>>);
  if (!reading) return "nothing";
  const { reading: state, question, turn, session } = reading;
  const asks = question && `asks ${question.kind} ${question.proposal?.command ?? question.text}`;
  const speaks = turn && `${turn.actor} ${turn.intent}: ${turn.text}`;
  return [state?.says, state?.detail, asks, speaks, session].filter(Boolean).join(", ") || "news only";
}

const bash = { tool_name: "Bash", tool_input: { command: "touch x", description: "d" } };
const color = {
  question: "Which color?",
  options: [{ label: "Red", description: "warm" }, { label: "Blue" }],
  multiSelect: false,
};

const cases: Readonly<Record<string, readonly Case[]>> = {
  claude: [
    ["SessionStart", { source: "startup" }, "idle, started"],
    ["SessionStart", { source: "clear" }, "idle, renamed"],
    ["SessionStart", { source: "compact" }, "kept"],
    ["UserPromptSubmit", { prompt: "go" }, "working, user command: go"],
    ["UserPromptSubmit", { prompt: "<task-notification>\ndone" }, "working"],
    ["PreToolUse", bash, "working"],
    ["PermissionRequest", bash, "needs_input, asks permission touch x, agent question: Claude wants to use Bash"],
    [
      "PermissionRequest",
      { tool_name: "AskUserQuestion", tool_input: { questions: [color] } },
      "needs_input, asks choice Which color?, agent question: Which color?",
    ],
    [
      "PermissionRequest",
      { tool_name: "AskUserQuestion", tool_input: { questions: [{ ...color, multiSelect: true }] } },
      "needs_input, asks multi_choice Which color?, agent question: Which color?",
    ],
    [
      "PermissionRequest",
      { tool_name: "ExitPlanMode", tool_input: { plan: "1. a" } },
      "needs_input, asks plan Claude wants to exit plan mode, agent question: Claude wants to exit plan mode",
    ],
    ["Notification", { notification_type: "permission_prompt" }, "needs_input"],
    ["Notification", { notification_type: "idle_prompt" }, "idle"],
    ["Notification", { notification_type: "elicitation_response" }, "nothing"],
    ["PostToolUse", bash, "working"],
    ["PostToolUseFailure", { ...bash, error: "Exit code 3" }, "working"],
    ["Stop", { last_assistant_message: "Done.", background_tasks: [] }, "idle, agent completion: Done."],
    [
      "Stop",
      { last_assistant_message: "On it.", background_tasks: [{ id: "a", type: "subagent", status: "running" }] },
      "working, background_work, agent completion: On it.",
    ],
    ["StopFailure", { error: "unknown", last_assistant_message: "API Error: 400 no" }, "idle"],
    ["StopFailure", { error: "rate_limit", last_assistant_message: "" }, "idle, quota_reached"],
    ["StopFailure", { error: "authentication_failed" }, "idle, login_expired"],
    ["PostCompact", { trigger: "manual" }, "idle"],
    ["PostCompact", { trigger: "auto" }, "working"],
    ["SessionEnd", { reason: "clear" }, "news only"],
    ["SessionEnd", { reason: "prompt_input_exit" }, "ended"],
    ["SubagentStop", {}, "nothing"],
    [
      "PermissionRequest",
      { tool_name: 7, tool_input: "no" },
      "needs_input, asks permission Claude wants to use , agent question: Claude wants to use ",
    ],
  ],
  codex: [
    ["SessionStart", { source: "startup" }, "started"],
    ["UserPromptSubmit", { prompt: "go" }, "working, user command: go"],
    ["PermissionRequest", bash, "needs_input, asks permission touch x, agent question: Codex wants to use Bash"],
    ["Interrupt", {}, "idle"],
    ["Stop", { last_assistant_message: "Done." }, "idle, agent completion: Done."],
    ["SessionEnd", { reason: "other" }, "ended"],
  ],
  gemini: [
    ["BeforeAgent", { prompt: "go" }, "working, user command: go"],
    [
      "Notification",
      {
        notification_type: "ToolPermission",
        message: "m",
        details: { type: "exec", title: "Confirm Shell Command", command: "touch x" },
      },
      "needs_input, asks permission touch x, agent question: Confirm Shell Command",
    ],
    ["AfterTool", {}, "working"],
    ["AfterAgent", { prompt_response: "Done." }, "unknown, agent completion: Done."],
    ["AfterModel", {}, "nothing"],
  ],
  opencode: [
    ["session.status", { sessionID: "s", status: { type: "busy" } }, "working"],
    [
      "permission.asked",
      { permission: "bash", metadata: { command: "touch x" } },
      "needs_input, asks permission touch x",
    ],
    ["permission.replied", { reply: "once" }, "working"],
    ["session.idle", {}, "idle"],
    ["tui.toast.show", {}, "nothing"],
  ],
};

const phases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: {
    PreToolUse: "tool_begins",
    PostToolUse: "tool_ended",
    PostToolUseFailure: "tool_ended",
    PostToolBatch: "none",
    Stop: "turn_ended",
    UserPromptSubmit: "none",
    SessionEnd: "none",
    PermissionRequest: "none",
  },
  codex: { PreToolUse: "tool_begins", PostToolUse: "tool_ended", Stop: "turn_ended", Interrupt: "none" },
  gemini: { BeforeTool: "tool_begins", AfterTool: "tool_ended", AfterAgent: "turn_ended", PreCompress: "none" },
  "an agent without a reader": {
    PreToolUse: "tool_begins",
    BeforeTool: "tool_begins",
    PostToolUse: "tool_ended",
    PostToolUseFailure: "tool_ended",
    PostToolBatch: "none",
    AfterTool: "tool_ended",
    Stop: "turn_ended",
    AfterAgent: "turn_ended",
    Interrupt: "none",
  },
};

for (const [agent, table] of Object.entries(phases)) {
  test(`${agent}: which hooks may concern only one of several tools`, () => {
    const read = agentNamed(agent, {})?.readHook ?? readPlainHook;
    for (const [event, phase] of Object.entries(table)) assert.equal(read(event, {})?.phase ?? "none", phase, event);
  });
}

test("several questions at once are marked: one decision cannot answer them", () => {
  const payload = (...questions: readonly object[]) => ({ tool_name: "AskUserQuestion", tool_input: { questions } });
  for (const read of [agentNamed("claude", {})?.readHook, readPlainHook]) {
    assert.equal(read?.("PermissionRequest", payload(color))?.asksSeveral, undefined);
    assert.equal(read?.("PermissionRequest", payload(color, color))?.asksSeveral, true);
  }
});

for (const [agent, table] of Object.entries(cases)) {
  describe(`${agent}'s hooks`, () => {
    for (const [event, payload, expected] of table) {
      test(`${event} ${JSON.stringify(payload).slice(0, 60)}: ${expected.slice(0, 40)}`, () => {
        assert.equal(said(agent, event, payload), expected);
      });
    }
  });
}

describe("a plain hook", () => {
  test("with a name that every object has means nothing", () => {
    for (const event of ["constructor", "__proto__", "toString", "valueOf", "__defineGetter__", "hasOwnProperty"]) {
      assert.equal(readPlainHook(event, { session_id: "s" }), undefined, event);
    }
  });

  test("with questions and options that are none is read without them", () => {
    for (const questions of [[null], [1], [[null]], "x", { length: 1 }]) {
      const reading = readPlainHook("PermissionRequest", { tool_name: "Ask", tool_input: { questions } });
      assert.equal(reading?.reading?.says, "needs_input");
    }
    const options = [null, 1, { label: "Red" }];
    const asked = readPlainHook("PermissionRequest", { tool_input: { questions: [{ question: "Which?", options }] } });
    assert.deepEqual(asked?.question?.options, [{ number: 1, label: "Red" }]);
  });
});
