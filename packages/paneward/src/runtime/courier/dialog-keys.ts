import { PanewardError, type Question } from "@paneward/sdk";
import { unprovedWords } from "@paneward/sdk/view";
import { keyKind } from "../../model/courier/key-kinds.ts";
import type { Sight } from "../../model/courier/submission.ts";
import { screenHash } from "../attention/question-identity.ts";

/** Refuses keys that could allow what is not proved whole: the caller would answer what was not read. */
export function requireWhole(
  keys: readonly string[],
  { question: drawn }: Pick<Sight, "question">,
  open: Question | undefined,
): void {
  const isKnown = open !== undefined && open.screenHash === screenHash({ region: "", ...drawn });
  const question = isKnown ? open : drawn;
  if (question?.whole !== false || !keys.some((key) => keyKind(key).mayAnswer)) return;
  throw new PanewardError("wrong_state", `a question is open, and ${unprovedWords(question)}`, {
    errorType: question.reported === undefined ? "not_whole" : "disputed",
    hint: "answer it: `paneward respond ID --option N --read-screen`; Escape, arrows and page keys can be sent",
  });
}
