import { PanewardError, type Question } from "@paneward/sdk";
import { type ChosenAnswer, needsReading, unprovedWords } from "@paneward/sdk/view";
import type { GivenAnswer } from "../../model/answer.ts";

/** How a person confirms that what is on the screen was read: by the question's id and the hash of its lines. */
export interface Confirmation {
  readonly question?: string | undefined;
  readonly seen_screen?: string | undefined;
}

/**
 * Refuses to allow what is not proved whole, unless a person has read the screen and it still shows the same. Denying is
 * always possible.
 */
export function requireConfirmation(
  question: Question,
  answer: GivenAnswer,
  { question: id, seen_screen }: Confirmation,
): void {
  if (!needsReading(question, chosenBy(answer))) return;
  if (seen_screen === undefined) throw unread(question);
  if (id === question.id && seen_screen === question.screenHash && seen_screen !== "") return;
  throw new PanewardError("conflict", "the screen has changed since it was read; nothing was answered", {
    errorType: "screen_changed",
    hint: id === undefined ? "give the id of the question with the hash that was read" : "read the screen again",
  });
}

/** The answer allows something that is not shown whole, and nobody has read the screen. */
function unread(question: Pick<Question, "whole" | "doubt" | "reported">): PanewardError {
  const errorType = question.reported === undefined ? "not_whole" : "disputed";
  return new PanewardError("wrong_state", `${unprovedWords(question)}; nothing was answered`, {
    errorType,
    hint: "a person reads the screen and confirms it: `paneward respond ID --option N --read-screen`, the dashboard, or `paneward attach ID`; denying needs no confirmation",
  });
}

function chosenBy(answer: GivenAnswer): ChosenAnswer {
  switch (answer.kind) {
    case "text":
      return { text: answer.text };
    case "option":
      return { options: [answer.number] };
    case "options":
      return { options: answer.numbers };
    default:
      return { does: answer.kind };
  }
}
