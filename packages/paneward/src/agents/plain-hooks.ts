import { ownValue } from "@paneward/sdk";
import type { HookPhase } from "../model/agents/hook-order.ts";
import type { HookPayload, HookReading, ShownQuestion } from "./agent.ts";
import { approveOrDeny } from "./approval.ts";
import { listIn, objectIn } from "./payload.ts";
import { plannedBy, proposedBy } from "./tool-input.ts";

/**
 * What hooks mean for an agent without its own reader, by the event names that several agents share. The kebab-case paths
 * of `/hook/` have the same names.
 */
export function readPlainHook(event: string, payload: HookPayload): HookReading | undefined {
  return ownValue(readers, event)?.(payload);
}

type Reader = (payload: HookPayload) => HookReading;

const working =
  (rule: string, phase?: HookPhase): Reader =>
  () => ({ reading: { says: "working", rule }, ...(phase && { phase }) });

const prompted: Reader = (payload) => ({
  reading: { says: "working", rule: "a prompt was submitted" },
  turn: { actor: "user", intent: "command", text: word(payload.prompt) },
});

const stopped: Reader = (payload) => {
  const background = Array.isArray(payload.background_tasks) && payload.background_tasks.length > 0;
  const text = word(payload.last_assistant_message);
  if (background) {
    return {
      reading: { says: "working", rule: "its turn ended, background work continues", detail: "background_work" },
      phase: "turn_ended",
    };
  }
  return {
    reading: { says: "idle", rule: "its turn ended" },
    phase: "turn_ended",
    turn: { actor: "agent", intent: "completion", text },
  };
};

const failed: Reader = (payload) => {
  const error = word(payload.error);
  const detail = /rate.?limit|quota|usage limit|429/i.test(error)
    ? "quota_reached"
    : /auth|log.?in|401|api key/i.test(error)
      ? "login_expired"
      : undefined;
  return { reading: { says: "idle", rule: `its turn failed: ${error}`, ...(detail ? { detail } : {}) }, reason: error };
};

const notified: Reader = ({ notification_type: type, message }) => {
  const rule = word(message) || "a notification";
  if (type === "idle_prompt") return { reading: { says: "idle", rule }, phase: "turn_ended" };
  const waits = type === "permission_prompt" || type === "elicitation_dialog" || type === "ToolPermission";
  return waits ? { reading: { says: "needs_input", rule } } : {};
};

const started: Reader = ({ source }) => ({
  reading: { says: "idle", rule: "the conversation began" },
  session: source === "clear" || source === "compact" || source === "resume" ? "renamed" : "started",
  ...(word(source) && { reason: word(source) }),
});

const ended: Reader = ({ reason }) =>
  reason === "clear" ? { reason } : { session: "ended", reason: word(reason) || "it ended" };

const asks: Reader = (payload) => ({
  reading: { says: "needs_input", rule: "it asks for permission" },
  question: questionOf(payload),
  ...(questionsIn(payload).length > 1 && { asksSeveral: true }),
});

const readers: Readonly<Record<string, Reader>> = {
  SessionStart: started,
  SessionEnd: ended,
  UserPromptSubmit: prompted,
  BeforeAgent: prompted,
  PreToolUse: working("a tool begins", "tool_begins"),
  BeforeTool: working("a tool begins", "tool_begins"),
  PostToolUse: working("a tool ended", "tool_ended"),
  PostToolUseFailure: working("a tool failed", "tool_ended"),
  PostToolBatch: working("tools ended"),
  AfterTool: working("a tool ended", "tool_ended"),
  PermissionRequest: asks,
  Notification: notified,
  Stop: stopped,
  AfterAgent: stopped,
  StopFailure: failed,
  Interrupt: () => ({ reading: { says: "idle", rule: "it was interrupted" } }),
};

function questionOf(payload: HookPayload): ShownQuestion {
  const tool = word(payload.tool_name);
  const [question] = questionsIn(payload);
  if (question) return chosen(question);
  if (tool === "ExitPlanMode") {
    const asked = { kind: "plan", text: tool, options: [], freeText: false, region: "" } as const;
    return { ...asked, ...plannedBy("the agent", payload) };
  }
  const wanted = proposedBy("the agent", payload, ["file_path", "path"]);
  const { command, path = "" } = wanted.proposal ?? {};
  const text = command === undefined ? `${tool || "a tool"} ${path}`.trim() : `${tool}: ${command}`;
  return { kind: "permission", text, options: approveOrDeny, freeText: false, ...wanted, region: "" };
}

// To choose is to allow: a tool that is given questions and anything else asks for leave.
function questionsIn(payload: HookPayload): readonly HookPayload[] {
  const input = objectIn(payload, "tool_input");
  const isChoice = Object.keys(input).every((name) => aboutChoices.includes(name));
  return isChoice && !word(payload.tool_name).startsWith("mcp__") ? listIn(input, "questions") : [];
}

const aboutChoices: readonly string[] = ["questions", "answers", "annotations", "metadata"];

function chosen(asked: HookPayload): ShownQuestion {
  return {
    kind: asked.multiSelect === true ? "multi_choice" : "choice",
    text: word(asked.question),
    options: listIn(asked, "options").map(({ label, description }, at) => ({
      number: at + 1,
      label: word(label),
      ...(word(description) === "" ? {} : { description: word(description) }),
    })),
    freeText: true,
    region: "",
  };
}

function word(value: unknown): string {
  return typeof value === "string" ? value : "";
}
