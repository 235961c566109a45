import { createHash } from "node:crypto";
import { PanewardError, type Question } from "@paneward/sdk";
import { shownText } from "@paneward/sdk/view";
import { questionWords } from "../../model/agents/question-words.ts";

/** Refuses an answer to something else than what its giver was shown: more may be known since, or it may have changed. */
export function requireShown(question: Question, shown: string | undefined): void {
  if (shown === undefined || shown === hashOf(question)) return;
  const now = questionWords(question);
  throw new PanewardError("conflict", `the question has changed since it was shown; it is now: ${now}`, {
    errorType: "wrong_state",
    hint: "look at it again: `paneward questions`",
  });
}

function hashOf(question: Question): string {
  return createHash("sha256").update(shownText(question)).digest("hex");
}
