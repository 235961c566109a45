import { errorFromBody } from "@paneward/sdk";
import { requireServer } from "./session.ts";

/** Gives the one answer that a notice's button stands for. Needs no session: the tap is the right to do just that. */
export async function tapAnswer(tap: string): Promise<{ readonly isAnswered: boolean; readonly words: string }> {
  try {
    await requireServer();
    const answer = await fetch("/tap", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tap }),
      signal: AbortSignal.timeout(maxMs),
    });
    const body: unknown = await answer.json().catch(() => undefined);
    const { words } = (body ?? {}) as { readonly words?: unknown };
    if (typeof words === "string") return { isAnswered: answer.ok, words };
    throw errorFromBody(body, answer.status);
  } catch (error) {
    const { name, message } = error as Error;
    return { isAnswered: false, words: name === "PanewardError" ? message : "the daemon could not be reached" };
  }
}

const maxMs = 30_000;
