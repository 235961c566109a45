import { type Input, PanewardError, type Question } from "@paneward/sdk";
import { askedWords, proposalLine, shownHash } from "@paneward/sdk/view";
import { client } from "../api/client.ts";
import { isUnreached, keepAnswer } from "../api/kept-answers.ts";
import { showMessage } from "./notices.ts";

export type Given = Omit<Input<"respond">, "id" | "question" | "shown" | "idempotency_key">;

// After this long without a response, the line is taken for dead.
const maxMs = 20_000;

/** Answers the question as it is shown. Without a connection the answer is kept, and given when there is one. */
export async function answerQuestion(question: Question, given: Given, said: string): Promise<void> {
  const input = {
    ...{ id: question.agent ?? question.terminal, question: question.id, shown: await shownHash(question), ...given },
    idempotency_key: crypto.randomUUID(),
  };
  try {
    if (!navigator.onLine) throw offline;
    const { status } = await client.respond(input, { signal: AbortSignal.timeout(maxMs) });
    showMessage(status === "ok" ? "Answered" : "The answer is queued until it can be typed");
  } catch (error) {
    if (!isUnreached(error) && error !== offline) throw named(error);
    // A secret is kept nowhere.
    if (question.kind === "password") throw notConnected;
    const asked = proposalLine(question.proposal) ?? askedWords(question);
    await keepAnswer({ input, asked, said, at: Date.now() });
    await giveInBackground();
  }
}

const offline = new Error("this device is offline");

const notConnected = new PanewardError(
  "unavailable",
  "there is no connection, and a password is not kept until there is",
  {
    hint: "type it again when the connection is back",
  },
);

function named(error: unknown): unknown {
  if (!(error instanceof PanewardError) || error.row.status !== 409 || isAboutReading(error)) return error;
  return new PanewardError(error.code, `Already answered, or the question has changed: ${error.message}`, {
    hint: error.hint,
    cause: error,
  });
}

function isAboutReading({ errorType = "" }: PanewardError): boolean {
  return ["not_whole", "disputed", "screen_changed"].includes(errorType);
}

// Where browsers have it, the service worker gives the answer also after the page was closed.
async function giveInBackground(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const { sync } = (registration ?? {}) as { readonly sync?: { register(tag: string): Promise<void> } };
  await sync?.register("answers").catch(() => {});
}
