import { errorFromBody, PanewardError } from "@paneward/sdk";
import { isUnreached } from "./kept-answers.ts";
import { requireServer } from "./session.ts";

export interface TapOutcome {
  readonly isAnswered: boolean;
  readonly words: string;
  /** The daemon may know nothing of it. If it does, pressing again is refused and says so. */
  readonly mayPressAgain?: true;
}

/** Gives the one answer that a notice's button stands for. Needs no session: the tap is the right to do just that. */
export async function tapAnswer(tap: string): Promise<TapOutcome> {
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
    if (error instanceof PanewardError && !isUnreached(error)) return { isAnswered: false, words: error.message };
    return { isAnswered: false, words: "the daemon could not be reached", mayPressAgain: true };
  }
}

const maxMs = 30_000;
