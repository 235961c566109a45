import type { PiSession } from "../pi/api.ts";

/** A conversation's name, or its first words. */
export function titleOf(session: PiSession): string | undefined {
  const name = session.getSessionName();
  if (name) return name;
  for (const entry of session.getEntries()) {
    const { message } = entry as { message?: { role?: unknown; content?: unknown } };
    if (message?.role === "user") return textOf(message.content).replace(/\s+/g, " ").trim().slice(0, 80) || undefined;
  }
  return undefined;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: unknown }) => (typeof part.text === "string" ? part.text : "")).join(" ");
}
