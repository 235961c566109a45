import type { HookPayload, HookReading } from "../agent.ts";
import { approveOrDeny } from "../approval.ts";
import { objectIn, textIn } from "../payload.ts";
import { byAgent } from "../proof.ts";
import { proposedBy, withRest } from "../tool-input.ts";

/** What Codex's hooks mean. Unlike Claude Code's, they report Escape: Interrupt. */
export function readCodexHook(event: string, payload: HookPayload): HookReading | undefined {
  switch (event) {
    // It fires with the first prompt, not at the start.
    case "SessionStart":
      return { session: "started", reason: textIn(payload, "source") ?? "startup" };
    case "SessionEnd":
      return { session: "ended", reason: textIn(payload, "reason") ?? "other" };
    case "UserPromptSubmit":
      return {
        reading: { says: "working", rule: "it was given a prompt" },
        turn: { actor: "user", intent: "command", text: textIn(payload, "prompt") ?? "" },
      };
    case "PreToolUse":
      return { ...working, phase: "tool_begins" };
    case "PostToolUse":
      return { ...working, phase: "tool_ended" };
    case "PermissionRequest":
      return questionReading(payload);
    case "Interrupt":
      return { reading: { says: "idle", rule: "its turn was interrupted" } };
    case "Stop":
      return ended(textIn(payload, "last_assistant_message"));
    default:
      return undefined;
  }
}

const working: HookReading = { reading: { says: "working", rule: "it uses a tool or has just done so" } };

function questionReading(payload: HookPayload): HookReading {
  const tool = textIn(payload, "tool_name") ?? "a tool";
  const text = `Codex wants to use ${tool}`;
  return {
    reading: { says: "needs_input", rule: `it asks for permission to use ${tool}` },
    question: {
      kind: "permission",
      text,
      options: approveOrDeny,
      freeText: false,
      ...wanted(payload, tool),
      region: "",
    },
    turn: { actor: "agent", intent: "question", text },
  };
}

function wanted(payload: HookPayload, tool: string): ReturnType<typeof proposedBy> {
  const input = objectIn(payload, "tool_input");
  const patch = textIn(input, "command") ?? "";
  const files = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.*)$/gm)].map(([, path = ""]) => path);
  if (tool !== "apply_patch" || files.length === 0) return proposedBy("Codex", payload, []);
  return { proposal: withRest({ tool, path: files.join(", "), diff: patch }, input, ["command"]), ...byAgent };
}

function ended(text = ""): HookReading {
  return {
    reading: { says: "idle", rule: "its turn is over" },
    phase: "turn_ended",
    turn: { actor: "agent", intent: "completion", text },
  };
}
