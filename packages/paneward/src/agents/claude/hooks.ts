import type { HookPayload, HookReading, Reading } from "../agent.ts";
import { listIn, textIn } from "../payload.ts";
import { asksSeveral, questionOf } from "./tool-question.ts";

/** What Claude Code's hooks mean. Denial and Escape fire none; other witnesses report them. */
export function readClaudeHook(event: string, payload: HookPayload): HookReading | undefined {
  switch (event) {
    case "SessionStart":
      return sessionStart(textIn(payload, "source") ?? "startup");
    case "SessionEnd":
      return sessionEnd(textIn(payload, "reason") ?? "other");
    case "UserPromptSubmit":
      return prompted(textIn(payload, "prompt") ?? "");
    case "PermissionRequest":
      return questionReading(payload);
    case "Elicitation":
      return { reading: readingOf("needs_input", "an MCP server asks") };
    case "Notification":
      return notified(textIn(payload, "notification_type"));
    case "Stop":
      return stopped(payload);
    case "StopFailure":
      return failed(payload);
    case "PostCompact":
      return textIn(payload, "trigger") === "manual" ? { reading: readingOf("idle", "it has compacted") } : working;
    case "PreToolUse":
      return { ...working, phase: "tool_begins" };
    case "PostToolUse":
    case "PostToolUseFailure":
      return { ...working, phase: "tool_ended" };
    case "PostToolBatch":
    case "PermissionDenied":
    case "ElicitationResult":
    case "PreCompact":
      return working;
    default:
      return undefined;
  }
}

const readingOf = (says: Reading["says"], rule: string, detail?: Reading["detail"]): Reading => ({
  says,
  rule,
  ...(detail && { detail }),
});

const working: HookReading = { reading: readingOf("working", "it uses a tool or has just done so") };

// /clear ends one conversation and starts another in the same process; compacting keeps it.
function sessionStart(source: string): HookReading {
  if (source === "compact") return { session: "kept", reason: source };
  const session = source === "clear" ? "renamed" : "started";
  return { session, reason: source, reading: readingOf("idle", "its conversation began") };
}

function sessionEnd(reason: string): HookReading {
  return reason === "clear" ? { reason } : { session: "ended", reason };
}

// When a background task ends, its report comes as a prompt, beside dialogs that other subagents have open.
function prompted(text: string): HookReading {
  const reading: HookReading = { reading: readingOf("working", "it was given a prompt") };
  if (/^\s*<task-notification>/.test(text)) return { ...reading, phase: "turn_ended" };
  return { ...reading, turn: { actor: "user", intent: "command", text } };
}

function questionReading(payload: HookPayload): HookReading {
  const question = questionOf(payload);
  return {
    reading: readingOf("needs_input", `it asks for permission to use ${textIn(payload, "tool_name") ?? "a tool"}`),
    question,
    ...(asksSeveral(payload) && { asksSeveral: true }),
    turn: { actor: "agent", intent: "question", text: question.text },
  };
}

function notified(type: string | undefined): HookReading | undefined {
  if (type === "permission_prompt" || type === "elicitation_dialog") {
    return { reading: readingOf("needs_input", "it notifies that it waits for an answer") };
  }
  return type === "idle_prompt"
    ? { reading: readingOf("idle", "it notifies that it waits for a prompt"), phase: "turn_ended" }
    : undefined;
}

function stopped(payload: HookPayload): HookReading {
  const running = listIn(payload, "background_tasks").filter((task) => textIn(task, "status") !== "completed");
  const over =
    running.length > 0
      ? readingOf("working", "its turn ended, background work continues", "background_work")
      : readingOf("idle", "its turn is over");
  const text = textIn(payload, "last_assistant_message") ?? "";
  return { reading: over, phase: "turn_ended", turn: { actor: "agent", intent: "completion", text } };
}

function failed(payload: HookPayload): HookReading {
  const text = textIn(payload, "last_assistant_message") ?? "";
  const why = `${textIn(payload, "error") ?? ""} ${text}`;
  const detail = /authentication|\b401\b|api key|\/login/i.test(why)
    ? "login_expired"
    : /rate_limit|\b429\b|usage limit|credit balance/i.test(why)
      ? "quota_reached"
      : undefined;
  return { reading: readingOf("idle", "its turn failed", detail), reason: why.trim() };
}
