import { type Output, PanewardError } from "@paneward/sdk";
import { client } from "../api/client.ts";
import { keepQuestion, keptQuestion } from "../api/kept-questions.ts";
import { scope } from "./session.ts";

export type SeenQuestion = Output<"question">;

export interface QuestionNews {
  seen(question: SeenQuestion): void;
  /** Undefined: what is shown holds. */
  trouble(error: PanewardError | undefined): void;
}

const againMs = 2_000;

/** One question: at once as this browser saw it last, then as it is, until the signal aborts. */
export async function followQuestion(id: string, news: QuestionNews, signal: AbortSignal): Promise<void> {
  const seen = (question: SeenQuestion) => {
    scope.set(question.scope);
    news.seen(question);
  };
  const asked = client.question({ id }, { signal });
  // Read below; what this browser kept comes first.
  asked.catch(() => {});
  const kept = await keptQuestion(id).catch(() => undefined);
  if (kept) seen(kept.seen);
  for (let answer = asked; !signal.aborted; answer = client.question({ id }, { signal })) {
    try {
      const now = await answer;
      news.trouble(undefined);
      seen(now);
      await keepQuestion(now);
      await followChanges(now, seen, news, signal);
    } catch (error) {
      if (signal.aborted) return;
      const trouble = error instanceof PanewardError ? error : new PanewardError("unexpected", String(error));
      news.trouble(trouble);
      if (trouble.row.retry === "no") return;
    }
    await pause(againMs, signal);
  }
}

/** Returns when it has to be asked for again: events were missed. */
async function followChanges(
  first: SeenQuestion,
  seen: (question: SeenQuestion) => void,
  { trouble }: QuestionNews,
  signal: AbortSignal,
): Promise<void> {
  const types = ["question_changed", "question_closed"];
  const onConnection = (isConnected: boolean, reason = "") =>
    trouble(isConnected ? undefined : new PanewardError("unavailable", reason));
  for await (const event of client.follow({ after: first.last_event, types, signal, onConnection })) {
    if (event.type === "gap") return;
    if (event.type !== "question_changed" && event.type !== "question_closed") continue;
    const { question } = event.data;
    if (question.id === first.question.id) seen({ ...first, question });
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
