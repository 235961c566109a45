import type { HookPayload, HookReading } from "../agent.ts";
import { objectIn, textIn } from "../payload.ts";
import { permissionAsked, questionAsked } from "./asked.ts";

/** What one event of opencode's means by itself: `event` is its type, the payload its properties. */
export function readOpencodeEvent(event: string, payload: HookPayload): HookReading | undefined {
  switch (event) {
    case "session.created":
      return { session: "started" };
    // It stays busy while a permission is open; permission.asked outweighs that.
    case "session.status":
      return textIn(objectIn(payload, "status"), "type") === "busy"
        ? { reading: { says: "working", rule: "its session is busy" } }
        : undefined;
    case "session.idle":
      return { reading: { says: "idle", rule: "its session is idle" } };
    case "permission.asked":
      return {
        reading: {
          says: "needs_input",
          rule: `it asks for permission to use ${textIn(payload, "permission") ?? "a tool"}`,
        },
        question: permissionAsked(payload),
      };
    case "question.asked": {
      const question = questionAsked(payload);
      return { reading: { says: "needs_input", rule: "it asks a question" }, ...(question && { question }) };
    }
    case "permission.replied":
    case "question.replied":
    case "question.rejected":
      return { reading: { says: "working", rule: "its question was answered" } };
    default:
      return undefined;
  }
}
