import { PanewardError, type Question } from "@paneward/sdk";
import type { GivenAnswer } from "../../model/answer.ts";
import type { Listening } from "../ports.ts";

/**
 * Refuses free text for a program that does not read its terminal: what looks like its question may be printed by
 * something else, and what is typed would be read later, by whatever comes next. An option that the question names is not
 * free text, and neither is Enter alone.
 */
export function requireReading(
  { reads }: Listening,
  { options }: Pick<Question, "options">,
  answer: GivenAnswer,
): void {
  if (reads === "yes" || answer.kind !== "text" || answer.text === "") return;
  const { text } = answer;
  if (options.some(({ number, label, key }) => text === String(number) || text === label || text === key)) return;
  const why =
    reads === "no"
      ? "the program does not read its terminal now, so its question takes no text"
      : "it cannot be seen whether the program reads its terminal, so its question takes no text";
  throw new PanewardError("conflict", `${why}; nothing was typed`, {
    errorType: "wrong_state",
    hint: "look at it: `paneward screen ID`; if it is the program's own question, `paneward send ID TEXT` types it",
  });
}
