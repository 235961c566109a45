import type { HookPayload, HookReading } from "../agent.ts";
import { approveOrDeny } from "../approval.ts";
import { objectIn, textIn } from "../payload.ts";
import { wantedBy } from "./details.ts";

/** What Gemini CLI's hooks mean. Escape fires none; the title shows it. */
export function readGeminiHook(event: string, payload: HookPayload): HookReading | undefined {
  switch (event) {
    case "SessionStart":
      return { session: "started", reason: textIn(payload, "source") ?? "startup" };
    case "SessionEnd":
      return { session: "ended", reason: textIn(payload, "reason") ?? "other" };
    case "BeforeAgent":
      return {
        reading: { says: "working", rule: "it was given a prompt" },
        turn: { actor: "user", intent: "command", text: textIn(payload, "prompt") ?? "" },
      };
    case "BeforeTool":
      return { ...working, phase: "tool_begins" };
    case "AfterTool":
      return { ...working, phase: "tool_ended" };
    case "PreCompress":
      return working;
    case "Notification":
      return textIn(payload, "notification_type") === "ToolPermission" ? questionReading(payload) : undefined;
    case "AfterAgent":
      return ended(textIn(payload, "prompt_response"));
    default:
      return undefined;
  }
}

const working: HookReading = { reading: { says: "working", rule: "it uses a tool or has just done so" } };

function questionReading(payload: HookPayload): HookReading {
  const details = objectIn(payload, "details");
  const text = textIn(details, "title") ?? textIn(payload, "message") ?? "Gemini asks for permission";
  const shown = { kind: "permission", text, options: approveOrDeny, freeText: false, region: "" } as const;
  return {
    reading: { says: "needs_input", rule: "it asks for permission to use a tool" },
    question: { ...shown, ...wantedBy(details) },
    turn: { actor: "agent", intent: "question", text },
  };
}

// Gemini waits for this hook before it is idle. A prompt sent now would be queued, and a queued prompt can fall back into
// the input line. Screen and title show when it is ready.
function ended(text = ""): HookReading {
  return {
    reading: { says: "unknown", rule: "its turn is about to end" },
    phase: "turn_ended",
    turn: { actor: "agent", intent: "completion", text },
  };
}
