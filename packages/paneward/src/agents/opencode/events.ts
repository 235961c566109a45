import type { AskedNow, HookPayload, HookReading } from "../agent.ts";
import { objectIn, textIn } from "../payload.ts";

/** What an event of opencode's HTTP stream (`GET /event`) means; `event` is its type, the payload its properties. */
export function readOpencodeEvent(event: string, payload: HookPayload): HookReading | undefined {
  switch (event) {
    case "session.created":
      return { session: "started", reason: textIn(payload, "sessionID") ?? "" };
    // It stays busy while a permission waits: permission.asked is the stronger word.
    case "session.status":
      return textIn(objectIn(payload, "status"), "type") === "busy"
        ? { told: { says: "working", rule: "its session is busy" } }
        : undefined;
    case "session.idle":
      return { told: { says: "idle", rule: "its session is idle" } };
    case "permission.asked":
      return asked(payload);
    case "permission.replied":
      return { told: { says: "working", rule: "its question was answered" } };
    default:
      return undefined;
  }
}

function asked(payload: HookPayload): HookReading {
  const tool = textIn(payload, "permission") ?? "a tool";
  const metadata = objectIn(payload, "metadata");
  const [command, path, diff] = ["command", "filepath", "diff"].map((name) => textIn(metadata, name));
  const question: AskedNow = {
    kind: "permission",
    text: "Permission required",
    options: ["Allow once", "Allow always", "Reject"].map((label, index) => ({ number: index + 1, label })),
    freeText: false,
    proposal: {
      tool,
      ...(command !== undefined && { command }),
      ...(path !== undefined && { path }),
      ...(diff !== undefined && { diff }),
    },
    region: "",
  };
  return { told: { says: "needs_input", rule: `it asks for leave to use ${tool}` }, question };
}
