import { type Input, PanewardError } from "@paneward/sdk";
import { client } from "./client.ts";
import { inStore } from "./database.ts";

/** An answer that was given without a connection. It fits only the question that was shown, and only for a while. */
export interface KeptAnswer {
  /** What respond gets: with the question, the hash of what was shown, and a key, so that it is given at most once. */
  readonly input: Input<"respond"> & { readonly question: string; readonly idempotency_key: string };
  /** For people: what was asked, and what they said. */
  readonly asked: string;
  readonly said: string;
  readonly at: number;
  /** Why it was not given, and never will be. */
  readonly refused?: string;
}

/** An older answer is not given: what it was about may have been settled in another way. */
const maxAnswerAgeMs = 15 * 60_000;

const changes = new BroadcastChannel("paneward answers");

export function onKeptAnswers(listener: () => void): () => void {
  changes.addEventListener("message", listener);
  return () => changes.removeEventListener("message", listener);
}

// A channel reports to all pages and to the service worker, but not to the one that writes.
function changed(): void {
  changes.postMessage("changed");
  changes.dispatchEvent(new MessageEvent("message"));
}

export function keptAnswers(): Promise<readonly KeptAnswer[]> {
  return inStore("answers", "readonly", (answers) => answers.getAll());
}

export async function keepAnswer(answer: KeptAnswer): Promise<void> {
  await inStore("answers", "readwrite", (answers) => answers.put(answer, answer.input.idempotency_key));
  changed();
}

export async function dropAnswer({ input }: KeptAnswer): Promise<void> {
  await inStore("answers", "readwrite", (answers) => answers.delete(input.idempotency_key));
  changed();
}

/** Gives what waits. A page and the service worker take turns. Returns what was refused now, and whether some still wait. */
export function giveKeptAnswers(): Promise<{ readonly refused: readonly KeptAnswer[]; readonly waits: boolean }> {
  return navigator.locks.request("paneward answers", async () => {
    const refused: KeptAnswer[] = [];
    for (const answer of await keptAnswers()) {
      if (answer.refused !== undefined) continue;
      const outcome = await give(answer);
      if (outcome === "later") return { refused, waits: true };
      if (outcome === "given") {
        await dropAnswer(answer);
        continue;
      }
      const one = { ...answer, refused: outcome.refused };
      await keepAnswer(one);
      refused.push(one);
    }
    return { refused, waits: false };
  });
}

async function give({ input, at }: KeptAnswer): Promise<"given" | "later" | { readonly refused: string }> {
  if (Math.abs(Date.now() - at) > maxAnswerAgeMs) return { refused: "it waited for a connection for too long" };
  try {
    await client.respond(input);
    return "given";
  } catch (error) {
    // Locked, or logged out: the page says so, and the answer waits until its time is over.
    if (isUnreached(error) || (error as PanewardError).code === "unauthorized") return "later";
    return { refused: (error as Error).message };
  }
}

/** Whether the daemon may not have got the request, or wants it later; the same key makes it one answer. */
export function isUnreached(error: unknown): boolean {
  if (!(error instanceof PanewardError)) return (error as Error).name === "TimeoutError";
  // What the daemon itself answers has no cause.
  const isLost = error.cause !== undefined && (error.code === "unavailable" || error.code === "outcome_unknown");
  return isLost || error.code === "rate_limited";
}
