import { PanewardError, type Parsed, type Question } from "@paneward/sdk";
import type { GivenAnswer } from "../answer.ts";

export interface ParsedAnswer {
  readonly mode: "text" | "select" | "other" | "multi_select";
  readonly answer: GivenAnswer;
  /** As people read it afterwards; a secret is left out. */
  readonly words: string;
}

type Wanted = Pick<Question, "kind" | "options" | "freeText">;
type Input = Pick<Parsed<"respond">, "text" | "option" | "mode" | "option_index" | "option_label" | "answers">;

/** What an answer means for this question. */
export function parseAnswer(question: Wanted, input: Input): ParsedAnswer {
  const mode = input.mode ?? modeOf(input);
  if (mode === "multi_select") return several(question, input);
  if (mode === "select") return one(question, input);
  const text = input.text ?? "";
  if (text === "" && question.kind !== "press_key") throw refused("missing_text", "the answer has no text");
  return { mode, answer: { kind: "text", text }, words: question.kind === "password" ? "(a secret)" : text };
}

function modeOf({ text, option, option_index, answers }: Input): ParsedAnswer["mode"] {
  if (answers !== undefined) return "multi_select";
  return text === undefined && (option !== undefined || option_index !== undefined) ? "select" : "text";
}

function one(question: Wanted, { option, option_index, option_label }: Input): ParsedAnswer {
  const found =
    option !== undefined
      ? question.options.find(({ number }) => number === option)
      : option_index !== undefined
        ? question.options[option_index]
        : question.options.find(({ label }) => label === option_label);
  if (!found) {
    const there = question.options.map(({ number, label }) => `${number} ${label}`).join(", ");
    const hint = there === "" ? "it has no options: answer with a text" : `there are ${there}`;
    throw refused("invalid_option_index", "the question has no such option", hint);
  }
  return { mode: "select", answer: { kind: "option", number: found.number }, words: found.label };
}

function several(question: Wanted, { answers = [] }: Input): ParsedAnswer {
  if (answers.length !== 1) {
    throw refused("invalid_answers", `one question is open, and ${answers.length} answers were given`);
  }
  const [first] = answers;
  const indices = first?.option_indices ?? (first?.option_index === undefined ? [] : [first.option_index]);
  const chosen = indices.map((index) => question.options[index]);
  if (chosen.length === 0 || chosen.includes(undefined)) {
    throw refused("invalid_answers", "an answer names an option that the question does not have");
  }
  const options = chosen.flatMap((option) => option ?? []);
  const numbers = options.map(({ number }) => number);
  return {
    mode: "multi_select",
    answer: { kind: "options", numbers },
    words: options.map(({ label }) => label).join(", "),
  };
}

function refused(errorType: string, message: string, hint?: string): PanewardError {
  return new PanewardError("bad_input", message, { errorType, ...(hint === undefined ? {} : { hint }) });
}
